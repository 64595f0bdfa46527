// The error of central differences against their step, on two logarithmic axes.
import { scaleLog } from "../bundles/scales.js";
import { dot } from "./lollipops.js";
import { element, label, line, picture, table, WIDTH } from "./svg.js";
import { extent, flat } from "./values.js";

const HEIGHT = 262;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, WIDTH - 10, 50, HEIGHT - 40];

/**
 * @param {import("./svg.js").Values} values step, float64 and float32 (n,), used ()
 * @returns {import("./svg.js").Drawing}
 */
export function drawCurve(values) {
  const steps = flat(values.step);
  const series = { first: flat(values.float64), second: flat(values.float32) };
  const [used] = flat(values.used);
  const x = scaleLog(extent(steps), [LEFT + 6, RIGHT - 6]);
  const errors = [...series.first, ...series.second].filter((error) => error > 0);
  const y = scaleLog(errors.length ? extent(errors) : [1e-16, 1], [BOTTOM, TOP]).nice();
  const middle = (LEFT + RIGHT) / 2;
  const parts = [
    element("rect", {
      class: "panel",
      x: LEFT,
      y: TOP - 6,
      width: RIGHT - LEFT,
      height: BOTTOM - TOP + 12,
    }),
    ...decades(y, 5).map(
      (tick) =>
        line("grid", [LEFT, y(tick)], [RIGHT, y(tick)]) +
        label(LEFT - 5, y(tick) + 3.5, power(tick), { class: "tick end" }),
    ),
    ...decades(x, 6).map(
      (tick) =>
        line("tick-mark", [x(tick), BOTTOM + 6], [x(tick), BOTTOM + 10]) +
        label(x(tick), BOTTOM + 21, power(tick), { class: "tick middle" }),
    ),
    label(middle, HEIGHT - 4, "step h", { class: "tick middle" }),
    label(0, 12, "relative error", { class: "tick" }),
    line("used", [x(used), TOP - 6], [x(used), BOTTOM + 6]),
    label(x(used), TOP - 11, `h = ${power(used)}, used`, { class: "middle" }),
    ...Object.entries(series).map(([kind, numbers]) => curve(kind, steps, numbers, x, y)),
    ...key("first", "float64", 118),
    ...key("second", "float32", 196),
    label(LEFT, HEIGHT - 4, "← rounding", { class: "tick" }),
    label(RIGHT, HEIGHT - 4, "truncation →", { class: "tick end" }),
  ];
  const description =
    "Two curves on logarithmic axes, relative error against step: float64 and, higher up, float32." +
    " Each falls with the step as long as truncation rules and rises again where rounding does." +
    " The step that the code uses is marked. The table holds the numbers.";
  return {
    svg: picture(WIDTH, HEIGHT, description, parts),
    table: table(
      "Relative error of central differences",
      ["Step h", "float64", "float32"],
      values.step.texts.map((step, index) => [
        step,
        values.float64.texts[index],
        values.float32.texts[index],
      ]),
    ),
  };
}

/**
 * A line through the points, broken where an error is 0 or no number, and a dot at each.
 *
 * @param {string} kind
 * @param {number[]} steps
 * @param {number[]} errors
 * @param {(step: number) => number} x
 * @param {(error: number) => number} y
 */
function curve(kind, steps, errors, x, y) {
  let path = "";
  let isOn = false;
  const dots = errors.map((error, index) => {
    const isDrawn = error > 0 && Number.isFinite(error);
    if (isDrawn) path += `${isOn ? "L" : "M"}${x(steps[index]).toFixed(1)} ${y(error).toFixed(1)}`;
    isOn = isDrawn;
    return isDrawn ? dot(kind, x(steps[index]), y(error)) : "";
  });
  return element("path", { class: `curve ${kind}`, d: path }) + dots.join("");
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {number} x
 */
function key(kind, name, x) {
  const path = element("path", { class: `curve ${kind}`, d: `M${x} 8L${x + 20} 8` });
  return [path, dot(kind, x + 10, 8), label(x + 25, 12, name)];
}

/**
 * At most `count` or so of the powers of ten on a scale, evenly spaced.
 *
 * @param {import("d3-scale").ScaleLogarithmic<number, number>} scale
 * @param {number} count
 */
function decades(scale, count) {
  const [low, high] = scale.domain().map((end) => Math.round(Math.log10(end)));
  const every = Math.max(1, Math.ceil((high - low) / count));
  const exponents = [];
  for (let exponent = high; exponent >= low; exponent -= every) exponents.push(exponent);
  return exponents.map((exponent) => Number(`1e${exponent}`));
}

/** @param {number} number */
const power = (number) => number.toExponential().replace("e+", "e");
