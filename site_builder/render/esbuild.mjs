// Makes scripts and styles small, in one process: on standard input a JSON list of {path, bundle}, the
// folder to find packages in as the argument; a JSON list of {code} or {error, line} on standard output.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const [modules] = process.argv.slice(2);
const questions = JSON.parse(readFileSync(0, "utf8"));
const answers = questions.map(async ({ path, bundle }) => {
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      ...(bundle && { nodePaths: [modules], external: ["fonts/*"] }),
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
