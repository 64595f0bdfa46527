// The results as elements: groups by kind, in each a list of links.
import { bestLine, excerpt, markQuery } from "./excerpt.js";
import { addressOf } from "./finder.js";

/** @typedef {import("./excerpt.js").Piece} Piece */
/** @typedef {import("./finder.js").Hit} Hit */

const SHOWN = 5; // results of a kind, before a reader asks for the others

/** @type {Record<string, string>} what several of a kind are called */
const KINDS = {
  Page: "Pages",
  Section: "Sections",
  Equation: "Equations",
  Symbol: "Symbols",
  Function: "Functions",
  Example: "Examples",
  Exercise: "Exercises",
  Figure: "Figures",
  Source: "Lines of source",
};

/**
 * @param {Hit[]} hits the best first
 * @param {string} query
 * @returns {HTMLElement[]} a group for each kind, in the order of their best
 */
export function resultGroups(hits, query) {
  const kinds = [...new Set(hits.map(({ record }) => record.kind))];
  return kinds.map((kind, index) => {
    const id = `site-search-kind-${index}`;
    const items = hits
      .filter(({ record }) => record.kind === kind)
      .map((hit, number) => item(hit, query, `${id}-${number}`));
    const heading = element("h2", "search-kind", KINDS[kind] ?? kind);
    heading.id = id;
    heading.append(" ", element("span", "search-count", `${items.length}`));
    const list = element("ol", "");
    list.append(...items);
    const group = element("section", "");
    group.setAttribute("aria-labelledby", id);
    group.append(heading, list, ...more(items));
    return group;
  });
}

/**
 * Hides all but the first results of a kind.
 *
 * @param {HTMLElement[]} items
 * @returns {HTMLElement[]} the button that shows them
 */
function more(items) {
  const rest = items.slice(SHOWN);
  if (rest.length < 2) return [];
  for (const one of rest) one.hidden = true;
  const button = element("button", "search-more", `Show ${rest.length} more`);
  button.setAttribute("type", "button");
  button.addEventListener("click", () => {
    for (const one of rest) one.hidden = false;
    rest[0]?.querySelector("a")?.focus();
    button.remove();
  });
  return [button];
}

/**
 * @param {Hit} hit
 * @param {string} query
 * @param {string} id of what describes the result
 */
function item({ record, places }, query, id) {
  const { title = "", where = "", text = "", first, maths } = record;
  const about = element("p", "search-about");
  about.id = id;
  const link = document.createElement("a");
  link.setAttribute("aria-describedby", id);
  if (first) {
    const line = bestLine(text, places, query);
    const number = first + line.index;
    link.href = addressOf(`${record.href}#L${number}`);
    link.append(inPieces("code", line.pieces));
    about.append(`${where}:${number}`);
    if (title) about.append(", in ", element("code", "", title));
  } else {
    link.href = addressOf(record.href);
    link.append(inPieces(record.is_code ? "code" : "span", markQuery(title, query)));
    if (where) about.append(element("span", "search-where", where), " ");
    if (text) about.append(inPieces("span", excerpt(text, places, query)));
  }
  const result = element("li", "search-result");
  result.append(link);
  if (maths) result.append(formula(maths));
  if (about.hasChildNodes()) result.append(about);
  return result;
}

/**
 * A formula as the browser itself typesets it. For assistive technology the name says enough.
 *
 * @param {string} mathml from the build
 */
function formula(mathml) {
  const place = element("span", "search-maths");
  place.ariaHidden = "true";
  place.innerHTML = mathml;
  const maths = place.querySelector("math");
  if (maths?.getAttribute("display")) {
    place.classList.add("search-displayed");
    maths.removeAttribute("display"); // it would stand in the middle
    maths.setAttribute("displaystyle", "true");
  }
  return place;
}

/**
 * @param {string} tag
 * @param {Piece[]} pieces
 */
function inPieces(tag, pieces) {
  const whole = element(tag, "");
  for (const { text, marked } of pieces) {
    if (text) whole.append(marked ? element("mark", "", text) : text);
  }
  return whole;
}

/**
 * @param {string} tag
 * @param {string} name its class, if any
 * @param {string} [text]
 */
function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}
