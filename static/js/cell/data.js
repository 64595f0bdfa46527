// What the build tells of a cell, and what a run of it answers.

/**
 * @typedef {Object} CellData
 * @property {string} cell its id on the page
 * @property {string} name of what is edited
 * @property {string} text the source that the page shows
 * @property {string} version a name of that text
 * @property {number} first the number of its first line
 * @property {number} last
 * @property {string} module where it stands, for a cell
 * @property {string} program what a run calls, for a cell
 * @property {string} check what marks an answer, for an exercise
 *
 * @typedef {Object} Finding
 * @property {string} property
 * @property {boolean} holds
 * @property {string} where
 * @property {string} expected
 * @property {string} got
 * @property {string} hint
 *
 * @typedef {Object} Answer
 * @property {string} output
 * @property {import("./result.js").Failure | null} failure
 * @property {Finding[]} [findings] for an exercise
 */

export {};
