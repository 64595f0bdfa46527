// Makes a search index with Pagefind: an answer is {files, ids} or {error} for a list of
// {title, content}. `files` are those that a browser needs, in base64 by path; `ids` are the names
// that the index has for the records, in their order.
import { gunzipSync } from "node:zlib";
import { close, createIndex } from "pagefind";

// Of what Pagefind gives: its interfaces are left out, and so is what pages show of results.
const NEEDED = /^(pagefind\.js|pagefind-entry\.json|.*\.pf_meta|wasm\.en\.pagefind|index\/.*)$/;
const FRAGMENTS = /^fragment\//;
const SIGNATURE = "pagefind_dcd"; // begins whatever Pagefind compresses

export async function answer([records]) {
  const answer = await makeIndex(records).catch((error) => ({ error: String(error.message) }));
  await close(); // its process would take up memory until the builder ends
  return [answer];
}

async function makeIndex(records) {
  const { index, errors } = await createIndex({ forceLanguage: "en", maxFragments: 1 });
  if (!index) throw new Error(errors.join("; "));
  // One after another: their order decides between results of one score.
  for (const [number, { title, content }] of records.entries()) {
    const record = { url: `${number}`, content, language: "en", meta: { title } };
    const added = await index.addCustomRecord(record);
    if (added.errors.length) throw new Error(`${title}: ${added.errors.join("; ")}`);
  }
  const made = await index.getFiles();
  if (made.errors.length) throw new Error(made.errors.join("; "));
  const files = made.files
    .filter(({ path }) => NEEDED.test(path))
    .map(({ path, content }) => [path, Buffer.from(content).toString("base64")]);
  return { files: Object.fromEntries(files.sort()), ids: idsOf(made.files, records.length) };
}

function idsOf(files, count) {
  const ids = new Array(count).fill("");
  for (const { path, content } of files.filter((file) => FRAGMENTS.test(file.path))) {
    const text = gunzipSync(content).toString("utf8").slice(SIGNATURE.length);
    const [, id] = path.match(/([^/]*)\.pf_fragment$/);
    const whole = JSON.parse(text);
    const group = "url" in whole ? { [id]: whole } : whole;
    for (const [name, { url }] of Object.entries(group)) ids[Number(url)] = name;
  }
  const lost = ids.indexOf("");
  if (lost >= 0) throw new Error(`it has no entry for record ${lost}`);
  return ids;
}
