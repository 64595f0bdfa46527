// What every content page loads. The scripts of a part are fetched where the page has such a part.
import { lightArrows } from "./graphs.js";
import { makeScrollersFocusable } from "./scrollers.js";
import { linkSymbols } from "./symbols.js";

/** @type {[string, () => Promise<unknown>][]} */
const PARTS = [
  ["live-example", () => import("./live-example.js")],
  ["live-figure", () => import("./live-figure.js")],
  ["step-through", () => import("./step-through.js")],
  ["code-cell", () => import("./cell/code-cell.js")],
  ["code-cell", () => import("./cell/verdicts.js")],
  ["code-exercise", () => import("./cell/code-exercise.js")],
];

for (const [element, load] of PARTS) {
  if (document.querySelector(element)) load();
}
makeScrollersFocusable();
linkSymbols();
lightArrows();
