// <code-exercise>: an answer that a check marks. That it is done is kept on this device only.
import { EditableCode } from "./editable-code.js";
import { keep, recall } from "./kept.js";
import { textOf } from "./result.js";

class CodeExercise extends EditableCode {
  connectedCallback() {
    super.connectedCallback();
    this.querySelector("[data-action=forget]")?.addEventListener("click", () => {
      keep("done", this.id, null);
      this.#showProgress();
      this.button("run").focus();
    });
    this.#showProgress();
  }

  call() {
    const { cell, check } = this.data;
    return { name: "check_answer_json", request: { cell, check, text: this.text } };
  }

  /** @param {import("./data.js").Answer} answer */
  show({ findings = [], failure }) {
    const list = /** @type {HTMLElement} */ (this.querySelector(".findings"));
    list.replaceChildren(...findings.map(findingItem));
    list.hidden = findings.length === 0;
    if (failure) return;
    const wrong = findings.filter((finding) => !finding.holds).length;
    const isRight = findings.length > 0 && wrong === 0;
    if (isRight) keep("done", this.id, { version: this.data.version, text: "" });
    this.#showProgress();
    const verdict = isRight
      ? `Right: all ${findings.length} checks hold.`
      : `Not yet: ${wrong} of ${findings.length} checks ${wrong === 1 ? "fails" : "fail"}.`;
    this.result.say(verdict);
    this.result.announce(isRight ? verdict : `${verdict} ${textOf(list)}`);
  }

  #showProgress() {
    const done = recall("done", this.id) !== null;
    const badge = /** @type {HTMLElement} */ (this.querySelector(".progress-badge"));
    badge.textContent = done ? "Done" : "Not done yet";
    this.toggleAttribute("data-done", done);
    const note = this.querySelector(".progress-note");
    if (note instanceof HTMLElement) note.hidden = !done;
  }
}

/** @param {import("./data.js").Finding} finding */
function findingItem({ property, holds, where, expected, got, hint }) {
  const item = document.createElement("li");
  item.dataset.holds = String(holds);
  const verdict = document.createElement("strong");
  verdict.textContent = holds ? "Holds" : "Fails";
  item.append(verdict, ` ${property}`);
  if (!holds) {
    const comparison = document.createElement("span");
    comparison.className = "comparison";
    const at = where ? `${where}: ` : "";
    comparison.textContent = `${at}expected ${expected}, got ${got}.${hint ? ` ${hint}` : ""}`;
    item.append(comparison);
  }
  return item;
}

customElements.define("code-exercise", CodeExercise);
