// Copies equations as LaTeX, MathML or NumPy, and code without its line numbers.
import { writeText } from "./clipboard.js";

const SHOWN = 2000; // ms for which a button says that it has copied

const spoken = document.createElement("p");
spoken.className = "hidden";
spoken.role = "status";

/** Puts a button at each equation and each listing of the page. */
export function offerCopies() {
  const equations = document.querySelectorAll("figure.equation");
  const listings = document.querySelectorAll(".listing:has(.line)");
  if (equations.length + listings.length === 0) return;
  document.body.append(spoken);
  for (const equation of equations) offerEquation(/** @type {HTMLElement} */ (equation));
  for (const listing of listings) offerListing(listing);
  document.addEventListener("click", ({ target }) => closeAll(target));
  document.addEventListener("focusin", ({ target }) => closeAll(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const open = document.querySelector('.copy [aria-expanded="true"]');
    closeAll(null);
    if (open instanceof HTMLElement) open.focus();
  });
}

/** @param {HTMLElement} equation */
function offerEquation(equation) {
  const place = document.createElement("span");
  const button = copyButton("this equation");
  const choices = document.createElement("span");
  place.className = "copy";
  choices.className = "copy-choices";
  choices.role = "group";
  choices.ariaLabel = "Copy as";
  choices.hidden = true;
  button.ariaExpanded = "false";
  button.addEventListener("click", () => {
    // Made when first asked for: a page has many equations, and few are copied.
    if (!choices.hasChildNodes()) choices.append(...choicesOf(equation, button));
    choices.hidden = !choices.hidden;
    button.ariaExpanded = String(!choices.hidden);
  });
  place.append(button, choices);
  const verdict = equation.querySelector(":scope > .verdict");
  if (verdict) verdict.before(place);
  else equation.append(place);
}

/**
 * A button for each form of an equation.
 *
 * @param {HTMLElement} equation
 * @param {HTMLButtonElement} button the one that opens them
 */
function choicesOf(equation, button) {
  return forms(equation).map(([name, text]) => {
    const choice = document.createElement("button");
    choice.type = "button";
    choice.textContent = name;
    choice.addEventListener("click", async () => {
      closeAll(null);
      button.focus();
      await copy(text, button, `Copied as ${name}.`);
    });
    return choice;
  });
}

/**
 * The forms of an equation: its author's LaTeX, the MathML made from it, and the lines that compute
 * it.
 *
 * @param {HTMLElement} equation
 * @returns {[string, string][]}
 */
function forms(equation) {
  const mathml = equation.querySelector(".maths math");
  const latex = mathml?.querySelector("annotation")?.textContent ?? "";
  const code = equation.dataset.code ?? "";
  /** @type {[string, string][]} */
  const all = [
    ["LaTeX", latex],
    ["MathML", mathml ? new XMLSerializer().serializeToString(mathml) : ""],
    ["NumPy", code],
  ];
  return all.filter(([, text]) => text);
}

/** @param {Element} listing */
function offerListing(listing) {
  const place = listing.querySelector("figcaption") ?? listing.previousElementSibling;
  const button = copyButton("this code");
  button.addEventListener("click", () => copy(codeOf(listing), button, "Copied."));
  const span = document.createElement("span");
  span.className = "copy";
  span.append(button);
  place?.append(span);
}

/**
 * The code of a listing as in its file, or as edited by the reader.
 *
 * @param {Element} listing
 */
function codeOf(listing) {
  const owner = listing.closest("code-cell, code-exercise");
  const edited = owner?.querySelector(".listing") === listing && "text" in owner && owner.text;
  if (typeof edited === "string") return edited;
  return [...listing.querySelectorAll(".line")].map(lineOf).join("\n");
}

/** @param {Element} line */
function lineOf(line) {
  const parts = [...line.childNodes].filter(
    (node) => !(node instanceof Element && node.matches(".number, .equation-link")),
  );
  const text = parts.map((node) => node.textContent).join("");
  return text.replace(/\n$/, "");
}

/** @param {string} what */
function copyButton(what) {
  const button = document.createElement("button");
  const more = document.createElement("span");
  button.type = "button";
  more.className = "hidden";
  more.textContent = ` ${what}`;
  button.append("Copy", more);
  return button;
}

/**
 * @param {string} text
 * @param {HTMLButtonElement} button
 * @param {string} done
 */
async function copy(text, button, done) {
  spoken.textContent = "";
  if (!(await writeText(text))) return;
  spoken.textContent = done;
  button.toggleAttribute("data-copied", true);
  setTimeout(() => button.removeAttribute("data-copied"), SHOWN);
}

/** Close the choices that are open, but those that an element is in. @param {EventTarget | null} target */
function closeAll(target) {
  for (const button of document.querySelectorAll('.copy [aria-expanded="true"]')) {
    const place = button.parentElement;
    if (target instanceof Node && place?.contains(target)) continue;
    button.setAttribute("aria-expanded", "false");
    const choices = place?.querySelector(".copy-choices");
    if (choices instanceof HTMLElement) choices.hidden = true;
  }
}
