// Recorded arrays as numbers, by rows, and numbers as short texts.

/** @typedef {import("./svg.js").Value} Value */

/** @type {Record<string, number>} */
const WORDS = { inf: Number.POSITIVE_INFINITY, "-inf": Number.NEGATIVE_INFINITY, nan: Number.NaN };

/**
 * The numbers of an array in one list, as Python's `repr` wrote them.
 *
 * @param {Value} value
 */
export function flat(value) {
  return value.numbers.map((text) => WORDS[text] ?? Number(text));
}

/**
 * The rows of a list along the array's last axis.
 *
 * @template T
 * @param {T[]} items
 * @param {number} size
 */
export function rowsOf(items, size) {
  const rows = [];
  for (let start = 0; start < items.length; start += size) {
    rows.push(items.slice(start, start + size));
  }
  return rows;
}

/**
 * The size of the last axis.
 *
 * @param {Value} value
 */
export const features = ({ shape }) => shape.at(-1) ?? 1;

/**
 * The name of an entry of an array: `i2` in a vector, `t1 i2` in a matrix, `b0 t1 i2` in a block.
 *
 * @param {number[]} shape
 * @param {number} offset in the flattened array
 */
export function entryName(shape, offset) {
  const letters = ["b", "t", "i"].slice(-shape.length);
  const parts = [];
  let rest = offset;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    parts.unshift(`${letters[axis] ?? "n"}${rest % shape[axis]}`);
    rest = Math.floor(rest / shape[axis]);
  }
  return parts.join(" ");
}

/**
 * The least and the greatest of the numbers that are finite; [-1, 1] if none is.
 *
 * @param {number[]} numbers
 * @returns {[number, number]}
 */
export function extent(numbers) {
  const finite = numbers.filter(Number.isFinite);
  return finite.length ? [Math.min(...finite), Math.max(...finite)] : [-1, 1];
}

/**
 * Two or three significant digits, for a cell too narrow for four decimals.
 *
 * @param {number} number
 */
export function brief(number) {
  const magnitude = Math.abs(number);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  if (number === 0) return "0";
  if (magnitude < 5e-3 || magnitude >= 1e4) {
    return number.toExponential(0).replace("e+", "e");
  }
  return String(Number(number.toPrecision(magnitude < 0.1 ? 2 : 3)));
}
