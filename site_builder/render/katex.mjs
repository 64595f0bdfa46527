// Typesets formulas: an answer is {html, mathml, text} or {error} for each {latex, linked, display}.
import katex from "katex";

const VISUAL = '<span class="katex-html"'; // begins the part for the eye, after the MathML
const MARKS = { trust: isMark, strict: (code) => (code === "htmlExtension" ? "ignore" : "error") };

export function answer(formulas) {
  return formulas.map(({ latex, linked, display }) => {
    try {
      const tree = typeset(latex, display, { strict: "error" });
      const html = tree.toMarkup();
      const marked = linked === latex ? html : withMarks(html, typesetMarked(linked, display));
      return { html: marked, ...mathml(tree) };
    } catch (error) {
      return { error: String(error.message) };
    }
  });
}

function typeset(latex, displayMode, options) {
  return katex.__renderToDomTree(latex, { displayMode, throwOnError: true, ...options });
}

function typesetMarked(linked, display) {
  try {
    return typeset(linked, display, MARKS).toMarkup();
  } catch (error) {
    // Without its marks the formula can be typeset, so that this is all there can be.
    throw new Error("a symbol in it is an argument without braces", { cause: error });
  }
}

// The MathML without the LaTeX that it holds, and its letters and signs.
function mathml(tree) {
  const math = descendants(tree).find((node) => node.type === "math");
  const semantics = math.children[0];
  semantics.children = semantics.children.filter((node) => node.type !== "annotation");
  return { mathml: math.toMarkup(), text: math.toText() };
}

function descendants(node) {
  return [node, ...(node.children ?? []).flatMap(descendants)];
}

function isMark({ command }) {
  return command === "\\htmlData";
}

// MathML, and the LaTeX that it holds, stay as they are without marks.
function withMarks(html, marked) {
  return html.slice(0, html.indexOf(VISUAL)) + marked.slice(marked.indexOf(VISUAL));
}
