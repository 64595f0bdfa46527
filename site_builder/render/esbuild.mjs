// Bundles in one process: a JSON list of entry modules or styles on standard input, the folder to
// find packages in as the argument; a JSON list of {code} or {error, line} on standard output.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const entries = JSON.parse(readFileSync(0, "utf8"));
const [modules] = process.argv.slice(2);
const answers = entries.map(async (entry) => {
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      nodePaths: [modules],
      external: ["fonts/*"],
      logLevel: "silent",
      write: false,
    });
    return { code: outputFiles[0].text };
  } catch (error) {
    const [first] = error.errors ?? [];
    return { error: first?.text ?? String(error.message), line: first?.location?.line ?? 0 };
  }
});
process.stdout.write(JSON.stringify(await Promise.all(answers)));
