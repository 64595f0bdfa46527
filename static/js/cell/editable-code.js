// What cells and exercises have in common: a listing that becomes an editor, kept edits, and runs
// that can be stopped.
import { pythonOfPage } from "../page-python.js";
import { openEditor } from "./editor.js";
import { isLinkWithEdits, keep, leaveLink, linkWith, recallEdit } from "./kept.js";
import { showLink, showNotice } from "./notice.js";
import { Result } from "./result.js";
import { LIMIT, runInTurn } from "./run.js";

/** @typedef {import("./result.js").Failure} Failure */

export class EditableCode extends HTMLElement {
  /** @type {import("./editor.js").Editor | null} */
  #editor = null;
  /** @type {Promise<import("./editor.js").Editor> | null} */
  #opening = null;
  /** @type {AbortController | null} set while a run is wanted */
  #run = null;
  // Modules run when the page has been parsed, so that what the element holds is there already.
  /** @type {import("./data.js").CellData} */
  data = JSON.parse(this.querySelector(".cell-data")?.textContent ?? "{}");
  /** The text as the reader has it now. */
  text = this.data.text;
  result = new Result(this);

  get isEdited() {
    return this.text !== this.data.text;
  }

  get #notice() {
    return /** @type {HTMLElement} */ (this.querySelector(".cell-notice"));
  }

  /** @returns {EditableCode[]} those whose results depend on this text */
  dependents() {
    return [this];
  }

  /** @returns {{ name: string, request: object }} which function of Python a run calls, with what */
  call() {
    throw new Error("each kind of cell has its own");
  }

  /** @param {import("./data.js").Answer} _answer */
  show(_answer) {}

  connectedCallback() {
    const buttons = this.querySelector(".buttons");
    const python = pythonOfPage();
    if (!python) {
      if (buttons instanceof HTMLElement) buttons.hidden = true;
      this.result.say("This copy of the site has no Python, so the code cannot be run here.");
      return;
    }
    this.python = python;
    for (const type of ["change", "progress"]) {
      python.addEventListener(type, () => this.#showLoading());
    }
    buttons?.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#act(button.dataset.action ?? "");
    });
    buttons?.removeAttribute("data-waiting");
    this.#recall();
  }

  /** @param {string} action */
  async #act(action) {
    if (action === "edit") (await this.edit())?.focus();
    if (action === "run") await this.run();
    if (action === "stop") this.#run?.abort("Stopped.");
    if (action === "diff") await this.#showChanges();
    if (action === "reset") this.reset();
    if (action === "share") await this.#share();
  }

  /** Turn the listing into an editor, unless it is one or the editor cannot be fetched. */
  async edit() {
    if (this.#editor) return this.#editor;
    const help = this.querySelector(".cell-help");
    this.#opening ??= openEditor({
      listing: /** @type {HTMLElement} */ (this.querySelector(".listing pre")),
      text: this.text,
      original: this.data.text,
      first: this.data.first,
      label: `Code of ${this.data.name}`,
      help: help?.id ?? "",
      onChange: (text) => this.#take(text),
      onRun: () => this.run(),
    });
    this.#editor = await this.#opening.catch(() => null);
    this.#opening = null;
    if (!this.#editor) {
      this.result.say("The editor could not be loaded. Press Edit to try again.");
      return null;
    }
    help?.removeAttribute("data-waiting");
    this.button("edit").disabled = true;
    return this.#editor;
  }

  /** Go back to the source that the page shows. */
  reset() {
    this.#editor?.replace(this.data.text);
    this.#take(this.data.text);
    const dependents = this.dependents();
    if (dependents.some((code) => code.isEdited)) return;
    for (const code of dependents) {
      code.result.restore();
      code.removeAttribute("data-stale");
    }
  }

  /** A text that the reader made, which is kept. @param {string} text */
  #take(text) {
    this.text = text;
    this.#markStale();
    showNotice(this.#notice, "");
    this.#showEdited();
    if (isLinkWithEdits()) {
      for (const other of allCode()) if (other.isEdited) other.#keep();
      leaveLink();
    }
    this.#keep();
  }

  #markStale() {
    for (const code of this.dependents()) code.toggleAttribute("data-stale", true);
  }

  #keep() {
    const { cell, version } = this.data;
    keep("code", cell, this.isEdited ? { version, text: this.text } : null);
  }

  #showEdited() {
    this.toggleAttribute("data-edited", this.isEdited);
    for (const action of ["reset", "share", "diff"]) this.button(action).disabled = !this.isEdited;
    if (!this.isEdited) this.#setChanges(false);
  }

  /** Show the edit that came with the page's address or was kept, and say whose it is. */
  async #recall() {
    const found = await recallEdit(this.data.cell);
    if (!found || found.text === this.data.text) return;
    const whose = found.isShared ? "someone's edit that came with the link" : "your edit";
    if (found.version === this.data.version) {
      await this.#restore(found.text);
      const text = `This is ${whose}. It has not been run${found.isShared ? "" : " yet"}.`;
      showNotice(this.#notice, text, found.isShared ? [["Reset", () => this.reset()]] : []);
    } else {
      const text = `There is ${whose}, of a version of this code that has changed since.`;
      showNotice(this.#notice, text, [
        ["Show it", () => this.#restore(found.text)],
        ["Discard it", () => this.reset()],
      ]);
    }
  }

  /** Show an edit that was not made just now. @param {string} text */
  async #restore(text) {
    this.text = text;
    const editor = this.#editor;
    if (editor) editor.replace(text);
    else await this.edit();
    this.#markStale();
    this.#showEdited();
  }

  /** Run what the reader wrote, once it is this cell's turn. */
  async run() {
    if (!this.python || this.#run) return;
    const run = new AbortController();
    this.#run = run;
    this.#showRunning();
    try {
      let text = "";
      const { answer, milliseconds } = await runInTurn(this.python, run, () => {
        text = this.text;
        this.#showRunning();
        return this.call();
      });
      this.#finish(answer, milliseconds);
      this.toggleAttribute("data-stale", text !== this.text);
    } catch (reason) {
      this.#fail(reason);
    }
  }

  /**
   * @param {import("./data.js").Answer} answer
   * @param {number} milliseconds
   */
  #finish(answer, milliseconds) {
    this.#end("ready");
    showNotice(this.#notice, "");
    const { environment = "" } = this.python ?? {};
    this.result.say(`Run in this browser with ${environment}, in ${milliseconds.toFixed(0)} ms.`);
    this.result.showOutput(answer.output);
    this.#showFailure(answer.failure);
    this.show(answer);
    if (answer.failure?.kind === "MemoryError") {
      this.result.say("The run filled the memory. Python starts anew; your text is as it was.");
      this.python?.restart();
    }
  }

  /** A run without an answer. @param {unknown} reason */
  #fail(reason) {
    const stopped = typeof reason === "string";
    this.#end(stopped ? "stopped" : "failed");
    this.#markStale();
    const text = stopped
      ? `${reason} Your text is as it was.`
      : `Python ended (${reason instanceof Error ? reason.message : reason}). Your text is as it was; a run starts Python again.`;
    this.result.say(text);
    this.result.announce(text);
  }

  /** @param {string} state */
  #end(state) {
    this.#run = null;
    this.dataset.state = state;
    this.button("run").disabled = false;
    this.button("stop").disabled = true;
    this.#showLoading();
  }

  #showRunning() {
    this.dataset.state = this.python?.state === "ready" ? "running" : "loading";
    this.button("run").disabled = true;
    this.button("stop").disabled = false;
    this.result.say(`Running. It is stopped after ${LIMIT} s.`);
    this.#showLoading();
  }

  #showLoading() {
    const { state, progress } = this.python ?? {};
    const isWanted = this.#run !== null && state === "loading";
    this.result.showProgress((isWanted && progress) || null);
  }

  /** @param {Failure | null} failure */
  #showFailure(failure) {
    const codes = allCode();
    const names = new Map(codes.map(({ data }) => [data.cell, data.name]));
    this.result.showFailure(failure, this.data.cell, names);
    for (const code of codes) code.#unmark();
    const deepest = failure?.lines.at(-1);
    const owner = codes.find((code) => code.data.cell === deepest?.cell);
    if (owner && deepest) owner.#mark(deepest.line, `${failure?.kind}: ${failure?.message}`);
  }

  /**
   * @param {number} line
   * @param {string} message
   */
  #mark(line, message) {
    if (this.#editor) return this.#editor.mark(line, message);
    const element = this.querySelectorAll(".listing .line")[line - this.data.first];
    element?.setAttribute("data-failed", message);
  }

  #unmark() {
    for (const line of this.querySelectorAll("[data-failed]")) line.removeAttribute("data-failed");
  }

  async #showChanges() {
    if (!(await this.edit())) return;
    this.#setChanges(this.button("diff").getAttribute("aria-pressed") !== "true");
  }

  /** @param {boolean} shown */
  #setChanges(shown) {
    const button = this.button("diff");
    if (button.getAttribute("aria-pressed") === String(shown)) return;
    button.setAttribute("aria-pressed", String(shown));
    this.#editor?.showChanges(shown);
  }

  async #share() {
    const edited = allCode().filter((code) => code.isEdited);
    const edits = edited.map(({ data, text }) => [data.cell, { version: data.version, text }]);
    showLink(this.#notice, await linkWith(Object.fromEntries(edits)));
  }

  /** @param {string} action */
  button(action) {
    return /** @type {HTMLButtonElement} */ (
      this.querySelector(`.buttons [data-action="${action}"]`)
    );
  }
}

/** All code of the page that can be edited. */
function allCode() {
  return [...document.querySelectorAll("code-cell, code-exercise")].filter(
    (element) => element instanceof EditableCode,
  );
}
