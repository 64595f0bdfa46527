// Layer norm beside batch norm on a (B, T, C) block, and what an edit of the block has moved.
import { CELL_HEIGHT, cell, shade } from "./cells.js";
import { label, picture, table, WIDTH } from "./svg.js";
import { brief, entryName, features, flat, rowsOf } from "./values.js";

const LEFT = 26;
const GAP = 12;
const NARROWEST = 40;
const TOP = 20;
const NOTE = 26; // below the rows of each example

/**
 * @param {import("./svg.js").Values} values layer, batch, layer_edited, batch_edited (B, T, C)
 * @returns {import("./svg.js").Drawing}
 */
export function drawBlock(values) {
  const size = features(values.layer);
  const tokens = values.layer.shape.at(-2) ?? 1;
  const examples = values.layer.numbers.length / (size * tokens);
  const isBeside = (WIDTH - LEFT - GAP) / 2 >= size * NARROWEST;
  const width = isBeside ? (WIDTH - LEFT - GAP) / 2 : Math.max(WIDTH - LEFT, size * NARROWEST);
  const height = TOP + examples * (tokens * CELL_HEIGHT + NOTE);
  const panels = [
    norm("layer norm", values.layer, values.layer_edited, LEFT, 0, width),
    isBeside
      ? norm("batch norm", values.batch, values.batch_edited, LEFT + width + GAP, 0, width)
      : norm("batch norm", values.batch, values.batch_edited, LEFT, height, width),
  ];
  const names = [0, ...(isBeside ? [] : [height])].flatMap((top) =>
    rowNames(examples, tokens, top),
  );
  const texts = ["layer", "layer_edited", "batch", "batch_edited"].map((n) => values[n].texts);
  const description =
    "The outputs of layer norm and batch norm after the edit. Cells that the edit moved have a" +
    " frame and a filled corner. Below each example stands by how much it moved at most.";
  return {
    svg: picture(isBeside ? WIDTH : LEFT + width, isBeside ? height : 2 * height, description, [
      ...names,
      ...panels,
    ]),
    table: table(
      "Both norms before and after the edit",
      ["Entry", "Layer norm, before", "after", "Batch norm, before", "after"],
      values.layer.texts.map((_, offset) => [
        entryName(values.layer.shape, offset),
        ...texts.map((column) => column[offset]),
      ]),
    ),
  };
}

/**
 * @param {number} examples
 * @param {number} tokens
 * @param {number} top
 */
function rowNames(examples, tokens, top) {
  return Array.from({ length: examples * tokens }, (_, row) =>
    label(0, rowTop(row, tokens, top) + CELL_HEIGHT / 2 + 3.5, `t${row % tokens}`, {
      class: "tick",
    }),
  );
}

/**
 * @param {number} row
 * @param {number} tokens
 * @param {number} top
 */
const rowTop = (row, tokens, top) =>
  top + TOP + row * CELL_HEIGHT + Math.floor(row / tokens) * NOTE;

/**
 * @param {string} name
 * @param {import("./svg.js").Value} before
 * @param {import("./svg.js").Value} after
 * @param {number} left
 * @param {number} top
 * @param {number} width
 */
function norm(name, before, after, left, top, width) {
  const size = features(after);
  const tokens = after.shape.at(-2) ?? 1;
  const [old, current] = [before, after].map((value) => rowsOf(flat(value), size));
  const strength = shade([...old.flat(), ...current.flat()]);
  const parts = [label(left + width / 2, top + 12, name, { class: "name middle" })];
  current.forEach((numbers, row) => {
    const y = rowTop(row, tokens, top);
    numbers.forEach((number, i) => {
      const moved = !Object.is(number, old[row][i]);
      parts.push(cell(left + (i * width) / size, y, width / size, number, strength, moved));
    });
    if (row % tokens === tokens - 1) {
      const first = row - tokens + 1;
      const gaps = current
        .slice(first, row + 1)
        .flatMap((numbers, t) => numbers.map((number, i) => Math.abs(number - old[first + t][i])));
      const largest = Math.max(...gaps);
      const text = largest === 0 ? "unmoved" : `moved by up to ${brief(largest)}`;
      const example = Math.floor(row / tokens);
      parts.push(
        label(left + width / 2, y + CELL_HEIGHT + 13, `b${example}: ${text}`, {
          class: "tick middle",
        }),
      );
    }
  });
  return parts.join("");
}
