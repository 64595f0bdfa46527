// Minifies scripts and styles: an answer is {code} or {error, line} for each {path, bundle}. Bundles
// find their packages in the folder `packages`.
import { build, stop } from "esbuild";

export async function answer(questions, packages) {
  const answers = await Promise.all(questions.map((question) => minify(question, packages)));
  stop(); // its process would take up memory until the builder ends
  return answers;
}

async function minify({ path, bundle }, packages) {
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      bundle,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      ...(bundle && { nodePaths: [packages], external: ["fonts/*"] }),
      logLevel: "silent",
      write: false,
    });
    return { code: outputFiles[0].text };
  } catch (error) {
    const [first] = error.errors ?? [];
    return { error: first?.text ?? String(error.message), line: first?.location?.line ?? 0 };
  }
}
