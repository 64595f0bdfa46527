// Verdicts on the reader's code: after each run the page's equations are executed again, and its
// gradients compared again, with the functions as the reader has them.
import { pythonOfPage } from "../page-python.js";
import { Marks } from "./marks.js";
import { runInTurn } from "./run.js";
import { summary } from "./verdict-summary.js";

/**
 * @typedef {import("./show-failure.js").Failure} Failure
 * @typedef {{ holds: true, inputs: number }} Holds
 * @typedef {{ holds: false, error: string }} Unknown
 * @typedef {{ holds: false, where: string, input: string, left: string, right: string }} Fails
 * @typedef {Holds | Unknown | Fails} Verdict
 * @typedef {{ name: string, error: string, holds: boolean }} Gradient
 * @typedef {Object} Verdicts
 * @property {Record<string, Verdict>} equations
 * @property {Gradient[]} gradients
 * @property {Failure | null} failure
 * @property {Failure | null} gradients_failure
 */

const marks = new Marks();
/** @type {AbortController | null} of the check that goes on */
let current = null;

/** @returns {boolean} whether the page says on what its equations are checked */
function hasCheck() {
  return document.querySelector("p.check") !== null;
}

document.addEventListener("reader-code-ran", (event) => {
  const { target, detail } = /** @type {CustomEvent} */ (event);
  if (target instanceof HTMLElement && hasCheck()) check(target, detail.edits);
});
document.addEventListener("reader-code-restored", restore);

function restore() {
  current?.abort("");
  current = null;
  marks.restore();
  for (const panel of document.querySelectorAll(".cell-verdicts")) hide(panel);
}

/** @param {Element} panel */
function hide(panel) {
  panel.toggleAttribute("hidden", true);
  panel.removeAttribute("data-state");
  panel.replaceChildren();
}

/**
 * @param {HTMLElement} cell the one that was run; the outcome stands beneath it
 * @param {object[]} edits
 */
async function check(cell, edits) {
  restore();
  const python = pythonOfPage();
  if (edits.length === 0 || !python) return;
  const run = new AbortController();
  current = run;
  const panel = /** @type {HTMLElement} */ (cell.querySelector(".cell-verdicts"));
  panel.hidden = false;
  panel.textContent = "Executing the page's equations on your code …";
  const page = document.querySelector("main")?.dataset.page ?? "";
  try {
    const call = () => ({ name: "reader_verdicts_json", request: { page, edits } });
    const { answer } = await runInTurn(python, run, call);
    if (current === run) show(cell, panel, answer);
  } catch (reason) {
    if (current !== run) return;
    const text = reason instanceof Error ? reason.message : reason;
    panel.textContent = `The equations were not executed on your code. ${text}`;
  }
}

/**
 * @param {HTMLElement} cell
 * @param {HTMLElement} panel
 * @param {Verdicts} verdicts
 */
function show(cell, panel, verdicts) {
  marks.show(verdicts.equations);
  panel.replaceChildren(...summary(verdicts));
  panel.dataset.state = panel.querySelector('[data-holds="false"]') ? "fails" : "holds";
  const region = cell.querySelector("[role=status]");
  const lines = [...panel.children].map((child) => child.textContent?.trim());
  if (region) region.textContent = lines.join(" ");
}
