// A panel with a dot for each number, each on a stem from a common base.
import { scaleLinear, scalePoint } from "../bundles/scales.js";
import { element, label, line } from "./svg.js";
import { extent } from "./values.js";

const RADIUS = 3.6;
const LABELLED = 22; // units that the name of a feature needs

/**
 * @typedef {Object} Panel
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number[]} numbers
 * @property {number} base where the stems begin
 * @property {[number, number] | null} band a range to shade
 * @property {string} kind class of the dots: each kind has a shape of its own
 */

/**
 * A scale for numbers that hold for several panels, from `bottom` up to `top`.
 *
 * @param {number[]} numbers
 * @param {[number, number]} range
 */
export function commonScale(numbers, range) {
  const [least, greatest] = extent([0, ...numbers]);
  const margin = least === greatest ? 1 : 0;
  return scaleLinear([least - margin, greatest + margin], range).nice(4);
}

/**
 * @param {Panel} panel
 * @param {import("d3-scale").ScaleLinear<number, number>} scale
 */
export function lollipops({ x, y, width, height, numbers, base, band, kind }, scale) {
  const names = numbers.map((_, index) => String(index));
  const across = scalePoint(names, [x, x + width]).padding(0.6);
  const at = (/** @type {number} */ index) => across(String(index)) ?? x;
  const step = Math.ceil(LABELLED / Math.max(across.step(), 1));
  const parts = [element("rect", { class: "panel", x, y, width, height })];
  if (band?.every(Number.isFinite)) {
    const [low, high] = [scale(band[0]), scale(band[1])];
    parts.push(element("rect", { class: "band", x, y: high, width, height: low - high }));
  }
  if (Number.isFinite(base)) {
    parts.push(line("base", [x, scale(base)], [x + width, scale(base)]));
  }
  numbers.forEach((number, index) => {
    if (index % step === 0) {
      parts.push(label(at(index), y + height + 12, `i${index}`, { class: "tick middle" }));
    }
    if (!Number.isFinite(number)) return;
    const from = Number.isFinite(base) ? base : 0;
    parts.push(line(`stem ${kind}`, [at(index), scale(from)], [at(index), scale(number)]));
    parts.push(dot(kind, at(index), scale(number)));
  });
  return parts.join("");
}

/**
 * A mark whose shape says what it is, beside its colour.
 *
 * @param {string} kind
 * @param {number} cx
 * @param {number} cy
 */
export function dot(kind, cx, cy) {
  if (kind === "second") {
    const r = RADIUS * 0.9;
    return element("rect", { class: kind, x: cx - r, y: cy - r, width: 2 * r, height: 2 * r });
  }
  if (kind === "third") {
    const r = RADIUS * 1.3;
    const points = `${cx},${cy - r} ${cx + r},${cy} ${cx},${cy + r} ${cx - r},${cy}`;
    return element("polygon", { class: kind, points });
  }
  return element("circle", { class: kind, cx, cy, r: RADIUS });
}

/**
 * The numbers at the left of a row of panels, and a thin line at each through all of them.
 *
 * @param {import("d3-scale").ScaleLinear<number, number>} scale
 * @param {number} left
 * @param {number} right
 */
export function valueAxis(scale, left, right) {
  const format = scale.tickFormat(4);
  return scale
    .ticks(4)
    .map(
      (tick) =>
        line("grid", [left, scale(tick)], [right, scale(tick)]) +
        label(left - 5, scale(tick) + 3.5, format(tick), { class: "tick end" }),
    )
    .join("");
}
