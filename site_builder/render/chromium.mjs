// Prints documents with Chromium, over its debugging pipe: on standard input a JSON list of one
// {files, documents}, on standard output a JSON list of one {made} or {error}. Of each document
// there are `data`, and `heights`: for each of its widths, how tall its passages are on a screen.
//
// All that a document asks for comes from `files`, which are base64 by path. It has no network.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

const SITE = "http://site.invalid/";
const KINDS = { ".html": "text/html", ".css": "text/css" };
const SECONDS = 120; // for each document
const PDF = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: true,
  generateDocumentOutline: true,
};

const HEIGHTS = `(() => {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const passages = [...document.querySelectorAll(".passage")];
  return passages.map((passage) => passage.getBoundingClientRect().height / rem);
})()`;

const [executable, ...options] = process.argv.slice(2);
const [{ files, documents }] = JSON.parse(readFileSync(0, "utf8"));
const profile = mkdtempSync(join(tmpdir(), "chromium-"));
const browser = spawn(
  executable,
  [
    "--headless",
    "--remote-debugging-pipe",
    `--user-data-dir=${profile}`,
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    ...options,
    "about:blank",
  ],
  { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] },
);
const [, , complaints, orders, news] = browser.stdio;
let complaint = "";
complaints.setEncoding("utf8").on("data", (text) => {
  complaint = (complaint + text).slice(-2000);
});
orders.on("error", () => {}); // the end of the browser is noticed below
const ended = new Promise((_, reject) => {
  browser.on("error", (error) => reject(error));
  browser.on("exit", (code) => reject(new Error(`it ended with code ${code}: ${complaint}`)));
});
ended.catch(() => {});

const waiting = new Map(); // what is called when the answer to an order, or an event, comes
let last = 0;
let unread = "";
news.setEncoding("utf8").on("data", (text) => {
  const messages = (unread + text).split("\0");
  unread = messages.pop();
  for (const message of messages) receive(JSON.parse(message));
});

function receive({ id, method, params, result, error }) {
  if (method === "Fetch.requestPaused") serve(params);
  const settle = waiting.get(id ?? method);
  waiting.delete(id ?? method);
  if (error) settle?.reject(new Error(error.message));
  else settle?.resolve(result ?? params);
}

function expect(key) {
  return new Promise((resolve, reject) => waiting.set(key, { resolve, reject }));
}

let session;
function order(method, params = {}) {
  last += 1;
  orders.write(`${JSON.stringify({ id: last, sessionId: session, method, params })}\0`);
  return expect(last);
}

function serve({ requestId, request }) {
  const path = new URL(request.url).pathname.slice(1);
  if (request.url.startsWith(SITE) && Object.hasOwn(files, path)) {
    const type = KINDS[extname(path)] ?? "application/octet-stream";
    const responseHeaders = [{ name: "Content-Type", value: type }];
    order("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders,
      body: files[path],
    });
  } else {
    order("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  }
}

async function start() {
  const { targetInfos } = await order("Target.getTargets");
  const { targetId } = targetInfos.find(({ type }) => type === "page");
  ({ sessionId: session } = await order("Target.attachToTarget", { targetId, flatten: true }));
  await order("Page.enable");
  await order("Fetch.enable");
}

/** @returns the bytes of a document as base64: a PDF, or a PNG where it has a `width` */
async function make({ path, width, height, widths }) {
  if (width) await resize(width, height);
  await order("Emulation.setEmulatedMedia", { media: width ? "screen" : "print" });
  const loaded = expect("Page.loadEventFired");
  await order("Page.navigate", { url: SITE + path });
  await loaded;
  await evaluate("document.fonts.ready.then(() => 0)");
  const command = width ? ["Page.captureScreenshot", { format: "png" }] : ["Page.printToPDF", PDF];
  const { data } = await order(...command);
  return { data, heights: await measure(widths) };
}

/** @returns for each width, how tall each passage is, in rem */
async function measure(widths) {
  if (widths.length) await order("Emulation.setEmulatedMedia", { media: "screen" });
  const heights = [];
  for (const width of widths) {
    await resize(width, 800);
    heights.push(await evaluate(HEIGHTS));
  }
  return heights;
}

function resize(width, height) {
  const size = { width, height, deviceScaleFactor: 1, mobile: false };
  return order("Emulation.setDeviceMetricsOverride", size);
}

async function evaluate(expression) {
  const options = { awaitPromise: true, returnByValue: true };
  return (await order("Runtime.evaluate", { expression, ...options })).result.value;
}

async function makeAll() {
  await within(SECONDS, start());
  const made = [];
  for (const document of documents) made.push(await within(SECONDS, make(document)));
  return { made };
}

function within(seconds, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function close() {
  if (browser.pid && browser.exitCode === null) {
    const gone = new Promise((resolve) => browser.on("exit", resolve));
    session = undefined;
    order("Browser.close").catch(() => {});
    await within(5, gone).catch(() => browser.kill("SIGKILL"));
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

const answer = await Promise.race([makeAll(), ended]).catch((error) => ({ error: error.message }));
await close();
process.stdout.write(JSON.stringify([answer]), () => process.exit(0));
