// <live-figure>: a drawing of a run. Without this script it shows what the build drew; with it, the
// same code draws again when the run has new values. That code is fetched only then.
import { findProgram, whenParsed } from "./programs.js";

class LiveFigure extends HTMLElement {
  connectedCallback() {
    whenParsed(() => this.#connect());
  }

  #connect() {
    const program = findProgram(this.dataset.run ?? "");
    if (!program) return;
    program.addEventListener("inputs", () => this.toggleAttribute("data-stale", true));
    program.addEventListener("results", () => this.#draw(program));
    // Scripts arrive in any order, so the numbers may be others already.
    if (program.hasRun) this.#draw(program);
    else this.toggleAttribute("data-stale", !program.isCurrent);
  }

  /** @param {import("./program.js").Program} program */
  async #draw(program) {
    const failed = this.querySelector(".drawing-failed");
    try {
      const { DRAWINGS } = await import("./figures/index.js");
      /** @type {[string, string][]} */
      const keys = Object.entries(JSON.parse(this.dataset.keys ?? "{}"));
      const values = Object.fromEntries(keys.map(([name, key]) => [name, program.values[key]]));
      const { svg, table } = DRAWINGS[this.dataset.kind ?? ""](values);
      this.#show(".picture", svg);
      this.#show(".numbers-table", table);
      this.toggleAttribute("data-stale", !program.isCurrent || program.error !== "");
      failed?.toggleAttribute("hidden", true);
    } catch {
      this.toggleAttribute("data-stale", true);
      failed?.toggleAttribute("hidden", false);
    }
  }

  /**
   * @param {string} part
   * @param {string} markup
   */
  #show(part, markup) {
    const element = this.querySelector(part);
    if (element) element.innerHTML = markup;
  }
}

customElements.define("live-figure", LiveFigure);
