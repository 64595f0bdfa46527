// The cells of an example: reading them, showing numbers in them, as many as there are.
import { parseNumber } from "./number-cells.js";
import { fit } from "./results.js";
import { nested, rowNames, rowsOf, shapeOf } from "./sizes.js";

/** @typedef {import("./program.js").Numbers} Numbers */

/**
 * The inputs as they stand in the cells, and how many cells hold no number; those say so.
 *
 * @param {Element} inputs
 * @param {Record<string, Numbers>} current
 */
export function readInputs(inputs, current) {
  /** @type {Record<string, Numbers>} */
  const changed = {};
  let wrong = 0;
  for (const [name, group] of groupsOf(inputs)) {
    const rows = [...group.rows].map((row) =>
      [...row.querySelectorAll("input")].map((cell) => {
        const number = parseNumber(cell.value);
        mark(cell, number === null);
        wrong += number === null ? 1 : 0;
        return number ?? "";
      }),
    );
    changed[name] = nested(rows, shapeOf(current[name]));
  }
  return { changed, wrong };
}

/**
 * Show numbers in the cells. A cell that already holds the same number keeps the text that was
 * typed; numbers that differ from the recorded ones are marked.
 *
 * @param {Element} inputs
 * @param {Record<string, Numbers>} current
 * @param {Record<string, Numbers>} recorded
 */
export function showInputs(inputs, current, recorded) {
  let widest = 0;
  for (const [name, group] of groupsOf(inputs)) {
    const rows = rowsOf(current[name]);
    widest = Math.max(widest, rows[0].length);
    const names = rowNames(shapeOf(current[name]));
    fitGroup(group, name, names, rows[0].length);
    const before = rowsOf(recorded[name]);
    const namesBefore = rowNames(shapeOf(recorded[name]));
    rows.forEach((numbers, at) => {
      const same = before[namesBefore.indexOf(names[at])] ?? [];
      group.rows[at].querySelectorAll("input").forEach((cell, index) => {
        if (parseNumber(cell.value) !== numbers[index]) cell.value = numbers[index];
        mark(cell, false);
        cell.toggleAttribute("data-edited", numbers[index] !== same[index]);
      });
    });
  }
  const head = inputs.querySelector("thead tr");
  if (!head) return;
  fit(head, widest + 2); // two columns of names come first
  [...head.querySelectorAll("th")].forEach((heading, index) => {
    heading.textContent = `i${index}`;
  });
}

/**
 * @param {Element} inputs
 * @returns {[string, HTMLTableSectionElement][]}
 */
function groupsOf(inputs) {
  /** @type {NodeListOf<HTMLTableSectionElement>} */
  const groups = inputs.querySelectorAll("tbody[data-input]");
  return [...groups].map((group) => [group.dataset.input ?? "", group]);
}

/**
 * Give an input as many rows and cells as it has numbers, each with its own accessible name.
 *
 * @param {HTMLTableSectionElement} group
 * @param {string} name
 * @param {string[]} rows
 * @param {number} width
 */
function fitGroup(group, name, rows, width) {
  const isFitting =
    group.rows.length === rows.length && group.rows[0].querySelectorAll("input").length === width;
  if (isFitting) return;
  fit(group, rows.length);
  rows.forEach((rowName, at) => {
    const row = group.rows[at];
    const heading = row.querySelector("[scope=rowgroup]");
    if (at > 0)
      heading?.remove(); // a copy of the first row has it too
    else if (heading instanceof HTMLTableCellElement) heading.rowSpan = rows.length;
    fit(row, width + (at === 0 ? 2 : 1));
    const rowHeading = row.querySelector("[scope=row]");
    if (rowHeading) rowHeading.textContent = rowName;
    row.querySelectorAll("input").forEach((cell, feature) => {
      nameCell(cell, name, rowName, feature);
    });
  });
}

/**
 * @param {HTMLInputElement} cell
 * @param {string} name
 * @param {string} row
 * @param {number} feature
 */
function nameCell(cell, name, row, feature) {
  const example = cell.closest("live-example")?.id ?? "";
  const note = [example, name, row.replace(" ", "-") || "t", feature].join("-");
  const parts = [name, row && `row ${row}`, `feature i${feature}`];
  cell.setAttribute("aria-label", parts.filter(Boolean).join(", "));
  cell.setAttribute("aria-describedby", note);
  if (cell.nextElementSibling) cell.nextElementSibling.id = note;
}

/**
 * Show or remove the note beside a cell that it does not hold a number.
 *
 * @param {HTMLInputElement} cell
 * @param {boolean} isWrong
 */
function mark(cell, isWrong) {
  const note = cell.nextElementSibling;
  if (!isWrong) {
    cell.removeAttribute("aria-invalid");
    if (note) note.textContent = "";
  } else {
    cell.setAttribute("aria-invalid", "true");
    if (note) note.textContent = cell.value.trim() === "" ? "empty" : "no number";
  }
}
