// What stands beneath a cell after a run: which equations fail, and which gradients.
import { inWords } from "./marks.js";

/**
 * @typedef {import("./verdicts.js").Verdicts} Verdicts
 * @typedef {import("./show-failure.js").Failure} Failure
 */

const SHOWN = 3; // failing equations; those after them mostly fail for the same reason

/**
 * @param {Verdicts} verdicts
 * @returns {HTMLElement[]}
 */
export function summary({ equations, gradients, failure, gradients_failure: broken }) {
  const all = Object.entries(equations);
  const failing = all.filter(([, verdict]) => !verdict.holds);
  const items = failing.map(([id, verdict]) => equationItem(id, verdict));
  /** @type {HTMLElement[]} */
  const parts = [title(all.length, failing.length), list(items.slice(0, SHOWN))];
  if (items.length > SHOWN) parts.push(folded(items.slice(SHOWN)));
  const others = gradients.map(gradientItem);
  if (failure) others.unshift(item(false, `The equations were not executed: ${raised(failure)}`));
  if (broken) others.push(item(false, `The gradients were not compared: ${raised(broken)}`));
  if (others.length) parts.push(list(others));
  return parts;
}

/**
 * @param {string} id
 * @param {import("./verdicts.js").Verdict} verdict
 */
function equationItem(id, verdict) {
  const link = document.createElement("a");
  link.href = `#${id}`;
  link.textContent = captionOf(id);
  const comparison = document.createElement("span");
  comparison.className = "comparison";
  comparison.textContent = inWords(verdict);
  return item(false, link, " ", comparison);
}

/** @param {import("./verdicts.js").Gradient} gradient */
function gradientItem({ name, error, holds }) {
  const code = document.createElement("code");
  code.textContent = name;
  const words = holds ? "agrees with differences" : "does not agree with differences";
  return item(holds, code, ` ${words}: largest relative error ${error}`);
}

/** @param {HTMLElement[]} items */
function list(items) {
  const element = document.createElement("ul");
  element.className = "findings";
  element.append(...items);
  return element;
}

/** @param {HTMLElement[]} items */
function folded(items) {
  const details = document.createElement("details");
  const more = document.createElement("summary");
  more.textContent = `${items.length} more, which may follow from these`;
  details.append(more, list(items));
  return details;
}

/**
 * @param {number} all
 * @param {number} failing
 */
function title(all, failing) {
  const text = document.createElement("p");
  text.className = "cell-result-title";
  const holding = all - failing;
  if (all === 0) text.textContent = "The page's equations, on your code";
  else if (failing === 0)
    text.textContent = `All ${all} equations of the page hold with your code.`;
  else {
    const fail = failing === 1 ? "equation fails" : "equations fail";
    text.textContent = `With your code ${failing} ${fail} and ${holding} of ${all} hold.`;
  }
  return text;
}

/**
 * @param {boolean} holds
 * @param {...(string | Node)} parts
 */
function item(holds, ...parts) {
  const element = document.createElement("li");
  element.dataset.holds = String(holds);
  const sign = document.createElement("strong");
  sign.textContent = holds ? "Holds " : "Fails ";
  element.append(sign, ...parts);
  return element;
}

/** @param {Failure} failure */
function raised({ kind, message, lines, place }) {
  const deepest = lines.at(-1);
  const at = deepest ? ` on line ${deepest.line}` : place ? ` in ${place}` : "";
  return `${kind}${at}: ${message}`;
}

/** @param {string} id of an equation */
function captionOf(id) {
  const caption = document.querySelector(`[id="${id}"] figcaption > span`)?.cloneNode(true);
  if (!(caption instanceof Element)) return id;
  for (const part of caption.querySelectorAll(".step, .anchor")) part.remove();
  return caption.textContent?.trim() || id;
}
