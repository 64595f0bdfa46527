// Runs the builder's scripts for as long as the builder wants: on standard input a line of JSON for
// each request, on standard output a line for each reply, in the order in which they are ready.
// A script exports `answer(questions, ...args)`, which returns as many answers as there are
// questions. The end of the input ends the process, also when the builder was killed.
import { Console } from "node:console";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

globalThis.console = new Console(process.stderr); // what a package prints is not a reply

async function reply({ id, script, questions, args }) {
  try {
    const { answer } = await import(pathToFileURL(script).href);
    return { id, answers: questions && (await answer(questions, ...args)) };
  } catch (error) {
    return { id, error: String(error?.message ?? error) };
  }
}

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    process.stdout.write(`${JSON.stringify(await reply(JSON.parse(line)))}\n`);
  })
  .on("close", () => process.exit()); // Puppeteer then ends its browser and removes its files
