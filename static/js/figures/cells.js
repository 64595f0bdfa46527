// Numbers in a grid of cells, shaded by size: one colour for positive, another for negative.
import { scaleLinear } from "../bundles/scales.js";
import { element, label } from "./svg.js";
import { brief } from "./values.js";

export const CELL_HEIGHT = 24;
const MARGIN = 1;

/**
 * How strongly a number is shaded, by its share of the largest.
 *
 * @param {number[]} numbers
 */
export function shade(numbers) {
  const sizes = numbers.filter(Number.isFinite).map(Math.abs);
  return scaleLinear([0, Math.max(...sizes, Number.MIN_VALUE)], [0, 0.4]).clamp(true);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} number
 * @param {(size: number) => number} strength
 * @param {boolean} isMarked whether to draw a frame and a corner
 */
export function cell(x, y, width, number, strength, isMarked = false) {
  const sign = number < 0 ? "negative" : "positive";
  const box = {
    x: x + MARGIN,
    y: y + MARGIN,
    width: width - 2 * MARGIN,
    height: CELL_HEIGHT - 2 * MARGIN,
  };
  const opacity = Number.isFinite(number) ? strength(Math.abs(number)).toFixed(2) : "0";
  const parts = [element("rect", { class: `cell ${sign}`, ...box, "fill-opacity": opacity })];
  if (isMarked) {
    const [right, top] = [x + width - MARGIN, y + MARGIN];
    const points = `${right - 7},${top} ${right},${top} ${right},${top + 7}`;
    parts.push(element("rect", { class: "frame", ...box }));
    parts.push(element("polygon", { class: "corner", points }));
  }
  parts.push(label(x + width / 2, y + CELL_HEIGHT / 2 + 3.5, brief(number), { class: "middle" }));
  return parts.join("");
}
