// The code around a line: a listing that the page has, or else part of a source page, fetched once.
import { CODE_LINK } from "./places.js";

/**
 * @typedef {import("./places.js").Place} Place
 *
 * A function, or what stands between two.
 *
 * @typedef {{ page: string, name: string, first: number, last: number, lines: Element[] }} Listing
 */

/** @type {Map<string, Promise<Listing[]>>} the listings of a source page, by its address */
const fetched = new Map();
/** @type {Listing[]} */
let own = [];

/** Remember the page's own listings, before an editor replaces one. */
export function rememberListings() {
  own = [...document.querySelectorAll("figure.listing")].flatMap((figure) => {
    const link = figure.querySelector(`figcaption ${CODE_LINK}`);
    const lines = [...figure.querySelectorAll(".line")];
    const name = figure.querySelector("figcaption code")?.textContent ?? "";
    return link instanceof HTMLAnchorElement ? [listing(link.href, name, lines)] : [];
  });
}

/**
 * @param {Place} place
 * @returns {Listing | undefined} the page's own listing of a whole function
 */
export function ownListing({ page, first }) {
  const whole = own.filter(({ lines }) => lines[0]?.closest("figure")?.id);
  return whole.find((one) => one.page === page && one.first <= first && first <= one.last);
}

/**
 * @param {Place} place
 * @returns {Promise<Listing>} rejects where the source page cannot be had
 */
export async function listingAt(place) {
  const found = ownListing(place);
  if (found) return found;
  let source = fetched.get(place.page);
  if (!source) {
    source = fetchListings(place.page);
    fetched.set(place.page, source);
    source.catch(() => fetched.delete(place.page));
  }
  const around = (await source).filter(
    ({ first, last }) => first <= place.first && place.first <= last,
  );
  const inner = around.sort((a, b) => a.last - a.first - (b.last - b.first))[0];
  if (!inner) throw new Error(`no line ${place.first}`);
  return { ...inner, lines: inner.lines.map((line) => ownLine(inner.page, line) ?? line) };
}

/**
 * All functions of a source page, and what stands between them.
 *
 * @param {string} page
 */
async function fetchListings(page) {
  const response = await fetch(page);
  if (!response.ok) throw new Error(`${response.status}`);
  const source = new DOMParser().parseFromString(await response.text(), "text/html");
  const lines = [...source.querySelectorAll(".listing .line")];
  for (const line of lines) adopt(line, page);
  const file = source.querySelector("h1")?.textContent ?? "";
  const functions = [...source.querySelectorAll(".outline a[data-last]")].map((link) => {
    const first = Number(link.getAttribute("href")?.match(/#L(\d+)/)?.[1]);
    const last = Number(link.getAttribute("data-last"));
    return listing(page, link.textContent ?? "", lines.slice(first - 1, last));
  });
  const inside = new Set(functions.flatMap((one) => one.lines));
  /** @type {Element[][]} */
  const between = [[]];
  for (const line of lines) {
    if (!inside.has(line)) between.at(-1)?.push(line);
    else if (between.at(-1)?.length) between.push([]);
  }
  const rest = between.filter((part) => part.length > 0).map((part) => listing(page, file, part));
  return [...functions, ...rest];
}

/**
 * Adapt a line of a source page, and its links, to this page.
 *
 * @param {Element} line
 * @param {string} page
 */
function adopt(line, page) {
  const here = withoutSuffix(location.href);
  const equations = [];
  for (const link of line.querySelectorAll(".equation-link")) {
    const [address = "", id = ""] = new URL(link.getAttribute("href") ?? "", page).href.split("#");
    if (withoutSuffix(address) === here && document.getElementById(id)) equations.push(id);
    link.remove();
  }
  if (equations.length > 0) line.setAttribute("data-equations", equations.join(" "));
  line.querySelector(".number")?.setAttribute("href", `${page}#L${numberOf(line)}`);
}

/** @param {string} address */
function withoutSuffix(address) {
  return address.split(/[?#]/)[0]?.replace(/\.html$/, "");
}

/**
 * @param {string} href
 * @param {string} name
 * @param {Element[]} lines
 * @returns {Listing}
 */
function listing(href, name, lines) {
  const [page = ""] = href.split("#");
  return { page, name, first: numberOf(lines[0]), last: numberOf(lines.at(-1)), lines };
}

/**
 * The same line in the page's own listing, if any, where it has symbols.
 *
 * @param {string} page
 * @param {Element} line
 */
function ownLine(page, line) {
  const number = numberOf(line);
  const holder = own.find((one) => one.page === page && one.first <= number && number <= one.last);
  return holder?.lines.find((other) => numberOf(other) === number);
}

/** @param {Element | undefined} line */
export function numberOf(line) {
  return Number(line?.querySelector(".number")?.textContent);
}
