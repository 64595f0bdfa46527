// Makes all drawings of the site in one process: a JSON list of {kind, values} on standard input, a
// JSON list of {svg, table} or {error} on standard output. Its argument is the module that draws,
// the one that readers' browsers get.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";

// A project may lie anywhere; packages are the builder's own.
const hook = `export const resolve = (specifier, context, next) =>
  next(specifier, /^[./]|:/.test(specifier) ? context : { ...context, parentURL: "${import.meta.url}" });`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { DRAWINGS } = await import(pathToFileURL(process.argv[2]).href);
const requests = JSON.parse(readFileSync(0, "utf8"));
const answers = requests.map(({ kind, values }) => {
  try {
    return DRAWINGS[kind](values);
  } catch (error) {
    return { error: String(error.message) };
  }
});
process.stdout.write(JSON.stringify(answers));
