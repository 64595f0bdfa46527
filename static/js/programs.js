// The programs of the page, one for each run that its examples, figures and traces share.
import { pythonOfPage } from "./page-python.js";
import { Program } from "./program.js";

/** @type {Map<string, Program>} */
const programs = new Map();
/**
 * @param {string} run
 * @returns {Program | undefined} nothing where the site was built without Python
 */
export function findProgram(run) {
  const interpreter = pythonOfPage();
  const data = document.querySelector(`script[data-run="${run}"]`)?.textContent;
  if (!programs.has(run) && interpreter && data) {
    programs.set(run, new Program(JSON.parse(data), interpreter));
  }
  return programs.get(run);
}

/**
 * Do something once the whole page is parsed: a run's data may stand further down.
 *
 * @param {() => void} action
 */
export function whenParsed(action) {
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", action, { once: true });
  } else {
    action();
  }
}
