// The Jacobian of each row, entry (i, j) in row i and column j.
import { CELL_HEIGHT, cell, shade } from "./cells.js";
import { label, picture, table, WIDTH } from "./svg.js";
import { features, flat, rowsOf } from "./values.js";

const LEFT = 54;
const TOP = 30;
const NARROWEST = 40;

/**
 * @param {import("./svg.js").Values} values matrix, of shape (T, d, d)
 * @returns {import("./svg.js").Drawing}
 */
export function drawMatrix({ matrix }) {
  const size = features(matrix);
  const rows = rowsOf(flat(matrix), size);
  const matrices = rowsOf(rows, size);
  const strength = shade(rows.flat());
  const cellWidth = Math.max((WIDTH - LEFT) / size, NARROWEST);
  const width = LEFT + size * cellWidth;
  const pitch = TOP + size * CELL_HEIGHT + 10;
  const parts = matrices.flatMap((entries, t) => {
    const top = t * pitch + TOP;
    const corner = matrices.length > 1 ? `t${t}` : "";
    const heads = entries.map((_, j) =>
      label(LEFT + (j + 0.5) * cellWidth, top - 5, `X i${j}`, { class: "tick middle" }),
    );
    const cells = entries.flatMap((row, i) => [
      label(LEFT - 5, top + (i + 0.5) * CELL_HEIGHT + 3.5, `Xhat i${i}`, { class: "tick end" }),
      ...row.map((number, j) =>
        cell(LEFT + j * cellWidth, top + i * CELL_HEIGHT, cellWidth, number, strength),
      ),
    ]);
    return [label(0, top - 5, corner, { class: "tick" }), ...heads, ...cells];
  });
  const texts = rowsOf(matrix.texts, size);
  const description =
    "A grid of numbers: how each entry of Xhat, a row of the grid, answers to each entry of X, a" +
    " column. The stronger the shade, the larger the number. The table holds the numbers.";
  return {
    svg: picture(width, matrices.length * pitch - 8, description, parts),
    table: table(
      "Derivative of Xhat, by row, with respect to X, by column",
      ["Entry", ...rows[0].map((_, j) => `X i${j}`)],
      texts.map((row, index) => {
        const t = matrices.length > 1 ? `t${Math.floor(index / size)} ` : "";
        return [`${t}Xhat i${index % size}`, ...row];
      }),
    ),
  };
}
