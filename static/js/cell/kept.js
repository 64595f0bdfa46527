// What readers wrote, kept on this device and in links. Nothing is sent anywhere.

/** @typedef {{ version: string, text: string }} Kept an edit, and of which source text it is one */

const LINK = "#code=";
const LONGEST = 200_000; // bytes that a link may unpack to

/**
 * @param {string} kind
 * @param {string} cell
 * @returns {Kept | null}
 */
export function recall(kind, cell) {
  try {
    return asKept(JSON.parse(localStorage.getItem(key(kind, cell)) ?? "null"));
  } catch {
    return null; // no storage here, or not ours
  }
}

/**
 * @param {string} kind
 * @param {string} cell
 * @param {Kept | null} kept null to forget
 */
export function keep(kind, cell, kept) {
  try {
    if (kept) localStorage.setItem(key(kind, cell), JSON.stringify(kept));
    else localStorage.removeItem(key(kind, cell));
  } catch {
    // No storage here: edits last as long as the page.
  }
}

/**
 * A link to this page with edits in it.
 *
 * @param {Record<string, Kept>} edits by cell
 */
export async function linkWith(edits) {
  const packed = new Blob([JSON.stringify(edits)])
    .stream()
    .pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fragment = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}${LINK}${fragment}`;
}

export function isLinkWithEdits() {
  return location.hash.startsWith(LINK);
}

/** Remove the edits from the page's address, once they are the reader's own. */
export function leaveLink() {
  if (isLinkWithEdits()) history.replaceState(null, "", location.href.split("#")[0]);
}

/**
 * The edit of a cell to begin with: that of the page's address, or else the reader's own.
 *
 * @param {string} cell
 */
export async function recallEdit(cell) {
  const shared = (await editsOfLink()).get(cell);
  const found = shared ?? recall("code", cell);
  return found && { ...found, isShared: shared !== undefined };
}

/**
 * The edits in the page's address by cell; none where there are none, or they cannot be read.
 *
 * @returns {Promise<Map<string, Kept>>}
 */
async function editsOfLink() {
  const edits = new Map();
  if (!isLinkWithEdits()) return edits;
  try {
    const base64 = location.hash.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    for (const [cell, value] of Object.entries(JSON.parse(await readText(unpacked)))) {
      const kept = asKept(value);
      if (kept) edits.set(cell, kept);
    }
  } catch {
    edits.clear(); // a broken link is a link to the page
  }
  return edits;
}

/** @param {ReadableStream<Uint8Array>} stream */
async function readText(stream) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > LONGEST) throw new Error("too long");
  }
}

// An address with edits in it, given to the page that is open, loads no page by itself.
window.addEventListener("hashchange", () => {
  if (isLinkWithEdits()) location.reload();
});

/**
 * @param {unknown} value
 * @returns {Kept | null}
 */
function asKept(value) {
  const { version, text } = /** @type {Record<string, unknown>} */ (value ?? {});
  return typeof version === "string" && typeof text === "string" ? { version, text } : null;
}

/**
 * @param {string} kind
 * @param {string} cell
 */
function key(kind, cell) {
  return `${kind}:${location.pathname}#${cell}`;
}
