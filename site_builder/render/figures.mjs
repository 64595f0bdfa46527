// Makes drawings: an answer is {svg, table} or {error} for each {kind, values}. The module that
// draws is the one that readers' browsers get.
import { dirname } from "node:path";
import { run } from "./esbuild.mjs";

export async function answer(questions, module, packages) {
  const { DRAWINGS } = await load(module, packages);
  return questions.map(({ kind, values }) => {
    try {
      return DRAWINGS[kind](values);
    } catch (error) {
      return { error: String(error.message) };
    }
  });
}

// As one piece of text: it may lie anywhere, while packages are the builder's own, and Node, which
// loads a file once, is to see what has changed since.
async function load(module, packages) {
  try {
    const { outputFiles } = await run({
      entryPoints: [module],
      absWorkingDir: dirname(module),
      bundle: true,
      format: "esm",
      nodePaths: [packages],
    });
    const code = Buffer.from(outputFiles[0].contents).toString("base64");
    return await import(`data:text/javascript;base64,${code}`);
  } catch (error) {
    const [{ text, location } = {}] = error.errors ?? [];
    throw location ? new Error(`${location.file}:${location.line}: ${text}`) : error;
  }
}
