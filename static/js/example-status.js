// What an example says of its results: where they come from, and how they compare with the build's.

/** @param {import("./program.js").Program} program */
export function describe(program) {
  const { state, progress, error, environment } = program.python;
  const recorded = program.recorded.environment;
  if (program.isProposed && (state === "idle" || state === "ready")) {
    const whose = state === "idle" ? "that the build recorded" : "of the last run";
    return `The numbers of the link have not been run. The results are those ${whose}.`;
  }
  if (state === "loading") {
    const megabytes = [progress.loaded, progress.total].map((n) => (n / 1e6).toFixed(1));
    return `${progress.stage}: ${megabytes[0]} of ${megabytes[1]} MB. The results are still those that the build recorded.`;
  }
  if (state === "failed") {
    return `Python could not start in this browser (${error}). The results are those that the build recorded, for the numbers it started from.`;
  }
  if (state !== "ready") return `Recorded by the build with ${recorded}.`;
  if (program.error) {
    return `The code raised ${program.error}. The results are those of the run before.`;
  }
  return `Run in this browser with ${environment}. ${compareWithBuild(program.difference, recorded)}`;
}

/**
 * @param {string} difference the largest difference on the recorded numbers, "" while not known
 * @param {string} recorded what the build ran with
 */
function compareWithBuild(difference, recorded) {
  if (difference === "") return `The build ran with ${recorded}.`;
  return difference === "0"
    ? `On the recorded numbers it agrees with the build (${recorded}) to the last digit.`
    : `On the recorded numbers it differs from the build (${recorded}) by at most ${difference}.`;
}
