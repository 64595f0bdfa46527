// Cuts faces down to the characters that are asked for: a JSON list of {font, text} on standard
// input, a JSON list of {data} in base64, or {error}, on standard output.
import { readFileSync } from "node:fs";
import subsetFont from "subset-font";

// Kerning, ligatures, marks, and digits of one width; no small capitals and the like.
const FEATURES = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"];

const answers = [];
for (const { font, text } of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const options = { targetFormat: "woff2", keepFeatures: FEATURES, noHinting: true };
    const cut = await subsetFont(readFileSync(font), text, options);
    answers.push({ data: Buffer.from(cut).toString("base64") });
  } catch (error) {
    answers.push({ error: String(error.message) });
  }
}
process.stdout.write(JSON.stringify(answers));
