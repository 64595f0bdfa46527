// The code in the pane or the sheet: one function, with the relevant lines marked.
import { relight } from "../symbols.js";
import { listingAt, numberOf, ownListing } from "./listings.js";

/**
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./listings.js").Listing} Listing
 */

const MARGIN = 48; // px of code to see above and below the lines in question
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export class CodeView {
  element = make("div", "code-view");
  header = make("div", "code-view-header");
  #title = make("p", "code-view-title");
  #scroller = make("div", "code-view-lines");
  #code = make("code", "");
  /** @type {Listing | null} */
  #shown = null;
  /** @type {Place | null} the last that was asked for */
  #asked = null;

  constructor() {
    this.element.id = "code-view";
    this.#title.id = "code-view-title";
    this.#scroller.tabIndex = 0;
    this.#scroller.role = "group";
    this.#scroller.ariaLabel = "Code";
    this.header.append(this.#title);
    const pre = document.createElement("pre");
    pre.append(this.#code);
    this.#scroller.append(pre);
    this.element.append(this.header, this.#scroller);
  }

  /**
   * Show the function around a place; the last call wins.
   *
   * @param {Place} place
   */
  async show(place) {
    const asked = this.#asked;
    if (asked && isSame(asked, place)) return;
    this.#asked = place;
    if (!this.#shown) this.#title.replaceChildren(linkTo(place.page, place.first, place.last));
    try {
      const listing = ownListing(place) ?? (await listingAt(place));
      if (this.#asked !== place) return;
      const isOther = listing.page !== this.#shown?.page || listing.first !== this.#shown.first;
      if (isOther) this.#fill(listing);
      this.#mark(place, listing, isOther);
    } catch {
      if (this.#asked === place) this.#fail(place);
    }
  }

  /**
   * Move to a host, and forget what was shown, so that the next code is scrolled to at once.
   *
   * @param {Element} host
   */
  moveTo(host) {
    host.append(this.element);
    this.#shown = null;
    this.#asked = null;
  }

  /** Move the focus here, which also says what is shown. */
  focus() {
    this.#scroller.focus({ preventScroll: true });
  }

  /** @param {Listing} listing */
  #fill(listing) {
    this.#shown = listing;
    const { page, name, first, last } = listing;
    const link = linkTo(page, first, last);
    this.#title.replaceChildren(make("code", "", name), " ", link);
    this.#code.replaceChildren(
      ...listing.lines.map((line, at) => copyOf(line, listing.lines[at - 1])),
    );
    relight();
  }

  /**
   * @param {Place} place
   * @param {Listing} listing
   * @param {boolean} isOther
   */
  #mark(place, listing, isOther) {
    const isWhole = place.isWhole || (place.first <= listing.first && place.last >= listing.last);
    const marked = [];
    for (const line of this.#code.children) {
      const number = numberOf(line);
      const isMarked = !isWhole && place.first <= number && number <= place.last;
      line.toggleAttribute("data-current", isMarked);
      if (isMarked) marked.push(/** @type {HTMLElement} */ (line));
    }
    const lines = marked.length > 0 ? `, ${inWords(place)} marked` : "";
    this.#scroller.ariaLabel = `Code of ${listing.name}${lines}`;
    this.#scrollTo(marked, isOther);
  }

  /**
   * @param {HTMLElement[]} marked
   * @param {boolean} isOther
   */
  #scrollTo(marked, isOther) {
    const { scrollTop, clientHeight } = this.#scroller;
    const [first] = marked;
    const last = marked.at(-1);
    let top = scrollTop;
    if (first && last) {
      const start = first.offsetTop - MARGIN;
      const end = last.offsetTop + last.offsetHeight + MARGIN;
      if (isOther || start < scrollTop || end > scrollTop + clientHeight) {
        top = Math.min(start + MARGIN / 2, (start + end - clientHeight) / 2);
      }
    } else if (isOther) top = 0;
    const behavior = isOther || stillness.matches ? "instant" : "smooth";
    if (top !== scrollTop) this.#scroller.scrollTo({ top, behavior });
  }

  /** @param {Place} place */
  #fail({ page, first, last }) {
    this.#asked = null;
    this.#shown = null;
    this.#title.replaceChildren(linkTo(page, first, last));
    this.#code.replaceChildren(make("span", "code-view-failure", "This code could not be loaded."));
    this.#scroller.ariaLabel = "This code could not be loaded";
  }
}

/**
 * @param {Place} one
 * @param {Place} other
 */
function isSame(one, other) {
  const keys = /** @type {const} */ (["page", "first", "last", "isWhole"]);
  return keys.every((key) => one[key] === other[key]);
}

/** @param {Place} place */
function inWords({ first, last }) {
  return first === last ? `line ${first}` : `lines ${first} to ${last}`;
}

/**
 * @param {string} page
 * @param {number} first
 * @param {number} last
 */
function linkTo(page, first, last) {
  const file = page
    .split("/source/")
    .at(-1)
    ?.replace(/(\.html)?$/, ".py");
  const link = make("a", "", `${file}:${first === last ? first : `${first}-${last}`}`);
  link.setAttribute("href", `${page}#L${first}`);
  return link;
}

/**
 * A copy of a line, with a link to each equation whose computation begins in it.
 *
 * @param {Element} line
 * @param {Element | undefined} before the line above it
 */
function copyOf(line, before) {
  const copy = /** @type {HTMLElement} */ (document.importNode(line, true));
  for (const named of [copy, ...copy.querySelectorAll("[id]")]) named.removeAttribute("id");
  for (const name of ["data-failed", "data-in-range"]) copy.removeAttribute(name);
  if (copy.lastChild?.textContent === "\n") copy.lastChild.remove();
  const text = (copy.textContent ?? "").slice(copy.querySelector(".number")?.textContent?.length);
  copy.style.setProperty("--indent", String(text.search(/\S|$/)));
  const idsBefore = equationsOf(before);
  const ids = equationsOf(line).filter((id) => !idsBefore.includes(id));
  const links = ids.flatMap((id) => equationLink(id) ?? []);
  if (links.length > 0) {
    const holder = make("span", "to-equations");
    holder.append(...links);
    copy.querySelector(".number")?.after(holder);
  }
  return copy;
}

/** @param {Element | undefined} line */
function equationsOf(line) {
  return line?.getAttribute("data-equations")?.split(" ") ?? [];
}

/** @param {string} id */
function equationLink(id) {
  const caption = document.getElementById(id)?.querySelector("figcaption > span");
  if (!caption) return null;
  const words = /** @type {Element} */ (caption.cloneNode(true));
  for (const child of words.querySelectorAll("a")) child.remove();
  const link = make("a", "to-equation");
  link.setAttribute("href", `#${id}`);
  link.ariaLabel = `Equation: ${words.textContent?.trim()}`;
  link.title = words.textContent?.trim() ?? "";
  return link;
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 */
function make(tag, className, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}
