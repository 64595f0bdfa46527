// What stands beneath the code: how far a run is, what it printed, what it raised.
import { showFailure } from "./show-failure.js";

/** @typedef {import("./show-failure.js").Failure} Failure */

export class Result {
  /** @param {HTMLElement} element the cell */
  constructor(element) {
    this.element = element;
    this.recorded = {
      output: element.querySelector(".cell-output")?.textContent ?? "",
      status: element.querySelector(".status-text")?.textContent ?? "",
    };
  }

  /** Show what the build recorded. */
  restore() {
    this.showOutput(this.recorded.output);
    this.showFailure(null, "", new Map());
    const findings = this.element.querySelector(".findings");
    if (findings instanceof HTMLElement) findings.hidden = true;
    this.say(this.recorded.status);
  }

  /** @param {string} text for all to read */
  say(text) {
    const status = this.element.querySelector(".status-text");
    if (status && status.textContent !== text) status.textContent = text;
  }

  /** @param {string} text for screen readers to say */
  announce(text) {
    const region = this.element.querySelector("[role=status]");
    if (region && region.textContent !== text) region.textContent = text;
  }

  /** @param {import("../python.js").Progress | null} progress of loading Python */
  showProgress(progress) {
    const bar = this.element.querySelector("progress");
    if (!bar) return;
    bar.hidden = progress === null;
    if (!progress) return;
    bar.max = progress.total;
    bar.value = progress.loaded;
    const [loaded, total] = [progress.loaded, progress.total].map((n) => (n / 1e6).toFixed(1));
    this.say(`${progress.stage}: ${loaded} of ${total} MB.`);
    this.announce(progress.stage);
  }

  /** @param {string} output */
  showOutput(output) {
    const pre = /** @type {HTMLElement} */ (this.element.querySelector(".cell-output"));
    const text = output.replace(/\n$/, "");
    pre.replaceChildren(document.createElement("samp"));
    pre.firstElementChild?.append(text);
    pre.hidden = text === "";
    this.announce(text === "" ? "Nothing was printed." : `Output: ${text.slice(0, 300)}`);
  }

  /**
   * @param {Failure | null} failure
   * @param {string} here the cell that was run
   * @param {Map<string, string>} names of the cells
   */
  showFailure(failure, here, names) {
    const panel = /** @type {HTMLElement} */ (this.element.querySelector(".cell-failure"));
    panel.hidden = failure === null;
    if (!failure) return;
    panel.replaceChildren(...showFailure(failure, here, names));
    this.announce(textOf(panel));
  }
}

/** The texts in an element, one after the other. @param {Element} element */
export function textOf(element) {
  return [...element.children].map((child) => child.textContent).join(". ");
}
