// Python in a worker: one for the page, started when it is first asked for.

/**
 * @typedef {"idle" | "loading" | "ready" | "failed"} PythonState
 * @typedef {{ stage: string, loaded: number, total: number }} Progress
 * @typedef {Object} Call
 * @property {{ type: "call", call: number, name: string, request: string }} message
 * @property {(answer: string) => void} resolve
 * @property {(reason: unknown) => void} reject
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
  /** @type {Map<number, Call>} */
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

  /** Start loading Python, unless it is loading already. After a failure, try again. */
  start() {
    if (this.state === "loading" || this.state === "ready") return;
    this.#begin();
  }

  /** Terminate the worker and start another. Pending calls are made again. */
  restart() {
    if (this.state === "loading" || this.state === "ready") this.#begin();
  }

  /**
   * Start Python if need be, and wait until it is ready.
   *
   * @param {AbortSignal} signal ends the waiting
   * @returns {Promise<void>} rejects with the signal's reason, or an Error if Python fails
   */
  ready(signal) {
    this.start();
    return new Promise((resolve, reject) => {
      const settle = () => {
        if (this.state === "ready") resolve();
        if (this.state === "failed") reject(new Error(this.error));
      };
      this.addEventListener("change", settle, { signal });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      settle();
    });
  }

  /**
   * Call a function that takes and returns a text; the worker knows which there are.
   *
   * @param {string} name
   * @param {string} request
   * @returns {Promise<string>} never settles if Python fails before it answers
   */
  call(name, request) {
    return this.#call(name, request, () => {});
  }

  /**
   * Call a function that may never return. Aborting it terminates the worker and starts another.
   *
   * @param {string} name
   * @param {string} request
   * @param {AbortSignal} signal
   * @returns {Promise<string>} rejects with the signal's reason, or an Error if Python fails
   */
  callUntil(name, request, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const call = this.#lastCall + 1;
      this.#call(name, request, reject).then(resolve);
      const abort = () => {
        if (!this.#waiting.delete(call)) return;
        this.restart();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  /**
   * @param {string} name
   * @param {string} request
   * @param {(reason: unknown) => void} reject
   * @returns {Promise<string>}
   */
  #call(name, request, reject) {
    this.#lastCall += 1;
    const call = this.#lastCall;
    return new Promise((resolve) => {
      const message = { type: /** @type {const} */ ("call"), call, name, request };
      this.#waiting.set(call, { message, resolve, reject });
      if (this.state === "ready") this.#worker?.postMessage(message);
    });
  }

  #begin() {
    this.#worker?.terminate();
    this.progress = { stage: "Loading Python", loaded: 0, total: this.bytes };
    this.#enter("loading");
    const worker = new Worker(new URL("./python-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (worker === this.#worker) this.#receive(data); // not what an ended one had still sent
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#fail(event.message || "the worker could not be loaded");
    });
    worker.postMessage({ type: "start", runtime: this.runtime, total: this.bytes });
    this.#worker = worker;
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === "progress") {
      this.progress = message.progress;
      this.dispatchEvent(new Event("progress"));
    } else if (message.type === "ready") {
      this.environment = message.environment;
      for (const { message } of this.#waiting.values()) this.#worker?.postMessage(message);
      this.#enter("ready");
    } else if (message.type === "answer") {
      this.#waiting.get(message.call)?.resolve(message.answer);
      this.#waiting.delete(message.call);
    } else if (message.type === "failed") {
      this.#fail(message.error);
    }
  }

  /** @param {string} error */
  #fail(error) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.error = error;
    this.#enter("failed");
    for (const { reject } of waiting) reject(new Error(error));
  }

  /** @param {PythonState} state */
  #enter(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }
}
