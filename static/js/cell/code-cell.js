// <code-cell>: functions of the page that a reader edits in place. All cells of a page are edits of
// one code, so each run applies them all.
import { EditableCode } from "./editable-code.js";

class CodeCell extends EditableCode {
  call() {
    const edits = cells().map((cell) => cell.asEdit());
    return { name: "run_reader_code_json", request: { edits, program: this.data.program } };
  }

  /** @returns {EditableCode[]} */
  dependents() {
    return cells();
  }

  /** @param {import("./data.js").Answer} answer */
  show({ failure }) {
    const edits = cells()
      .filter((cell) => cell.isEdited)
      .map((cell) => cell.asEdit());
    const detail = { edits, failure };
    this.dispatchEvent(new CustomEvent("reader-code-ran", { bubbles: true, detail }));
  }

  reset() {
    super.reset();
    if (cells().some((cell) => cell.isEdited)) return;
    document.dispatchEvent(new Event("reader-code-restored"));
  }

  asEdit() {
    const { cell, module, first, last } = this.data;
    return { cell, module, first, last, text: this.text };
  }
}

function cells() {
  return [...document.querySelectorAll("code-cell")].filter((cell) => cell instanceof CodeCell);
}

customElements.define("code-cell", CodeCell);
