// Code beside the text: a pane where there is room, else a sheet.
import { isBeside, isOn, room } from "./beside.js";
import { CodeView } from "./code-view.js";
import { follow } from "./follow.js";
import { rememberListings } from "./listings.js";
import { placeOf } from "./places.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("./places.js").Place} Place */

const root = document.documentElement;
const view = new CodeView();
const sheet = new Sheet(view);
const pane = document.createElement("aside");
/** @type {Element | null} what shows the equation that the code is about */
let current = null;
/** @type {HTMLElement | null} */
const toggle = document.querySelector(".pane-toggle");
let read = () => {};
/** @type {HTMLElement | null} the button that moved the focus into the pane */
let opener = null;

begin(/** @type {Element} */ (document.querySelector("main")));

/** @param {Element} main */
function begin(main) {
  rememberListings();
  pane.className = "code-pane";
  pane.setAttribute("aria-labelledby", "code-view-title");
  main.after(pane);
  document.body.append(sheet.element);
  view.moveTo(sheet.element); // what buttons control must be on the page, also before it is shown
  view.header.append(
    button("code-back", "Back to the text", "", leave),
    button("code-close", "Close the code", "×", close),
  );
  for (const one of main.querySelectorAll(".show-code")) {
    one.setAttribute("aria-controls", view.element.id);
  }
  read = follow(main, (place) => {
    // While keyboard focus is in the pane, it does not follow the text.
    if (isBeside() && !pane.querySelector(":focus-visible")) show(place);
  });
  room.addEventListener("change", arrange);
  pane.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") leave();
  });
  sheet.element.addEventListener("close", () => {
    if (!isBeside()) mark(null);
  });
  arrange();
}

/** Move the code to the pane or the sheet, whichever applies now. */
function arrange() {
  if (room.matches) sheet.close();
  if (toggle) toggle.ariaPressed = String(isOn());
  if (!isBeside()) return mark(null);
  view.moveTo(pane);
  read();
}

/** @param {HTMLElement} control that was pressed */
export function press(control) {
  if (control === toggle) turn(!isOn());
  else open(control);
}

/** @param {Place} place */
function show(place) {
  mark(place.equation ?? null);
  return view.show(place);
}

/** @param {Element | null} equation */
function mark(equation) {
  current?.removeAttribute("data-current");
  current = equation;
  current?.setAttribute("data-current", "");
}

/** @param {HTMLElement} from */
async function open(from) {
  const place = placeOf(from);
  if (!place) return;
  opener = from;
  if (!isBeside()) {
    mark(place.equation ?? null);
    return sheet.open(place, from.closest("figure, tr") ?? from);
  }
  await show(place);
  view.focus();
}

/** Go back from the pane to where the reader came from. */
function leave() {
  opener?.focus();
  opener = null;
}

function close() {
  if (sheet.isOpen) return sheet.close();
  turn(false);
  toggle?.focus();
}

/** @param {boolean} on */
function turn(on) {
  if (on) delete root.dataset.codePane;
  else root.dataset.codePane = "off";
  try {
    if (on) localStorage.removeItem("code-pane");
    else localStorage.setItem("code-pane", "off");
  } catch {
    // No storage here: the choice lasts as long as the page.
  }
  arrange();
}

/**
 * @param {string} className
 * @param {string} label
 * @param {string} text
 * @param {() => void} act
 */
function button(className, label, text, act) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = text || label;
  if (text) element.ariaLabel = label;
  element.addEventListener("click", act);
  return element;
}
