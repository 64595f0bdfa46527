// Numbers that travel in the address of an example: `#ex-row=X:1,2;3,4&gamma:1,1`. They are those
// that a reader may edit and that differ from the recorded ones; what they do not fit, they leave.
import { parseNumber } from "./number-cells.js";
import { resized, rowsOf, shapeOf, sizeOf } from "./sizes.js";

/** @typedef {import("./program.js").Numbers} Numbers */
/** @typedef {Record<string, Numbers>} Inputs */

const BETWEEN = ["!", ";", ","]; // blocks, rows, numbers
const LONGEST = 20_000; // letters

/**
 * @param {string} example its id
 * @param {string} run
 * @param {Inputs} inputs
 * @param {Inputs} recorded
 */
export function linkWith(example, run, inputs, recorded) {
  const changed = [...mayChange(run).editable].filter((name) =>
    isChanged(inputs[name], recorded[name]),
  );
  const parts = changed.map((name) => `${encodeURIComponent(name)}:${written(inputs[name])}`);
  return `${location.href.split("#")[0]}#${example}=${parts.join("&")}`;
}

/**
 * What the page's address says after the id of an example and `=`, or null.
 *
 * @param {string} example
 */
export function numbersInAddress(example) {
  const start = `#${example}=`;
  return location.hash.startsWith(start) ? location.hash.slice(start.length) : null;
}

/**
 * All inputs of a run with the numbers of a link, or null where these do not fit.
 *
 * @param {string} text
 * @param {string} run
 * @param {Inputs} recorded
 * @returns {Inputs | null}
 */
export function inputsOfLink(text, run, recorded) {
  const { axes, most, editable } = mayChange(run);
  const found = text.length > LONGEST ? null : read(text, recorded);
  if (!found || Object.keys(found).some((name) => !editable.has(name))) return null;
  let inputs = recorded;
  for (const [symbol, longest] of Object.entries(most)) {
    const name = Object.keys(found).find((input) => axes[input]?.includes(symbol));
    if (name === undefined) continue;
    const size = shapeOf(found[name])[axes[name].indexOf(symbol)];
    if (size > longest) return null;
    while (sizeOf(inputs, axes, symbol) !== size) {
      const isLonger = sizeOf(inputs, axes, symbol) < size;
      inputs = { ...inputs, ...resized(inputs, axes, symbol, isLonger) };
    }
  }
  const isFitting = [...editable].every((name) => {
    const numbers = found[name] ?? recorded[name]; // of what was resized, the link has the numbers
    return `${shapeOf(numbers)}` === `${shapeOf(inputs[name])}` && isEven(numbers);
  });
  return isFitting ? { ...inputs, ...found } : null;
}

/**
 * @param {Numbers | Inputs} numbers
 * @param {Numbers | Inputs} recorded
 */
export function isChanged(numbers, recorded) {
  return JSON.stringify(numbers) !== JSON.stringify(recorded);
}

/**
 * What the examples of a run let a reader edit, and how long its dimensions may become.
 *
 * @param {string} run
 */
function mayChange(run) {
  /** @type {import("./sizes.js").Axes} */
  const axes = {};
  /** @type {Record<string, number>} */
  const most = {};
  /** @type {Set<string>} */
  const editable = new Set();
  /** @type {NodeListOf<HTMLElement>} */
  const examples = document.querySelectorAll(`live-example[data-run="${CSS.escape(run)}"]`);
  for (const example of examples) {
    Object.assign(axes, JSON.parse(example.dataset.axes ?? "{}"));
    for (const part of example.querySelectorAll("[data-input], .resize")) {
      const { input, axis } = /** @type {HTMLElement} */ (part).dataset;
      if (input) editable.add(input);
      if (axis) most[axis] = Number(/** @type {HTMLElement} */ (part).dataset.most);
    }
  }
  return { axes, most, editable };
}

/**
 * @param {string} text
 * @param {Inputs} recorded
 * @returns {Inputs | null} null where it is not written as such links are
 */
function read(text, recorded) {
  try {
    /** @type {[string, Numbers][]} */
    const entries = decodeURIComponent(text)
      .split("&")
      .map((part) => {
        const [, name, numbers] = /** @type {RegExpExecArray} */ (/^(.+?):(.+)$/.exec(part));
        const depth = shapeOf(recorded[name]).length;
        return [name, /** @type {Numbers} */ (cut(numbers, BETWEEN.slice(-depth)))];
      });
    return Object.fromEntries(entries);
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @param {string[]} between
 * @returns {any} nested lists of texts
 */
function cut(text, [first, ...inner]) {
  if (first !== undefined) return text.split(first).map((part) => cut(part, inner));
  const number = parseNumber(text);
  if (number === null) throw new TypeError(`${text} is no number`);
  return number;
}

/** @param {Numbers} numbers */
function written(numbers) {
  const between = BETWEEN.slice(-shapeOf(numbers).length);
  /** @type {(part: any, at: number) => string} */
  const joined = (part, at) =>
    at === between.length
      ? part
      : part.map((/** @type {any} */ inner) => joined(inner, at + 1)).join(between[at]);
  return joined(numbers, 0);
}

/**
 * Whether all rows are of one length, and all blocks, too.
 *
 * @param {Numbers} numbers
 */
function isEven(numbers) {
  const count = shapeOf(numbers).reduce((product, size) => product * size, 1);
  const rows = rowsOf(numbers);
  return rows.every((row) => row.length === rows[0].length) && rows.flat().length === count;
}
