// Runs in a worker: loads Pyodide, NumPy and the site's Python files, then answers calls.

/** @type {any} */
let example = null;

self.addEventListener("message", async ({ data }) => {
  try {
    if (data.type === "start") {
      await start(data.runtime, data.total);
    } else if (data.type === "call") {
      const answer = example[data.name](data.request);
      self.postMessage({ type: "answer", call: data.call, answer });
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    self.postMessage({ type: "failed", error: text.trim().split("\n").at(-1) });
  }
});

/**
 * @param {string} runtime
 * @param {number} total
 */
async function start(runtime, total) {
  countBytes(total);
  const sources = load(`${runtime}sources.zip`);
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"] });
  pyodide.unpackArchive(await sources, "zip", { extractDir: "/home/pyodide/site" });
  pyodide.runPython("import sys; sys.path.insert(0, '/home/pyodide/site')");
  example = pyodide.pyimport("site_builder.observe.example");
  self.postMessage({ type: "ready", environment: example.environment() });
}

/** @param {string} address */
async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/**
 * Count what is fetched, by whomever, as it arrives.
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
    const response = await plainFetch(...request);
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
