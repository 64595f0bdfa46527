// Arrays as nested lists of texts: their shape, their rows, and longer and shorter ones.

/** @typedef {import("./program.js").Numbers} Numbers */
/** @typedef {Record<string, string[]>} Axes the dimensions of each input */

/**
 * @param {Numbers | string} numbers
 * @returns {number[]}
 */
export function shapeOf(numbers) {
  return Array.isArray(numbers) ? [numbers.length, ...shapeOf(numbers[0])] : [];
}

/**
 * The rows along the last axis.
 *
 * @param {Numbers} numbers
 * @returns {string[][]}
 */
export function rowsOf(numbers) {
  return shapeOf(numbers).length === 1
    ? [/** @type {string[]} */ (numbers)]
    : numbers.flatMap((part) => rowsOf(/** @type {Numbers} */ (part)));
}

/**
 * The reverse of `rowsOf`.
 *
 * @param {string[][]} rows
 * @param {number[]} shape
 * @returns {Numbers}
 */
export function nested(rows, [size, ...inner]) {
  if (inner.length === 0) return rows[0];
  const each = rows.length / size;
  const parts = Array.from({ length: size }, (_, at) => rows.slice(at * each, (at + 1) * each));
  return /** @type {Numbers} */ (parts.map((part) => nested(part, inner)));
}

/**
 * The names of the rows of an array; the build uses the same names.
 *
 * @param {number[]} shape
 */
export function rowNames(shape) {
  if (shape.length === 1) return [""];
  const tokens = shape.at(-2) ?? 1;
  const count = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, row) =>
    shape.length === 2 ? `t${row}` : `b${Math.floor(row / tokens)} t${row % tokens}`,
  );
}

/**
 * All inputs with a dimension, one longer (by a copy of the last entry) or one shorter along it.
 *
 * @param {Record<string, Numbers>} inputs
 * @param {Axes} axes
 * @param {string} symbol
 * @param {boolean} isLonger
 * @returns {Record<string, Numbers>}
 */
export function resized(inputs, axes, symbol, isLonger) {
  const having = Object.keys(inputs).filter((name) => axes[name]?.includes(symbol));
  return Object.fromEntries(
    having.map((name) => [name, resizedAt(inputs[name], axes[name].indexOf(symbol), isLonger)]),
  );
}

/**
 * @param {Numbers} numbers
 * @param {number} axis
 * @param {boolean} isLonger
 * @returns {Numbers}
 */
function resizedAt(numbers, axis, isLonger) {
  /** @type {any[]} */
  const parts = numbers;
  if (axis > 0) {
    return /** @type {Numbers} */ (parts.map((part) => resizedAt(part, axis - 1, isLonger)));
  }
  return isLonger ? [...parts, structuredClone(parts[parts.length - 1])] : parts.slice(0, -1);
}

/**
 * The length of a dimension.
 *
 * @param {Record<string, Numbers>} inputs
 * @param {Axes} axes
 * @param {string} symbol
 */
export function sizeOf(inputs, axes, symbol) {
  const name = Object.keys(axes).find((input) => axes[input].includes(symbol)) ?? "";
  return shapeOf(inputs[name])[axes[name].indexOf(symbol)];
}
