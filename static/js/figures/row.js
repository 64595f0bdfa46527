// Rows before and after the layer norm: deviations from the mean, then from 0, then the output.
import { commonScale, lollipops, valueAxis } from "./lollipops.js";
import { label, picture, table, WIDTH } from "./svg.js";
import { entryName, features, flat, rowsOf } from "./values.js";

const LEFT = 44;
const TOP = 20;
const GAP = 8;
const HEIGHT = 118;
const PITCH = HEIGHT + 34;

/**
 * @param {import("./svg.js").Values} values X, mean, variance, Xhat and Y
 * @returns {import("./svg.js").Drawing}
 */
export function drawRow(values) {
  const size = features(values.X);
  const [X, Xhat, Y] = [values.X, values.Xhat, values.Y].map((v) => rowsOf(flat(v), size));
  const means = flat(values.mean);
  const deviations = flat(values.variance).map(Math.sqrt);
  const limits = means.flatMap((mean, t) => [mean - deviations[t], mean + deviations[t]]);
  const all = [...X.flat(), ...Xhat.flat(), ...Y.flat(), ...limits, -1, 1];
  const width = (WIDTH - LEFT - 2 * GAP) / 3;
  const parts = ["X", "Xhat", "Y"].map((name, index) =>
    label(LEFT + index * (width + GAP) + width / 2, 12, name, { class: "name middle" }),
  );
  X.forEach((row, t) => {
    const y = TOP + t * PITCH;
    const scale = commonScale(all, [y + HEIGHT - 6, y + 6]);
    const place = (/** @type {number} */ index) => ({
      x: LEFT + index * (width + GAP),
      y,
      width,
      height: HEIGHT,
    });
    parts.push(valueAxis(scale, LEFT, WIDTH));
    if (X.length > 1) parts.push(label(2, y + HEIGHT + 12, `t${t}`, { class: "tick" }));
    const [mean, deviation] = [means[t], deviations[t]];
    parts.push(
      lollipops(
        {
          ...place(0),
          numbers: row,
          base: mean,
          band: [mean - deviation, mean + deviation],
          kind: "first",
        },
        scale,
      ),
      lollipops({ ...place(1), numbers: Xhat[t], base: 0, band: [-1, 1], kind: "second" }, scale),
      lollipops({ ...place(2), numbers: Y[t], base: 0, band: null, kind: "third" }, scale),
    );
  });
  const rows = values.X.texts.map((text, offset) => {
    const t = Math.floor(offset / size);
    return [
      entryName(values.X.shape, offset),
      text,
      values.mean.texts[t],
      values.variance.texts[t],
      values.Xhat.texts[offset],
      values.Y.texts[offset],
    ];
  });
  const description =
    "Three panels for each row, on one scale: X as deviations from its mean with one standard" +
    " deviation shaded, Xhat as deviations from 0, and the output Y. The table holds the numbers.";
  return {
    svg: picture(WIDTH, TOP + X.length * PITCH - 14, description, parts),
    table: table("The row before and after", ["Entry", "X", "Mean", "Variance", "Xhat", "Y"], rows),
  };
}
