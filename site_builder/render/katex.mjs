// Typesets all formulas of the site in one process: a JSON list of {latex, linked, display} on
// standard input, a JSON list of {html} or {error} on standard output.
import { readFileSync } from "node:fs";
import katex from "katex";

const VISUAL = '<span class="katex-html"'; // begins the part for the eye, after the MathML
const MARKS = { trust: isMark, strict: (code) => (code === "htmlExtension" ? "ignore" : "error") };

const formulas = JSON.parse(readFileSync(0, "utf8"));
const answers = formulas.map(({ latex, linked, display }) => {
  try {
    const html = typeset(latex, display, { strict: "error" });
    return { html: linked === latex ? html : withMarks(html, typesetMarked(linked, display)) };
  } catch (error) {
    return { error: String(error.message) };
  }
});
process.stdout.write(JSON.stringify(answers));

function typeset(latex, displayMode, options) {
  return katex.renderToString(latex, { displayMode, throwOnError: true, ...options });
}

function typesetMarked(linked, display) {
  try {
    return typeset(linked, display, MARKS);
  } catch (error) {
    // Without its marks the formula can be typeset, so that this is all there can be.
    throw new Error("a symbol in it is an argument without braces", { cause: error });
  }
}

function isMark({ command }) {
  return command === "\\htmlData";
}

// MathML, and the LaTeX that it holds, stay as they are without marks.
function withMarks(html, marked) {
  return html.slice(0, html.indexOf(VISUAL)) + marked.slice(marked.indexOf(VISUAL));
}
