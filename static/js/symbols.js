// A symbol is the same in formulas, code, tables and values. Pointing at one highlights every other
// occurrence and shows its row of the symbol table; equations and their lines of code do the same.
import { nameIn, SymbolCard } from "./symbol-card.js";

const WAIT = 150; // ms before the card appears or goes, so that it does not flicker on the way
const CONTROL = "a, button, input, summary, [contenteditable]";

const card = new SymbolCard();
/** @type {Element | null} what was pinned, by a tap, a click or the keyboard */
let pinned = null;
/** @type {number | undefined} */
let timer;
/** @type {[symbol: Element | null, element: Element | null]} what is lit now */
let shown = [null, null];

/** Adds the listeners, and a button over each symbol that begins a table row. */
export function linkSymbols() {
  if (!document.querySelector("[data-symbol], [data-equations]")) return;
  for (const head of document.querySelectorAll("tr[data-symbol] > th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pin";
    button.ariaPressed = "false";
    button.ariaLabel = `Mark ${nameIn(head)} on this page`;
    head.append(button);
  }
  document.body.append(card.element, card.spoken);
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "touch") point(target);
  });
  document.addEventListener("focusin", ({ target }) => point(target));
  document.addEventListener("focusout", () => point(null));
  document.addEventListener("click", ({ target }) => click(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") unpin();
  });
}

/** @param {EventTarget | null} target */
function point(target) {
  if (pinned) return;
  const element = target instanceof Element ? target : null;
  clearTimeout(timer);
  if (element && card.element.contains(element)) return;
  const symbol = element?.closest("[data-symbol]") ?? null;
  light(symbol, element);
  timer = setTimeout(() => card.show(hasCard(element) ? symbol : null), WAIT);
}

/** @param {EventTarget | null} target */
function click(target) {
  if (!(target instanceof Element) || card.element.contains(target)) return;
  if (getSelection()?.isCollapsed === false) return;
  const button = target.closest(".pin");
  const symbol = button || !target.closest(CONTROL) ? target.closest("[data-symbol]") : null;
  const wasPinned = pinned;
  unpin();
  if (!symbol) light(null, target); // a finger cannot hover
  if (!symbol || symbol === wasPinned) return;
  pinned = symbol;
  light(symbol, target);
  if (hasCard(target)) card.show(symbol);
  if (button) {
    button.ariaPressed = "true";
    card.announce(symbol, document.querySelectorAll("main [data-lit]").length);
  }
}

function unpin() {
  clearTimeout(timer);
  document.querySelector('.pin[aria-pressed="true"]')?.setAttribute("aria-pressed", "false");
  pinned = null;
  card.show(null);
  card.spoken.textContent = "";
  light(null, null);
}

/** Highlight elements that were added to the page since, too. */
export function relight() {
  light(...shown);
}

/**
 * No card in the table, whose rows say the same, nor over an input that is being edited.
 *
 * @param {Element | null} element
 */
function hasCard(element) {
  return !element?.closest(`tr[data-symbol], ${CONTROL}`);
}

/**
 * Highlight every occurrence of a symbol, and the lines or equations that belong to an element.
 *
 * @param {Element | null} symbol
 * @param {Element | null} element
 */
function light(symbol, element) {
  shown = [symbol, element];
  const lit = new Set([...places(symbol), ...lines(element), ...equations(element)]);
  for (const before of document.querySelectorAll("[data-lit]")) {
    if (!lit.has(before)) before.removeAttribute("data-lit");
  }
  for (const one of lit) one.setAttribute("data-lit", "");
}

/** @param {Element | null} symbol */
function places(symbol) {
  const id = symbol?.getAttribute("data-symbol");
  return id ? document.querySelectorAll(`[data-symbol="${CSS.escape(id)}"]`) : [];
}

/** @param {Element | null} element */
function lines(element) {
  const equation = element?.closest("figure.equation");
  return equation
    ? document.querySelectorAll(`.line[data-equations~="${CSS.escape(equation.id)}"]`)
    : [];
}

/** @param {Element | null} element */
function equations(element) {
  const ids = element?.closest("[data-equations]")?.getAttribute("data-equations")?.split(" ");
  return (ids ?? []).flatMap((id) => document.getElementById(id) ?? []);
}
