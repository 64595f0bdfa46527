// Typesets all formulas of the site in one process: a JSON list of {latex, display} on standard
// input, a JSON list of {html} or {error} on standard output.
import { readFileSync } from "node:fs";
import katex from "katex";

const formulas = JSON.parse(readFileSync(0, "utf8"));
const answers = formulas.map(({ latex, display }) => {
  try {
    const html = katex.renderToString(latex, {
      displayMode: display,
      output: "htmlAndMathml",
      strict: "error",
      throwOnError: true,
    });
    return { html };
  } catch (error) {
    return { error: String(error.message) };
  }
});
process.stdout.write(JSON.stringify(answers));
