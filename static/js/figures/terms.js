// The three terms of dX and their sum, feature by feature, on one scale.
import { commonScale, lollipops, valueAxis } from "./lollipops.js";
import { label, picture, table, WIDTH } from "./svg.js";
import { entryName, features, flat, rowsOf } from "./values.js";

const LEFT = 44;
const GAP = 12;
const HEIGHT = 92;
const PITCH = HEIGHT + 40;
const TOP = 18;
const PANELS = [
  ["direct", "direct", "first"],
  ["mean", "through the mean", "first"],
  ["variance", "through the variance", "first"],
  ["sum", "sum: dX", "third"],
];

/**
 * @param {import("./svg.js").Values} values direct, mean, variance and sum (…, C); or (…, 1)
 * @returns {import("./svg.js").Drawing}
 */
export function drawTerms(values) {
  const size = features(values.sum);
  const numbers = Object.fromEntries(
    PANELS.map(([name]) => [name, rowsOf(spread(flat(values[name]), values[name], size), size)]),
  );
  const width = (WIDTH - LEFT - GAP) / 2;
  const all = Object.values(numbers).flat(2);
  const names = rowNames(values.sum.shape, numbers.sum.length);
  const parts = numbers.sum.flatMap((_, row) =>
    PANELS.flatMap(([name, title, kind], index) => {
      const x = LEFT + (index % 2) * (width + GAP);
      const y = TOP + (2 * row + Math.floor(index / 2)) * PITCH;
      const scale = commonScale(all, [y + HEIGHT - 6, y + 6]);
      const panel = { x, y, width, height: HEIGHT, numbers: numbers[name][row] };
      return [
        index % 2 === 0 ? valueAxis(scale, LEFT, WIDTH) : "",
        label(x + width / 2, y - 5, title, { class: "name middle" }),
        index === 0 ? label(0, y - 5, names[row], { class: "tick" }) : "",
        lollipops({ ...panel, base: 0, band: null, kind }, scale),
      ];
    }),
  );
  const description =
    "Four panels for each row, on one scale: the direct term of dX, the correction through the" +
    " mean, the correction through the variance, and their sum. The table holds the numbers.";
  const texts = PANELS.map(([name]) => spread(values[name].texts, values[name], size));
  const rows = values.sum.texts.map((_, offset) => [
    entryName(values.sum.shape, offset),
    ...texts.map((column) => column[offset]),
  ]);
  return {
    svg: picture(WIDTH, TOP + 2 * numbers.sum.length * PITCH - 22, description, parts),
    table: table("The terms of dX", ["Entry", ...PANELS.map(([, title]) => title)], rows),
  };
}

/**
 * The entries of a term; one number for a whole row stands for each of its features.
 *
 * @template T
 * @param {T[]} items
 * @param {import("./svg.js").Value} value
 * @param {number} size
 */
function spread(items, value, size) {
  return features(value) === size ? items : items.flatMap((item) => Array(size).fill(item));
}

/**
 * What the rows are called where there are several.
 *
 * @param {number[]} shape
 * @param {number} count
 */
function rowNames(shape, count) {
  const size = shape.at(-1) ?? 1;
  return Array.from({ length: count }, (_, row) =>
    count > 1 ? entryName(shape, row * size).replace(/ ?i0$/, "") : "",
  );
}
