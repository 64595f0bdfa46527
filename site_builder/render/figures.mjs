// Makes drawings: an answer is {svg, table} or {error} for each {kind, values}. The module that
// draws is the one that readers' browsers get.
import { buildSync } from "esbuild";

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
function load(module, packages) {
  const options = { bundle: true, format: "esm", write: false, logLevel: "silent" };
  const { outputFiles } = buildSync({ ...options, entryPoints: [module], nodePaths: [packages] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
