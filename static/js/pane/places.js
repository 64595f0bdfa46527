// Which lines of code an element of the text is about.

/**
 * Lines of a source page.
 *
 * @typedef {Object} Place
 * @property {string} page its address
 * @property {number} first
 * @property {number} last
 * @property {Element | null} [equation] which they compute
 * @property {boolean} [isWhole] whether the function that has them is meant, and no line of it
 */

export const CODE_LINK = 'a[href^="source/"]';
const ABOUT = "figure.equation, figure.listing, tr, .card";

/**
 * @param {Element} element
 * @returns {Place | null} what the element, or what it stands in, is about
 */
export function placeOf(element) {
  const link = element.closest(CODE_LINK);
  if (link) return { ...placeOfLink(link), equation: link.closest("figure.equation") };
  const about = element.closest(ABOUT);
  if (about?.matches("figure.equation")) return placeOfEquation(about);
  const first = about?.querySelector(CODE_LINK) ?? symbolLink(element);
  return first ? placeOfLink(first) : null;
}

/**
 * The lines from the first to the last that compute an equation, within the first one's page.
 *
 * @param {Element} equation
 * @returns {Place | null}
 */
function placeOfEquation(equation) {
  const places = [...equation.querySelectorAll(`.lines ${CODE_LINK}`)].map(placeOfLink);
  const [start] = places;
  if (!start) return null;
  const same = places.filter(({ page }) => page === start.page);
  const first = Math.min(...same.map((place) => place.first));
  const last = Math.max(...same.map((place) => place.last));
  return { page: start.page, first, last, equation };
}

/**
 * The link in a symbol's table row, preferably of a table in the same section as the element.
 *
 * @param {Element} element
 */
function symbolLink(element) {
  const symbol = element.closest("[data-symbol]")?.getAttribute("data-symbol");
  if (!symbol) return null;
  const rows = `tr[data-symbol="${CSS.escape(symbol)}"] ${CODE_LINK}`;
  const links = [...document.querySelectorAll(rows)];
  return links.find((link) => partOf(link) === partOf(element)) ?? links[0] ?? null;
}

/** @param {Element} element */
function partOf(element) {
  const before = (/** @type {Element} */ heading) =>
    heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [...document.querySelectorAll("h2")].filter(before).at(-1);
}

/**
 * The lines that a link names: its address has the first, and its text such as `ops.py:52-53` both.
 * A link with another text, such as a name, is about a function.
 *
 * @param {Element} link
 * @returns {Place}
 */
export function placeOfLink(link) {
  // Boxes of graphs are links, too, and theirs are of another kind: each is about a line.
  const { href } = new URL(link.getAttribute("href") ?? "", document.baseURI);
  const [page = "", fragment = ""] = href.split("#");
  const inAddress = /L(\d+)(?:-L?(\d+))?$/.exec(fragment);
  const inText = /^(?:.*:)?(\d+)(?:-(\d+))?$/.exec(link.textContent?.trim() ?? "");
  const first = Number(inAddress?.[1] ?? 1);
  const last = Number(inAddress?.[2] ?? inText?.[2] ?? first);
  return { page, first, last, isWhole: !inText && !(link instanceof SVGElement) };
}
