// Minifies scripts and styles: an answer is {code} or {error, line} for each {path, bundle}. Bundles
// find their packages in the folder `packages`.
import { build, stop } from "esbuild";

export function answer(questions, packages) {
  return Promise.all(questions.map((question) => minify(question, packages)));
}

let running = 0;

/** As esbuild does it. Its process, which would take up memory, ends when nobody uses it. */
export async function run(options) {
  running += 1;
  try {
    return await build({ ...options, logLevel: "silent", write: false });
  } finally {
    running -= 1;
    if (running === 0) stop();
  }
}

async function minify({ path, bundle }, packages) {
  try {
    const { outputFiles } = await run({
      entryPoints: [path],
      bundle,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      ...(bundle && { nodePaths: [packages], external: ["fonts/*"] }),
    });
    return { code: outputFiles[0].text };
  } catch (error) {
    const [first] = error.errors ?? [];
    return { error: first?.text ?? String(error.message), line: first?.location?.line ?? 0 };
  }
}
