// Several lines of a listing have an address, `#ops-L43-L45`, or `#L43-L45` on a source page. To
// choose them, follow the number of one line, then click another with Shift, or press Shift-Enter.
import { fragment } from "./fragment.js";

/** @typedef {{ file: string, first: number, last: number }} Lines */

const ADDRESS = /^(?<file>(?:.+?-)??)L(?<first>\d+)(?:-L(?<last>\d+))?$/;

/** @type {Lines | null} the lines that the address named before any were chosen from there */
let start = null;

const spoken = document.createElement("p");
spoken.className = "hidden";
spoken.role = "status";

export function connectLineRanges() {
  if (!document.querySelector(".line[id]")) return;
  document.body.append(spoken);
  window.addEventListener("hashchange", () => follow());
  document.addEventListener("click", choose);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter") choose(event);
  });
  follow();
}

/** Mark and show the lines that the address names, if it names several. */
function follow() {
  start = parse(fragment());
  const lines = start && start.last > start.first ? elements(start) : [];
  mark(lines);
  reveal(lines[0]);
}

/**
 * Select the lines from the one in the address to the one whose number was clicked.
 *
 * @param {MouseEvent | KeyboardEvent} event
 */
function choose(event) {
  const { target, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (!shiftKey || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
  const id = target.closest("a.number")?.closest(".line")?.id;
  const end = id ? parse(id) : null;
  if (!end) return;
  event.preventDefault();
  getSelection()?.removeAllRanges(); // to click with Shift selects text, too
  if (start?.file !== end.file) start = end;
  const [first, last] = [start.first, end.first].sort((one, other) => one - other);
  const chosen = { file: end.file, first, last };
  history.replaceState(history.state, "", `#${address(chosen)}`);
  const lines = elements(chosen);
  mark(lines);
  spoken.textContent =
    last > first
      ? `Lines ${first} to ${last} are marked, and the address leads to them.`
      : `The address leads to line ${first}.`;
}

/**
 * @param {string} text
 * @returns {Lines | null}
 */
function parse(text) {
  const found = ADDRESS.exec(text)?.groups;
  if (!found) return null;
  const ends = [Number(found.first), Number(found.last ?? found.first)];
  return { file: found.file, first: Math.min(...ends), last: Math.max(...ends) };
}

/** @param {Lines} lines */
function address({ file, first, last }) {
  return `${file}L${first}${last > first ? `-L${last}` : ""}`;
}

/**
 * The elements of those lines that are on the page.
 *
 * @param {Lines} lines
 */
function elements({ file, first, last }) {
  return [...document.querySelectorAll(".line[id]")].filter(({ id }) => {
    const line = parse(id);
    return line?.file === file && line.first >= first && line.first <= last;
  });
}

/** @param {Element[]} lines */
function mark(lines) {
  for (const line of document.querySelectorAll("[data-in-range]")) {
    line.removeAttribute("data-in-range");
  }
  for (const line of lines) line.setAttribute("data-in-range", "");
}

/** @param {Element | undefined} line */
function reveal(line) {
  for (let fold = line?.closest("details"); fold; fold = fold.parentElement?.closest("details")) {
    fold.open = true;
  }
  line?.scrollIntoView();
}
