// Prints documents with Chromium: an answer is {data, heights} for each document. `data` is a PDF, or
// a PNG where the document has a `width`, in base64; `heights` says for each of its `widths` how tall
// its passages are on a screen, in rem.
//
// All that a document asks for comes from `files`, which are base64 by path. It has no network.
import { extname } from "node:path";
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

export async function answer(documents, executablePath, options, files) {
  const browser = await launch(executablePath, options);
  try {
    const [page] = await browser.pages();
    page.setDefaultTimeout(MILLISECONDS);
    await page.setRequestInterception(true);
    page.on("request", (request) => serve(request, files));
    const made = [];
    for (const document of documents) made.push(await make(page, document));
    return made;
  } finally {
    await browser.close();
  }
}

async function launch(executablePath, options) {
  const args = [...ARGS, ...options];
  try {
    return await puppeteer.launch({
      executablePath,
      args,
      pipe: true, // when Node ends, however it does, the browser does, too
      defaultViewport: null,
      protocolTimeout: MILLISECONDS,
    });
  } catch (error) {
    throw new Error(error.message.replace(/TROUBLESHOOTING:.*/s, ""));
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
