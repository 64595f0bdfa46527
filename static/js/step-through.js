// <step-through>: the lines of a run with their values. Without this script all of them are shown;
// with it, a reader goes through them as in a debugger, and the values follow the inputs.
import { findProgram, whenParsed } from "./programs.js";
import { showValues } from "./results.js";

class StepThrough extends HTMLElement {
  connectedCallback() {
    whenParsed(() => this.#connect());
  }

  #connect() {
    const program = findProgram(this.dataset.run ?? "");
    program?.addEventListener("results", () => {
      showValues(this, program.values);
      if (this.#isUsed) this.#show(this.#position);
    });
    if (program?.hasRun) showValues(this, program.values);
    const controls = this.querySelector(".trace-controls");
    controls?.removeAttribute("data-waiting");
    controls?.addEventListener("input", () => this.#go(this.#position));
    controls?.addEventListener("click", ({ target }) => {
      const action = target instanceof HTMLElement ? target.dataset.action : undefined;
      if (action === "restart") this.#go(1);
      if (action === "back") this.#go(this.#position - 1);
      if (action === "step") this.#go(this.#position + 1);
    });
    this.#showLimits(this.#position);
  }

  get #slider() {
    return /** @type {HTMLInputElement} */ (this.querySelector("input[type=range]"));
  }

  get #position() {
    return Number(this.#slider.value);
  }

  get #isUsed() {
    return this.querySelector("[data-at]") !== null;
  }

  /** @returns {NodeListOf<HTMLElement>} */
  get #lines() {
    return this.querySelectorAll(".step");
  }

  /** @param {number} wanted counted from 1 */
  #go(wanted) {
    const position = Math.min(Math.max(wanted, 1), this.#lines.length);
    this.#slider.value = String(position);
    this.#show(position);
    this.#lines[position - 1].scrollIntoView({ block: "nearest" });
  }

  /** @param {number} position */
  #show(position) {
    this.#lines.forEach((line, index) => {
      const after = index + 1 - position;
      line.dataset.at = after === 0 ? "now" : after < 0 ? "before" : "later";
      if (after === 0) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    const line = this.#lines[position - 1];
    const number = line.querySelector(".number")?.textContent?.trim();
    const values = [...line.querySelectorAll(".value")].map(({ textContent }) => {
      const [name = "", ...numbers] = (textContent ?? "").trim().split(/\s+/);
      return `${name} = ${numbers.join(" ")}`;
    });
    const output = this.querySelector("output");
    const text = `Step ${position} of ${this.#lines.length}, line ${number}: ${values.join(", ")}`;
    if (output && output.textContent !== text) output.textContent = text;
    this.#showLimits(position);
  }

  /** @param {number} position */
  #showLimits(position) {
    const limits = { back: position <= 1, step: position >= this.#lines.length };
    for (const [action, isReached] of Object.entries(limits)) {
      this.querySelector(`[data-action=${action}]`)?.setAttribute(
        "aria-disabled",
        String(isReached),
      );
    }
  }
}

customElements.define("step-through", StepThrough);
