// All drawings by kind. They run in the build, under Node, and in the reader's browser.
import { drawBlock } from "./block.js";
import { drawCurve } from "./curve.js";
import { drawMatrix } from "./matrix.js";
import { drawRow } from "./row.js";
import { drawTerms } from "./terms.js";

/** @type {Record<string, (values: import("./svg.js").Values) => import("./svg.js").Drawing>} */
export const DRAWINGS = {
  block: drawBlock,
  curve: drawCurve,
  matrix: drawMatrix,
  row: drawRow,
  terms: drawTerms,
};
