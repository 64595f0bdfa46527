// Runs Lighthouse on each address: a JSON list of {address, runs} on standard input, a JSON list of
// {scores, lost} on standard output; the path of Chromium and its options are the arguments.
import { readFileSync } from "node:fs";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const [chromePath, ...options] = process.argv.slice(2);
const answers = [];
for (const { address, runs } of JSON.parse(readFileSync(0, "utf8"))) {
  const reports = [];
  for (let run = 0; run < runs; run++) reports.push(await report(address));
  const scores = CATEGORIES.map((name) => [name, median(reports.map((one) => one.scores[name]))]);
  answers.push({ scores: Object.fromEntries(scores), lost: lost(reports) });
}
process.stdout.write(JSON.stringify(answers));

// A browser of its own for each run, so that nothing is kept from the run before. Phones are what
// Lighthouse takes by default: a slow connection and a processor of a quarter, both simulated.
async function report(address) {
  const chrome = await launch({ chromePath, chromeFlags: ["--headless=new", ...options] });
  try {
    const flags = { port: chrome.port, throttlingMethod: "simulate", onlyCategories: CATEGORIES };
    const { lhr } = await lighthouse(address, { ...flags, logLevel: "error" });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const scores = CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]);
    return { scores: Object.fromEntries(scores), lost: shortfalls(lhr) };
  } finally {
    chrome.kill();
  }
}

// The audits that count and are not full, with what they say of it.
function shortfalls({ categories, audits }) {
  const counted = CATEGORIES.flatMap((name) => categories[name].auditRefs);
  const ids = counted.filter(({ weight }) => weight > 0).map(({ id }) => id);
  return ids
    .filter((id) => audits[id].score !== null && audits[id].score < 1)
    .map((id) => {
      const { title, displayValue = "", score } = audits[id];
      return `${id} ${score.toFixed(2)}: ${title} ${displayValue}`.trim();
    });
}

function lost(reports) {
  return [...new Set(reports.flatMap((one) => one.lost))];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
