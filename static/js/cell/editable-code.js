// What cells and exercises have in common: a listing that becomes an editor, kept edits, and runs
// that can be stopped.
import { pythonOfPage } from "../page-python.js";
import { openEditor } from "./editor.js";
import { editsOfLink, isLinkWithEdits, keep, leaveLink, linkWith, recall } from "./kept.js";
import { showFailure } from "./show-failure.js";

/**
 * @typedef {Object} CellData
 * @property {string} cell
 * @property {string} name
 * @property {string} module
 * @property {number} first
 * @property {number} last
 * @property {string} text
 * @property {string} version
 * @property {string} program
 * @property {string} check
 *
 * @typedef {import("./show-failure.js").Failure} Failure
 * @typedef {{ output: string, failure: Failure | null, findings?: any[] }} Answer
 */

export const LIMIT = 10; // seconds that a run may take

/** Runs come one after the other, so that none is stopped for the time that another took. */
let turn = Promise.resolve();

export class EditableCode extends HTMLElement {
  /** @type {import("./editor.js").Editor | null} */
  #editor = null;
  /** @type {AbortController | null} set while a run is wanted */
  #run = null;
  /** The text as the reader has it now. */
  text = "";
  /** @type {CellData} */
  data = JSON.parse("{}");

  connectedCallback() {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.#connect(), { once: true });
    } else {
      this.#connect();
    }
  }

  get isEdited() {
    return this.text !== this.data.text;
  }

  /** @returns {{ name: string, request: object }} which function of Python a run calls, with what */
  call() {
    throw new Error("each kind of cell has its own");
  }

  /** @param {Answer} _answer */
  show(_answer) {}

  async #connect() {
    this.data = JSON.parse(this.querySelector(".cell-data")?.textContent ?? "{}");
    this.text = this.data.text;
    const buttons = this.querySelector(".buttons");
    const python = pythonOfPage();
    if (!python) {
      if (buttons instanceof HTMLElement) buttons.hidden = true;
      return this.say("This copy of the site has no Python, so the code cannot be run here.");
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
    await this.#recall();
  }

  /** @param {string} action */
  async #act(action) {
    if (action === "edit") (await this.edit()).focus();
    if (action === "run") await this.run();
    if (action === "stop") this.#run?.abort("Stopped.");
    if (action === "diff") await this.#showChanges();
    if (action === "reset") this.reset();
    if (action === "share") await this.#share();
  }

  /** Turn the listing into an editor, unless it is one. */
  async edit() {
    if (this.#editor) return this.#editor;
    const listing = /** @type {HTMLElement} */ (this.querySelector(".listing pre"));
    const parent = document.createElement("div");
    parent.className = "editor";
    const help = this.querySelector(".cell-help");
    const editor = await openEditor({
      parent,
      text: this.text,
      original: this.data.text,
      first: this.data.first,
      label: `Code of ${this.data.name}`,
      help: help?.id ?? "",
      onChange: (text) => this.#take(text),
      onRun: () => this.run(),
    });
    if (this.#editor) return this.#editor; // asked for twice before it came
    this.#editor = editor;
    listing.hidden = true;
    listing.after(parent);
    if (help instanceof HTMLElement) help.hidden = false;
    this.button("edit").disabled = true;
    return editor;
  }

  /** Go back to the source that the page shows. */
  reset() {
    this.#editor?.replace(this.data.text);
    this.#take(this.data.text);
  }

  /** A text that the reader made, which is kept. @param {string} text */
  #take(text) {
    this.text = text;
    this.toggleAttribute("data-stale", true);
    this.#notice("");
    this.#showEdited();
    if (isLinkWithEdits()) {
      for (const other of allCode()) other.#keep();
      leaveLink();
    } else {
      this.#keep();
    }
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

  /** Edits that came with the page's address, or else that were kept. */
  async #recall() {
    const shared = (await editsOfLink()).get(this.data.cell);
    const found = shared ?? recall("code", this.data.cell);
    if (!found || found.text === this.data.text) return;
    const whose = shared ? "someone's edit that came with this link" : "your edit";
    if (found.version === this.data.version) {
      await this.#restore(found.text);
      if (shared) {
        this.#notice("This is someone's edit that came with the link. It has not been run.", [
          ["Reset", () => this.reset()],
        ]);
      } else {
        this.#notice("These are your edits, as you left them. They have not been run yet.");
      }
    } else {
      this.#notice(`There is ${whose}, of a version of this code that has changed since.`, [
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
    this.toggleAttribute("data-stale", true);
    this.#showEdited();
  }

  /** Run what the reader wrote, once it is this cell's turn. */
  async run() {
    const { python } = this;
    if (!python || this.#run) return;
    const run = new AbortController();
    this.#run = run;
    const before = turn;
    let end = () => {};
    turn = new Promise((resolve) => {
      end = resolve;
    });
    this.#showRunning();
    let timer = 0;
    try {
      await before;
      await python.ready(run.signal);
      this.#showRunning();
      const { name, request } = this.call();
      const started = performance.now();
      timer = setTimeout(
        () => run.abort(`Stopped after ${LIMIT} s, the limit of a run.`),
        LIMIT * 1000,
      );
      const answer = await python.callUntil(name, JSON.stringify(request), run.signal);
      this.#finish(JSON.parse(answer), performance.now() - started);
    } catch (reason) {
      this.#fail(reason);
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /**
   * @param {Answer} answer
   * @param {number} milliseconds
   */
  #finish(answer, milliseconds) {
    this.#end("ready");
    this.removeAttribute("data-stale");
    this.#notice("");
    const { environment = "" } = this.python ?? {};
    this.say(`Run in this browser with ${environment}, in ${milliseconds.toFixed(0)} ms.`);
    this.#showOutput(answer.output);
    this.#showFailure(answer.failure);
    this.show(answer);
    if (answer.failure?.kind === "MemoryError") {
      this.say("The run filled the memory. Python starts anew; your text is as it was.");
      this.python?.restart();
    }
  }

  /** A run without an answer. @param {unknown} reason */
  #fail(reason) {
    const stopped = typeof reason === "string";
    this.#end(stopped ? "stopped" : "failed");
    this.toggleAttribute("data-stale", true);
    this.say(
      stopped
        ? `${reason} Your text is as it was.`
        : `Python ended (${reason instanceof Error ? reason.message : reason}). Your text is as it was; run it to start Python again.`,
    );
    this.announce(this.#statusText());
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
    this.say(`Running. It is stopped after ${LIMIT} s.`);
    this.#showLoading();
  }

  #showLoading() {
    const { state, progress } = this.python ?? {};
    const bar = this.querySelector("progress");
    const isWanted = this.#run !== null && state === "loading";
    if (!bar || !progress) return;
    bar.hidden = !isWanted;
    if (!isWanted) return;
    bar.max = progress.total;
    bar.value = progress.loaded;
    const megabytes = [progress.loaded, progress.total].map((n) => (n / 1e6).toFixed(1));
    this.say(`${progress.stage}: ${megabytes[0]} of ${megabytes[1]} MB.`);
    this.announce(progress.stage);
  }

  /** @param {string} output */
  #showOutput(output) {
    const element = this.querySelector(".cell-output");
    const text = output.replace(/\n$/, "");
    const samp = element?.querySelector("samp");
    if (samp) samp.textContent = text;
    if (element instanceof HTMLElement) element.hidden = text === "";
    this.announce(text === "" ? "Nothing was printed." : `Output: ${text.slice(0, 300)}`);
  }

  /** @param {Failure | null} failure */
  #showFailure(failure) {
    const panel = /** @type {HTMLElement} */ (this.querySelector(".cell-failure"));
    for (const code of allCode()) code.#unmark();
    if (!failure) {
      panel.hidden = true;
      return;
    }
    const names = new Map(allCode().map(({ data }) => [data.cell, data.name]));
    panel.replaceChildren(...showFailure(failure, this.data.cell, names));
    panel.hidden = false;
    this.announce(textOf(panel));
    const deepest = failure.lines.at(-1);
    const owner = allCode().find((code) => code.data.cell === deepest?.cell);
    if (owner && deepest) owner.#mark(deepest.line, `${failure.kind}: ${failure.message}`);
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
    await this.edit();
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
    const link = await linkWith(Object.fromEntries(edits));
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = link;
    field.setAttribute("aria-label", "Link with the edits of this page");
    this.#notice(copied ? "Copied. The link holds the edits of this page." : "Copy this link:");
    this.querySelector(".cell-notice")?.append(field);
    field.select();
  }

  /**
   * @param {string} text nothing, to take it away
   * @param {[string, () => void][]} actions
   */
  #notice(text, actions = []) {
    const notice = /** @type {HTMLElement} */ (this.querySelector(".cell-notice"));
    const buttons = actions.map(([label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => {
        this.#notice("");
        act();
      });
      return button;
    });
    notice.replaceChildren(`${text} `, ...buttons);
    notice.hidden = text === "";
  }

  /** @param {string} action */
  button(action) {
    return /** @type {HTMLButtonElement} */ (
      this.querySelector(`.buttons [data-action="${action}"]`)
    );
  }

  /** @param {string} text */
  say(text) {
    const status = this.querySelector(".status-text");
    if (status && status.textContent !== text) status.textContent = text;
  }

  #statusText() {
    return this.querySelector(".status-text")?.textContent ?? "";
  }

  /** Let a screen reader say it. @param {string} text */
  announce(text) {
    const region = this.querySelector("[role=status]");
    if (region && region.textContent !== text) region.textContent = text;
  }
}

/** The texts in an element, one after the other. @param {Element} element */
export function textOf(element) {
  return [...element.children].map((child) => child.textContent).join(". ");
}

/** All code of the page that can be edited. */
function allCode() {
  return [...document.querySelectorAll("code-cell, code-exercise")].filter(
    (element) => element instanceof EditableCode,
  );
}

// An address with edits in it, given to the page that is open, loads no page by itself.
window.addEventListener("hashchange", () => {
  if (isLinkWithEdits()) location.reload();
});
