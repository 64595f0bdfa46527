// An example's program: its inputs, its results, and when to run it.

/**
 * @typedef {string[] | string[][] | string[][][]} Numbers as a person types them
 * @typedef {{ shape: number[], numbers: string[], texts: string[] }} Value
 * @typedef {Object} Recorded
 * @property {string} program
 * @property {Record<string, Numbers>} inputs
 * @property {object[]} wanted
 * @property {Record<string, Value>} recorded
 * @property {string} environment
 */

/** Fires `inputs` when they change and `results` when a run has ended. */
export class Program extends EventTarget {
  /** What the last run raised, or nothing. */
  error = "";
  /** The largest difference between the build's results and this browser's. */
  difference = "";
  /** Whether `values` belong to the inputs as they are now. */
  isCurrent = true;
  /** Whether the inputs came with a link, and nobody has asked for a run with them. */
  isProposed = false;
  #running = false;
  #compared = false;

  /**
   * @param {Recorded} recorded
   * @param {import("./python.js").Python} python
   */
  constructor(recorded, python) {
    super();
    this.recorded = recorded;
    this.python = python;
    this.values = recorded.recorded;
    this.inputs = structuredClone(recorded.inputs);
    python.addEventListener("change", () => {
      this.#running = false;
      this.#run();
    });
  }

  /**
   * Set some of the inputs and run, now or as soon as Python is ready. Of edits made during a run,
   * the latest wins.
   *
   * @param {Record<string, Numbers>} changed
   */
  update(changed) {
    Object.assign(this.inputs, structuredClone(changed));
    this.isCurrent = false;
    this.isProposed = false;
    this.dispatchEvent(new Event("inputs"));
    this.run();
  }

  /**
   * Set inputs without running, until a run is requested or Python starts for another reason.
   *
   * @param {Record<string, Numbers>} inputs
   */
  propose(inputs) {
    this.inputs = structuredClone(inputs);
    this.isCurrent = false;
    this.isProposed = true;
    this.dispatchEvent(new Event("inputs"));
  }

  /** Whether the values differ from those that the build recorded. */
  get hasRun() {
    return this.values !== this.recorded.recorded;
  }

  /** Run with the inputs as they are, now or as soon as Python is ready. */
  run() {
    this.python.start();
    this.#run();
  }

  /** Go back to the numbers and results that the build recorded. */
  reset() {
    if (!this.isProposed || this.hasRun) {
      this.update(this.recorded.inputs);
      return;
    }
    this.inputs = structuredClone(this.recorded.inputs);
    this.isCurrent = true; // nothing was run yet
    this.isProposed = false;
    this.dispatchEvent(new Event("inputs"));
    this.dispatchEvent(new Event("results"));
  }

  async #run() {
    if (this.#running || this.python.state !== "ready") return;
    this.#running = true;
    this.isProposed = false;
    if (!this.#compared) await this.#compare();
    while (!this.isCurrent) {
      this.isCurrent = true;
      const answer = await this.#ask(this.inputs);
      if (!this.isCurrent) continue; // edited meanwhile: this result is of no interest
      this.error = answer.error ?? "";
      if (answer.values) this.values = answer.values;
      this.dispatchEvent(new Event("results"));
    }
    this.#running = false;
  }

  /** Run once on the recorded inputs, to see how far this browser is from the build. */
  async #compare() {
    const { values } = await this.#ask(this.recorded.inputs);
    const request = JSON.stringify([this.recorded.recorded, values]);
    this.difference = await this.python.call("largest_difference_json", request);
    this.#compared = true;
    this.dispatchEvent(new Event("results"));
  }

  /**
   * @param {Record<string, Numbers>} inputs
   * @returns {Promise<{ values?: Record<string, Value>, error?: string }>}
   */
  async #ask(inputs) {
    const { program, wanted } = this.recorded;
    const request = JSON.stringify({ program, inputs, wanted });
    return JSON.parse(await this.python.call("run_json", request));
  }
}
