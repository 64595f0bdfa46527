// The card beside a symbol: how it is written, what it means, its shape. It is made from the
// symbol's row in the table, which assistive technology reads; the card is hidden from it.

const MARGIN = 8; // px between the card and the edges of the window
const GAP = 6; // px between the card and its symbol

export class SymbolCard {
  element = document.createElement("div");
  spoken = document.createElement("p");

  constructor() {
    this.element.className = "symbol-card";
    this.element.ariaHidden = "true";
    this.element.hidden = true;
    this.element.popover = "manual"; // so that it stands above the sheet of code, too
    this.spoken.className = "hidden";
    this.spoken.role = "status";
  }

  /** @param {Element | null} symbol what the card stands beside; null hides it */
  show(symbol) {
    const [name, meaning, , shape] = symbol ? cells(symbol) : [];
    this.element.hidden = !symbol || !name;
    this.element.togglePopover?.(false);
    if (!symbol || !name) return;
    this.element.replaceChildren(part("p", name), part("p", meaning), part("p", shape));
    this.element.togglePopover?.(true);
    this.#place(symbol.getClientRects()[0] ?? symbol.getBoundingClientRect());
  }

  /**
   * Announce once which symbol was pinned.
   *
   * @param {Element} symbol
   * @param {number} count how many places are lit
   */
  announce(symbol, count) {
    const [name, meaning, , shape] = cells(symbol);
    const texts = [nameIn(name), inWords(meaning), `Shape ${shape.textContent?.trim()}`];
    this.spoken.textContent = `${texts.join(". ")}. ${count} places on this page are marked.`;
  }

  /** @param {DOMRect} beside */
  #place(beside) {
    const { clientWidth, clientHeight } = document.documentElement;
    const { width, height } = this.element.getBoundingClientRect();
    const left = Math.max(MARGIN, Math.min(beside.left, clientWidth - width - MARGIN));
    const fits = beside.bottom + GAP + height + MARGIN <= clientHeight;
    const top = fits ? beside.bottom + GAP : Math.max(0, beside.top - GAP - height);
    this.element.style.left = `${left + scrollX}px`;
    this.element.style.top = `${top + scrollY}px`;
  }
}

/**
 * The cells of the first row about a symbol.
 *
 * @param {Element} symbol
 */
function cells(symbol) {
  const id = CSS.escape(symbol.getAttribute("data-symbol") ?? "");
  return [...(document.querySelector(`tr[data-symbol="${id}"]`)?.children ?? [])];
}

/**
 * The content of a cell, without controls, links and highlights.
 *
 * @param {string} tag
 * @param {Element} cell
 */
function part(tag, cell) {
  const copy = document.createElement(tag);
  copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
  for (const child of copy.querySelectorAll("[data-symbol]")) child.removeAttribute("data-symbol");
  for (const child of copy.querySelectorAll("[data-lit]")) child.removeAttribute("data-lit");
  for (const child of copy.querySelectorAll(".hidden, .pin, .anchor")) child.remove();
  for (const link of copy.querySelectorAll("a")) link.replaceWith(link.textContent);
  return copy;
}

/**
 * The spoken name of a symbol.
 *
 * @param {Element} cell the first of its row
 */
export function nameIn(cell) {
  return cell.querySelector(".hidden")?.textContent ?? "";
}

/**
 * The text of a cell with each formula, which KaTeX renders three times over, as LaTeX once.
 *
 * @param {Element} cell
 */
function inWords(cell) {
  const copy = /** @type {Element} */ (cell.cloneNode(true));
  for (const formula of copy.querySelectorAll(".katex")) {
    formula.replaceWith(formula.querySelector("annotation")?.textContent ?? "");
  }
  copy.querySelector(".anchor")?.remove();
  return copy.textContent?.trim() ?? "";
}
