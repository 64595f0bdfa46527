// <live-example>: an example whose numbers can be edited. Without this script it shows the results
// that the build recorded; with it, the same functions run again in the reader's browser.
import { readInputs, showInputs } from "./example-inputs.js";
import { describe } from "./example-status.js";
import { connectCells } from "./number-cells.js";
import { findProgram, whenParsed } from "./programs.js";
import { showValues } from "./results.js";
import { resized, shapeOf, sizeOf } from "./sizes.js";

class LiveExample extends HTMLElement {
  /** Whether the reader's last action was here: only then are results announced. */
  #isActive = false;
  /** What became of the last paste; it is said together with its results. */
  #pasted = "";

  connectedCallback() {
    whenParsed(() => this.#connect());
  }

  #connect() {
    const program = findProgram(this.dataset.run ?? "");
    if (!program) {
      this.#say(
        "This copy of the site has no Python: the results are those that the build recorded.",
      );
      return;
    }
    this.program = program;
    program.addEventListener("inputs", () => this.#showInputs());
    program.addEventListener("results", () => this.#showResults());
    program.python.addEventListener("change", () => this.#showState());
    program.python.addEventListener("progress", () => this.#showState());
    this.querySelector("[data-action=retry]")?.addEventListener("click", () => this.#retry());
    const inputs = this.querySelector(".inputs");
    if (inputs) this.#connectInputs(inputs);
  }

  /** @param {Element} inputs */
  #connectInputs(inputs) {
    for (const cell of inputs.querySelectorAll("input")) cell.readOnly = false;
    for (const buttons of inputs.querySelectorAll(".buttons"))
      buttons.removeAttribute("data-waiting");
    connectCells(inputs, (fitted, left) => {
      this.#pasted = `${fitted} numbers pasted.${left ? ` ${left} did not fit.` : ""} `;
      this.#read();
    });
    for (const intent of ["focusin", "pointerdown"]) {
      inputs.addEventListener(intent, () => this.#activate());
    }
    inputs.addEventListener("input", () => {
      this.#pasted = "";
      this.#read();
    });
    inputs.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#pasted = "";
      if (button?.dataset.action === "reset") this.program?.reset();
      if (button?.dataset.action === "preset")
        this.#preset(JSON.parse(button.dataset.values ?? "{}"));
      const axis = button?.closest(".resize");
      if (axis instanceof HTMLElement) this.#resize(axis.dataset, button?.dataset.action === "add");
    });
    this.#showSizes();
  }

  /**
   * Take a preset's numbers; where sizes were changed, go back to the recorded numbers first.
   *
   * @param {Record<string, import("./program.js").Numbers>} values
   */
  #preset(values) {
    const { program } = this;
    if (!program) return;
    const fits = Object.entries(values).every(
      ([name, numbers]) => `${shapeOf(numbers)}` === `${shapeOf(program.inputs[name])}`,
    );
    program.update(fits ? values : { ...program.recorded.inputs, ...values });
  }

  /** @param {DOMStringMap} axis a dimension, and how long it may become */
  #resize({ axis = "", most = "" }, isLonger = false) {
    const { program } = this;
    if (!program) return;
    const size = sizeOf(program.inputs, this.#axes, axis);
    const isPossible = isLonger ? size < Number(most) : size > 1;
    if (isPossible) program.update(resized(program.inputs, this.#axes, axis, isLonger));
  }

  /** @returns {import("./sizes.js").Axes} */
  get #axes() {
    return JSON.parse(this.dataset.axes ?? "{}");
  }

  #activate() {
    for (const example of document.querySelectorAll("live-example")) {
      if (example instanceof LiveExample) example.#isActive = example === this;
    }
    if (this.program?.python.state === "idle") this.program.python.start();
  }

  #retry() {
    this.#activate();
    this.program?.python.start();
  }

  /** Read the cells. A cell without a number says so, and the last good results stay. */
  #read() {
    const { program } = this;
    const inputs = this.querySelector(".inputs");
    if (!program || !inputs) return;
    const { changed, wrong } = readInputs(inputs, program.inputs);
    if (wrong === 0) {
      program.update(changed);
    } else {
      const cells = wrong === 1 ? "One cell holds" : `${wrong} cells hold`;
      this.#say(
        `${this.#pasted}${cells} no number. The results are those of the last numbers that were complete.`,
      );
    }
  }

  /** Other examples may have changed the inputs; the cell being typed in is left alone. */
  #showInputs() {
    const inputs = this.querySelector(".inputs");
    if (inputs && this.program) showInputs(inputs, this.program.inputs);
    this.#showSizes();
    this.#showState();
  }

  /** A button that would go too far stays in its place, so that focus does too. */
  #showSizes() {
    for (const axis of this.querySelectorAll(".resize")) {
      const { axis: symbol = "", most = "" } = axis instanceof HTMLElement ? axis.dataset : {};
      const size = sizeOf(this.program?.inputs ?? {}, this.#axes, symbol);
      const limits = { remove: size <= 1, add: size >= Number(most) };
      for (const [action, isReached] of Object.entries(limits)) {
        axis
          .querySelector(`[data-action=${action}]`)
          ?.setAttribute("aria-disabled", String(isReached));
      }
    }
  }

  #showResults() {
    showValues(this, this.program?.values ?? {});
    this.#showState();
  }

  #showState() {
    const { program } = this;
    if (!program) return;
    const { state } = program.python;
    this.dataset.state = state === "ready" && !program.isCurrent ? "running" : state;
    this.toggleAttribute("data-stale", !program.isCurrent || program.error !== "");
    this.#showProgress();
    const retry = this.querySelector("[data-action=retry]");
    if (retry instanceof HTMLElement) retry.hidden = state !== "failed";
    this.#say(`${this.#pasted}${describe(program)}`);
  }

  #showProgress() {
    const bar = this.querySelector("progress");
    if (!bar || !this.program) return;
    const { state, progress } = this.program.python;
    bar.hidden = state !== "loading";
    bar.max = progress.total;
    bar.value = progress.loaded;
  }

  /** @param {string} text */
  #say(text) {
    const status = this.querySelector(".status-text");
    if (status && status.textContent !== text) status.textContent = text;
    this.#announce(text);
  }

  /** What a screen reader hears: the stage while Python loads, then the last result. */
  #announce(/** @type {string} */ text) {
    const region = this.querySelector("[role=status]");
    if (!region || !this.#isActive) return;
    const { program } = this;
    const isLoading = program?.python.state === "loading";
    const isReady = program?.python.state === "ready" && program.isCurrent && !program.error;
    const spoken = isLoading
      ? program.python.progress.stage
      : isReady && text.includes("Run in this browser")
        ? `${this.#pasted}Results updated. ${this.#lastResult()}`
        : text;
    if (region.textContent !== spoken) region.textContent = spoken;
  }

  #lastResult() {
    const rows = [...this.querySelectorAll(".results tbody tr")];
    const row = rows.at(-1);
    const label = row?.querySelector("th")?.textContent?.trim() ?? "";
    const numbers = [...(row?.querySelectorAll(".number, .slot") ?? [])];
    return `${label}: ${numbers.map((number) => number.textContent).join(", ")}.`;
  }
}

customElements.define("live-example", LiveExample);
