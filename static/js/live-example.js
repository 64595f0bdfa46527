// <live-example>: an example whose numbers can be edited. Without this script it shows the results
// that the build recorded; with it, the same functions run again in the reader's browser.
import { connectCells, parseNumber } from "./number-cells.js";
import { pythonOfPage } from "./page-python.js";
import { Program } from "./program.js";

/** @type {Map<string, Program>} the page's programs by name; examples of one program share it */
const programs = new Map();

/** @param {string} name */
function findProgram(name) {
  const interpreter = pythonOfPage();
  const data = document.querySelector(`script[data-program="${name}"]`)?.textContent;
  if (!programs.has(name) && interpreter && data) {
    programs.set(name, new Program(JSON.parse(data), interpreter));
  }
  return programs.get(name);
}

class LiveExample extends HTMLElement {
  /** Whether the reader's last action was here: only then are results announced. */
  #isActive = false;
  /** What became of the last paste; it is said together with its results. */
  #pasted = "";

  connectedCallback() {
    // The data of a program stands in its first example, which may not be parsed yet.
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.#connect(), { once: true });
    } else {
      this.#connect();
    }
  }

  #connect() {
    const program = findProgram(this.dataset.program ?? "");
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
      if (button?.dataset.action === "preset") {
        this.program?.update(JSON.parse(button.dataset.values ?? "{}"));
      }
    });
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
    /** @type {Record<string, import("./program.js").Numbers>} */
    const changed = {};
    let wrong = 0;
    for (const group of this.#inputs()) {
      const rows = [...group.querySelectorAll("tr")].map((row) =>
        [...row.querySelectorAll("input")].map((cell) => {
          const number = parseNumber(cell.value);
          mark(cell, number === null);
          wrong += number === null ? 1 : 0;
          return number ?? "";
        }),
      );
      const name = group.dataset.input ?? "";
      const isMatrix = Array.isArray(this.program?.inputs[name]?.[0]);
      changed[name] = isMatrix ? rows : rows[0];
    }
    if (wrong === 0) {
      this.program?.update(changed);
    } else {
      const cells = wrong === 1 ? "One cell holds" : `${wrong} cells hold`;
      this.#say(
        `${this.#pasted}${cells} no number. The results are those of the last numbers that were complete.`,
      );
    }
  }

  /** Other examples may have changed the inputs; the cell being typed in is left alone. */
  #showInputs() {
    for (const group of this.#inputs()) {
      const numbers = this.program?.inputs[group.dataset.input ?? ""]?.flat() ?? [];
      group.querySelectorAll("input").forEach((cell, index) => {
        if (parseNumber(cell.value) !== numbers[index]) cell.value = numbers[index];
        mark(cell, false);
      });
    }
    this.#showState();
  }

  #showResults() {
    const { values = {} } = this.program ?? {};
    for (const element of this.querySelectorAll(".numbers, .slot")) {
      const { key = "", offset } = /** @type {HTMLElement} */ (element).dataset;
      const texts = values[key]?.texts ?? [];
      const targets = offset === undefined ? element.querySelectorAll(".number") : [element];
      targets.forEach((target, index) => {
        const text = texts[offset === undefined ? index : Number(offset)];
        target.toggleAttribute("data-changed", target.textContent !== text);
        target.textContent = text;
      });
    }
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
    this.#say(`${this.#pasted}${this.#describe(program)}`);
  }

  #showProgress() {
    const bar = this.querySelector("progress");
    if (!bar || !this.program) return;
    const { state, progress } = this.program.python;
    bar.hidden = state !== "loading";
    bar.max = progress.total;
    bar.value = progress.loaded;
  }

  /** @param {Program} program */
  #describe(program) {
    const { state, progress, error, environment } = program.python;
    const recorded = program.recorded.environment;
    if (state === "loading") {
      const megabytes = [progress.loaded, progress.total].map((n) => (n / 1e6).toFixed(1));
      return `${progress.stage}: ${megabytes[0]} of ${megabytes[1]} MB. The results are still those that the build recorded.`;
    }
    if (state === "failed") {
      return `Python could not start in this browser (${error}). The results are those that the build recorded, for the numbers it started from.`;
    }
    if (state !== "ready") return `Recorded by the build with ${recorded}.`;
    if (program.error) {
      return `The code raised ${program.error}. The results are those of the run before.`;
    }
    return `Run in this browser with ${environment}. ${compareWithBuild(program.difference, recorded)}`;
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

  /** @returns {NodeListOf<HTMLElement>} */
  #inputs() {
    return this.querySelectorAll("[data-input]");
  }
}

/**
 * @param {string} difference the largest difference on the recorded numbers, "" while not known
 * @param {string} recorded what the build ran with
 */
function compareWithBuild(difference, recorded) {
  if (difference === "") return `The build ran with ${recorded}.`;
  return difference === "0"
    ? `On the recorded numbers it agrees with the build (${recorded}) to the last digit.`
    : `On the recorded numbers it differs from the build (${recorded}) by at most ${difference}.`;
}

/**
 * Say beside a cell that it holds no number, or take that back.
 *
 * @param {HTMLInputElement} cell
 * @param {boolean} isWrong
 */
function mark(cell, isWrong) {
  const note = cell.nextElementSibling;
  if (!isWrong) {
    cell.removeAttribute("aria-invalid");
    if (note) note.textContent = "";
  } else {
    cell.setAttribute("aria-invalid", "true");
    if (note) note.textContent = cell.value.trim() === "" ? "empty" : "no number";
  }
}

customElements.define("live-example", LiveExample);
