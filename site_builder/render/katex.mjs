// Typesets formulas: an answer is {html} or {error} for each {latex, linked, display}.
import katex from "katex";

const VISUAL = '<span class="katex-html"'; // begins the part for the eye, after the MathML
const MARKS = { trust: isMark, strict: (code) => (code === "htmlExtension" ? "ignore" : "error") };

export function answer(formulas) {
  return formulas.map(({ latex, linked, display }) => {
    try {
      const html = typeset(latex, display, { strict: "error" });
      return { html: linked === latex ? html : withMarks(html, typesetMarked(linked, display)) };
    } catch (error) {
      return { error: String(error.message) };
    }
  });
}

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
