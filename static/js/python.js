// Python in a worker: one for the page, started when it is first asked for.

/**
 * @typedef {"idle" | "loading" | "ready" | "failed"} PythonState
 * @typedef {{ stage: string, loaded: number, total: number }} Progress
 * @typedef {(answer: string) => void} Receive
 */

/** Fires `change` when its state changes, and `progress` while it loads. */
export class Python extends EventTarget {
  /** @type {PythonState} */
  state = "idle";
  /** @type {Progress} */
  progress = { stage: "", loaded: 0, total: 0 };
  environment = "";
  error = "";
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Receive>} */
  #waiting = new Map();
  #lastCall = 0;

  /**
   * @param {string} runtime address of the folder with Pyodide, NumPy and the code
   * @param {number} bytes how much will be loaded
   */
  constructor(runtime, bytes) {
    super();
    this.runtime = new URL(runtime, document.baseURI).href;
    this.bytes = bytes;
  }

  /** Begin to load Python, unless that has begun already. After a failure it tries again. */
  start() {
    if (this.state === "loading" || this.state === "ready") return;
    this.#worker?.terminate();
    this.#waiting.clear();
    this.progress = { stage: "Loading Python", loaded: 0, total: this.bytes };
    this.#enter("loading");
    const worker = new Worker(new URL("./python-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(event.message || "the worker could not be loaded");
    });
    worker.postMessage({ type: "start", runtime: this.runtime, total: this.bytes });
    this.#worker = worker;
  }

  /**
   * Call a function of `site_builder.observe.example` that takes and returns a text.
   *
   * @param {"run_json" | "largest_difference_json"} name
   * @param {string} request
   * @returns {Promise<string>} never settles if Python fails before it answers
   */
  call(name, request) {
    this.#lastCall += 1;
    const call = this.#lastCall;
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve);
      this.#worker?.postMessage({ type: "call", call, name, request });
    });
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === "progress") {
      this.progress = message.progress;
      this.dispatchEvent(new Event("progress"));
    } else if (message.type === "ready") {
      this.environment = message.environment;
      this.#enter("ready");
    } else if (message.type === "answer") {
      this.#waiting.get(message.call)?.(message.answer);
      this.#waiting.delete(message.call);
    } else if (message.type === "failed") {
      this.#fail(message.error);
    }
  }

  /** @param {string} error */
  #fail(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
    this.error = error;
    this.#enter("failed");
  }

  /** @param {PythonState} state */
  #enter(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
