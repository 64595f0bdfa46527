// Runs in a worker: loads Pyodide, NumPy and the site's Python files, then answers calls.

/** The Python module whose functions a page may call: each takes and returns a text. */
let runner = /** @type {any} */ (null);

self.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  try {
    if (data.type === "start") {
      await start(data.runtime, data.total);
    } else if (data.type === "call") {
      const answer = runner[data.name](data.request);
      self.postMessage({ type: "answer", call: data.call, answer });
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    fail(text.trim().split("\n").at(-1) ?? "");
  }
});

/** @param {string} error */
function fail(error) {
  self.postMessage({ type: "failed", error });
}

/**
 * @param {string} runtime
 * @param {number} total
 */
async function start(runtime, total) {
  countBytes(total);
  const sources = fetch(`${runtime}sources.zip`);
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"] });
  const packed = await (await sources).arrayBuffer();
  pyodide.unpackArchive(packed, "zip", { extractDir: "/home/pyodide/site" });
  pyodide.runPython("import sys; sys.path.insert(0, '/home/pyodide/site')");
  runner = pyodide.pyimport("runner.browser");
  self.postMessage({ type: "ready", environment: runner.environment() });
}

/**
 * Count what is fetched, by whomever, as it arrives. A file that cannot be had ends the start at
 * once: Pyodide itself would wait for it for ever.
 *
 * @param {number} total
 */
function countBytes(total) {
  let loaded = 0;
  let underWay = 0;
  const report = () => {
    const stage = underWay ? "Loading Python" : "Starting Python";
    self.postMessage({ type: "progress", progress: { stage, loaded, total } });
  };
  const plainFetch = self.fetch.bind(self);
  self.fetch = async (...request) => {
    const name = String(request[0]).split("/").at(-1);
    const response = await plainFetch(...request).catch((error) => {
      fail(`${name} could not be loaded`);
      throw error;
    });
    if (!response.ok) fail(`${name} could not be loaded: ${response.status}`);
    if (!response.body || !response.ok) return response;
    underWay += 1;
    const counter = new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        report();
        controller.enqueue(chunk);
      },
      flush() {
        underWay -= 1;
        report();
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}
