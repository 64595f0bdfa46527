// Markup as text: the build and the browser make the same drawing, and neither needs a document.

/**
 * @typedef {{ shape: number[], numbers: string[], texts: string[] }} Value as Python recorded it
 * @typedef {Record<string, Value>} Values
 * @typedef {{ svg: string, table: string }} Drawing
 * @typedef {Record<string, string | number>} Attributes
 */

/** The width that fits a phone, in units that are pixels there and larger on a desktop. */
export const WIDTH = 340;
const ENLARGED = 1.4;

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** @param {number} number to a tenth of a unit */
const short = (number) => String(Math.round(number * 10) / 10);

/**
 * An element; its children are markup already.
 *
 * @param {string} tag
 * @param {Attributes} attributes
 * @param {string[]} children
 */
export function element(tag, attributes, ...children) {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${typeof value === "number" ? short(value) : escaped(value)}"`,
  );
  return `<${tag}${written.join("")}>${children.join("")}</${tag}>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {Attributes} attributes
 */
export function label(x, y, text, attributes = {}) {
  return element("text", { x, y, ...attributes }, escaped(text));
}

/**
 * @param {string} kind its class
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
export function line(kind, [x1, y1], [x2, y2]) {
  return element("line", { class: kind, x1, y1, x2, y2 });
}

/**
 * A picture with a text alternative.
 *
 * @param {number} width
 * @param {number} height
 * @param {string} description
 * @param {string[]} children
 */
export function picture(width, height, description, children) {
  const size = {
    viewBox: `0 0 ${short(width)} ${short(height)}`,
    width: width * ENLARGED,
    height: height * ENLARGED,
  };
  const wide = width > WIDTH ? { style: `min-width: ${Math.round(width)}px` } : {};
  const named = { role: "img", "aria-label": description };
  return element("svg", { ...size, ...wide, ...named }, ...children);
}

/**
 * A table whose rows begin with their heading.
 *
 * @param {string} caption
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(caption, head, rows) {
  const headings = head.map((text) => element("th", { scope: "col" }, escaped(text)));
  const body = rows.map(([first, ...cells]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, escaped(first)),
      ...cells.map((text) => element("td", {}, escaped(text))),
    ),
  );
  return element(
    "table",
    {},
    element("caption", {}, escaped(caption)),
    element("thead", {}, element("tr", {}, ...headings)),
    element("tbody", {}, ...body),
  );
}
