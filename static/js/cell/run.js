// Runs of readers' code: one at a time, each with a time limit.

/** @typedef {import("../python.js").Python} Python */

export const LIMIT = 10; // seconds that a run may take

/** A run starts when the previous one has ended, so that the time limit of each is its own. */
let turn = Promise.resolve();

/**
 * Call a function of Python when it is this run's turn.
 *
 * @param {Python} python
 * @param {AbortController} run to abort it ends the run; the reason is a sentence
 * @param {() => { name: string, request: object }} call asked for when the run begins
 * @returns {Promise<{ answer: any, milliseconds: number }>} rejects with the sentence that says why
 *   the run was stopped, or with an Error if Python failed
 */
export async function runInTurn(python, run, call) {
  const before = turn;
  let end = () => {};
  turn = new Promise((resolve) => {
    end = resolve;
  });
  let timer = 0;
  try {
    await before;
    await python.ready(run.signal);
    const { name, request } = call();
    const started = performance.now();
    const stop = () => run.abort(`Stopped after ${LIMIT} s, the limit of a run.`);
    timer = setTimeout(stop, LIMIT * 1000);
    const answer = await python.callUntil(name, JSON.stringify(request), run.signal);
    return { answer: JSON.parse(answer), milliseconds: performance.now() - started };
  } finally {
    clearTimeout(timer);
    end();
  }
}
