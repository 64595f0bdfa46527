// Code beside the text: a pane where there is room, else a sheet that a button opens.
import { CodeView } from "./code-view.js";
import { follow } from "./follow.js";
import { rememberListings } from "./listings.js";
import { placeOf } from "./places.js";
import { Sheet } from "./sheet.js";

/** @typedef {import("./places.js").Place} Place */

// As in static/pane.css.
const room = matchMedia(
  "screen and (scripting: enabled) and (width >= 80rem) and (height >= 30rem)",
);
const root = document.documentElement;
const view = new CodeView();
const sheet = new Sheet(view);
const pane = document.createElement("aside");
/** @type {Element | null} what shows the equation that the code is about */
let current = null;
/** @type {HTMLElement | null} the button that moved the focus into the pane */
let opener = null;

const main = document.querySelector(".with-pane main");
if (main) begin(main);

/** @param {Element} main */
function begin(main) {
  rememberListings();
  pane.className = "code-pane";
  pane.setAttribute("aria-labelledby", "code-view-title");
  main.after(pane);
  document.body.append(sheet.element);
  view.header.append(
    button("code-back", "Back to the text", "", leave),
    button("code-close", "Close the code", "×", close),
  );
  for (const one of document.querySelectorAll(".show-code")) {
    one.setAttribute("aria-controls", view.element.id);
    one.addEventListener("click", () => open(/** @type {HTMLElement} */ (one)));
    const link = one.parentElement?.querySelector("a")?.textContent;
    if (link) one.ariaLabel = `Show code at ${link}`;
  }
  const read = follow(main, (place) => {
    // Who is in the pane by keyboard has it for as long as the focus is there.
    if (isBeside() && !pane.querySelector(":focus-visible")) show(place);
  });
  const arrange = () => {
    if (room.matches) sheet.close();
    if (isBeside()) pane.append(view.element);
    const toggle = document.querySelector(".pane-toggle");
    if (toggle) toggle.ariaPressed = String(isOn());
    if (isBeside()) read();
  };
  document.querySelector(".pane-toggle")?.addEventListener("click", () => turn(!isOn()));
  document.addEventListener("code-pane", arrange);
  room.addEventListener("change", arrange);
  pane.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") leave();
  });
  sheet.element.addEventListener("close", () => mark(null));
  arrange();
}

function isOn() {
  return root.dataset.codePane !== "off";
}

function isBeside() {
  return room.matches && isOn();
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
  /** @type {HTMLElement | null} */ (document.querySelector(".pane-toggle"))?.focus();
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
  document.dispatchEvent(new Event("code-pane"));
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
