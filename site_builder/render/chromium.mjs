// Prints documents with Chromium: an answer is {data, heights} for each document. `data` is a PDF, or
// a PNG where the document has a `width`, in base64; `heights` says for each of its `widths` how tall
// its passages are on a screen, in rem.
//
// All that a document asks for comes from `files`, which are base64 by path. It has no network.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import puppeteer from "puppeteer-core";

const SITE = "http://site.invalid/";
const KINDS = { ".html": "text/html", ".css": "text/css" };
const MILLISECONDS = 120_000; // for each step of a document
const ARGS = ["--disable-gpu", "--font-render-hinting=none"];
const PDF = {
  preferCSSPageSize: true,
  printBackground: true,
  outline: true,
  timeout: MILLISECONDS,
};

export async function answer(documents, executablePath, args, files) {
  const userDataDir = mkdtempSync(join(tmpdir(), "chromium-"));
  let browser;
  const clear = () => {
    browser?.process()?.kill("SIGKILL");
    rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  process.on("exit", clear); // the builder may be killed meanwhile
  try {
    browser = await launch({ executablePath, userDataDir, args: [...ARGS, ...args] });
    const [page] = await browser.pages();
    page.setDefaultTimeout(MILLISECONDS);
    await page.setRequestInterception(true);
    page.on("request", (request) => serve(request, files));
    const made = [];
    for (const document of documents) made.push(await make(page, document));
    return made;
  } finally {
    await browser?.close();
    clear();
    process.off("exit", clear);
  }
}

// Over a pipe, so that Chromium ends when Node does, however that is. But a pipe only says that it
// was closed; where the browser cannot be started, a socket says more.
async function launch(options) {
  const given = { ...options, defaultViewport: null, protocolTimeout: MILLISECONDS };
  try {
    return await puppeteer.launch({ ...given, pipe: true });
  } catch (error) {
    const unexpected = await puppeteer.launch(given).catch(({ message }) => {
      throw new Error(message.replace(/TROUBLESHOOTING:.*/s, ""));
    });
    await unexpected.close();
    throw error;
  }
}

function serve(request, files) {
  const url = request.url();
  const path = new URL(url).pathname.slice(1);
  if (url.startsWith(SITE) && Object.hasOwn(files, path)) {
    const contentType = KINDS[extname(path)] ?? "application/octet-stream";
    return request.respond({ contentType, body: Buffer.from(files[path], "base64") });
  }
  return request.abort("blockedbyclient");
}

async function make(page, { path, width, height, widths }) {
  if (width) await resize(page, width, height);
  await page.emulateMediaType(width ? "screen" : "print");
  await page.goto(SITE + path);
  await page.evaluate(() => document.fonts.ready.then(() => 0));
  const data = width
    ? await page.screenshot({ captureBeyondViewport: false })
    : await page.pdf(PDF);
  return { data: Buffer.from(data).toString("base64"), heights: await measure(page, widths) };
}

async function measure(page, widths) {
  if (widths.length) await page.emulateMediaType("screen");
  const heights = [];
  for (const width of widths) {
    await resize(page, width, 800);
    heights.push(await page.evaluate(passageHeights));
  }
  return heights;
}

/** Runs in the page. */
function passageHeights() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const passages = [...document.querySelectorAll(".passage")];
  return passages.map((passage) => passage.getBoundingClientRect().height / rem);
}

function resize(page, width, height) {
  return page.setViewport({ width, height, deviceScaleFactor: 1 });
}
