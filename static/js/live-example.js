// <live-example>: an example whose numbers can be edited. Without this script it shows the results
// that the build recorded; with it, the same functions run again in the reader's browser.
import { showLink, showNotice } from "./cell/notice.js";
import { readInputs, showInputs } from "./example-inputs.js";
import { inputsOfLink, isChanged, linkWith, numbersInAddress } from "./example-link.js";
import { describe } from "./example-status.js";
import { connectCells } from "./number-cells.js";
import { findProgram, whenParsed } from "./programs.js";
import { showValues } from "./results.js";
import { resized, shapeOf, sizeOf } from "./sizes.js";

class LiveExample extends HTMLElement {
  /** Whether the reader's last action was here: only then are results announced. */
  #isActive = false;
  /** The outcome of the last paste, announced together with its results. */
  #pasted = "";
  /** Whether numbers that came with a link have not been run yet. */
  #isOffering = false;

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
    window.addEventListener("hashchange", () => this.#takeLink());
    // Once all that shows these numbers is connected:
    queueMicrotask(() => {
      this.#takeLink();
      const focused = document.activeElement; // a reader may be quicker than this script
      if (inputs?.contains(focused) && !isCopying(focused)) this.#activate();
    });
  }

  /** Show the numbers that the page's address carries for this example. None of them is run. */
  #takeLink() {
    const { program } = this;
    const text = numbersInAddress(this.id);
    if (!program || text === null) return;
    const inputs = inputsOfLink(text, this.dataset.run ?? "", program.recorded.inputs);
    if (inputs) {
      program.propose(inputs);
      this.#isOffering = true;
      showNotice(this.#offer, "These numbers came with the link. They have not been run.", [
        ["Run", () => this.#activate()],
        ["Reset", () => program.reset()],
      ]);
    } else {
      const text = "The numbers of this link do not fit this example, so they are left out.";
      showNotice(this.#offer, text);
    }
    this.scrollIntoView();
  }

  /** The notice about numbers that came with a link. */
  get #offer() {
    return /** @type {HTMLElement} */ (this.querySelector(".offer"));
  }

  /** Holds a link to copy. */
  get #copied() {
    return /** @type {HTMLElement} */ (this.querySelector(".copied"));
  }

  /** Numbers that were edited are the reader's own, and no longer those of the address. */
  #leaveLink() {
    showNotice(this.#copied, "");
    if (this.program?.isProposed) return;
    showNotice(this.#offer, "");
    if (numbersInAddress(this.id) !== null) history.replaceState(null, "", `#${this.id}`);
  }

  #endOffer() {
    if (!this.#isOffering || this.program?.isProposed) return;
    this.#isOffering = false;
    showNotice(this.#offer, "");
  }

  async #share() {
    const { id, program } = this;
    if (!program) return;
    const { inputs, recorded } = program;
    const link = linkWith(id, this.dataset.run ?? "", inputs, recorded.inputs);
    this.#announce(await showLink(this.#copied, link, "these numbers"));
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
      inputs.addEventListener(intent, ({ target }) => {
        if (!isCopying(target)) this.#activate();
      });
    }
    inputs.addEventListener("input", () => {
      this.#pasted = "";
      this.#read();
    });
    inputs.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#pasted = "";
      if (button?.dataset.action === "reset") this.program?.reset();
      if (isCopying(button)) this.#share();
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
    const { program } = this;
    if (program?.python.state === "idle" || program?.isProposed) program.run();
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
    const { program } = this;
    if (!program) return;
    if (inputs) showInputs(inputs, program.inputs, program.recorded.inputs);
    const isEdited = isChanged(program.inputs, program.recorded.inputs);
    this.querySelector("[data-action=share]")?.toggleAttribute("data-idle", !isEdited);
    this.#leaveLink();
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
    const isRunning = state === "ready" && !program.isCurrent && !program.isProposed;
    this.dataset.state = isRunning ? "running" : state;
    this.toggleAttribute("data-stale", !program.isCurrent || program.error !== "");
    this.#endOffer();
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

/** @param {EventTarget | null} target to copy a link is not to edit */
function isCopying(target) {
  return target instanceof HTMLElement && target.dataset.action === "share";
}

customElements.define("live-example", LiveExample);
