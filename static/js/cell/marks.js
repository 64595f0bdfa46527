// The mark beside each equation: what the build found, or the verdict on the reader's code.

/** @typedef {import("./verdicts.js").Verdict} Verdict */

export class Marks {
  /** What the build's marks hold, by the mark. @type {Map<HTMLElement, Node[]>} */
  #recorded = new Map();

  /** @param {Record<string, Verdict>} verdicts by the equation's id */
  show(verdicts) {
    for (const [id, verdict] of Object.entries(verdicts)) {
      const mark = document.getElementById(id)?.querySelector("details.verdict");
      if (!(mark instanceof HTMLElement)) continue;
      if (!this.#recorded.has(mark)) this.#recorded.set(mark, [...mark.childNodes]);
      mark.dataset.state = verdict.holds ? "holds" : "fails";
      mark.replaceChildren(...contents(verdict));
    }
  }

  /** Show what the build found. */
  restore() {
    for (const [mark, nodes] of this.#recorded) {
      mark.replaceChildren(...nodes);
      delete mark.dataset.state;
    }
    this.#recorded.clear();
  }
}

/** @param {Verdict} verdict */
function contents(verdict) {
  const summary = document.createElement("summary");
  const sign = document.createElement("span");
  sign.ariaHidden = "true";
  sign.textContent = verdict.holds ? "✓" : "✗";
  const word = verdict.holds ? "holds" : "error" in verdict ? "not checked" : "fails";
  summary.append(sign, ` ${word} with your code${verdict.holds ? "" : `: ${inWords(verdict)}`}`);
  const more = document.createElement("p");
  more.textContent = verdict.holds
    ? `Executed in this browser on your code, with ${verdict.inputs} inputs.`
    : "error" in verdict
      ? "Executed in this browser on your code. Reset returns to what the build found."
      : `Executed in this browser on your code; this was found on ${verdict.input}. Indices count from 0. Reset returns to what the build found.`;
  return [summary, more];
}

/** Why it does not hold, with the numbers. @param {Verdict} verdict */
export function inWords(verdict) {
  if (verdict.holds) return "";
  if ("error" in verdict) return verdict.error;
  const at = verdict.where ? `at ${verdict.where} ` : "";
  return `${at}the left side is ${verdict.left} and the right side ${verdict.right}`;
}
