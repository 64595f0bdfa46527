// What a result shows of a text: some words around those that were found, or a line of code.

/** @typedef {{ text: string, marked: boolean }} Piece */

const BEFORE = 6; // words that an excerpt shows before the first that was found
const LENGTH = 26; // words of an excerpt
const CORE = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su; // a word without what stands around it

/**
 * @param {string} text
 * @param {number[]} places numbers of the words that were found
 * @param {string} query
 * @returns {Piece[]}
 */
export function excerpt(text, places, query) {
  const words = wordsOf(text);
  const found = new Set(places);
  const first = Math.min(...places, words.length);
  const start = first - BEFORE <= 1 || first >= words.length ? 0 : first - BEFORE;
  const end = Math.min(words.length, start + LENGTH);
  const pieces = words
    .slice(start, end)
    .flatMap((word, index) => [
      { text: index ? " " : "", marked: false },
      ...(found.has(start + index) ? marked(word, query) : [{ text: word, marked: false }]),
    ]);
  if (start) pieces.unshift({ text: "… ", marked: false });
  if (end < words.length) pieces.push({ text: " …", marked: false });
  return pieces;
}

/**
 * The line in which most of the words were found; the first of several.
 *
 * @param {string} text
 * @param {number[]} places
 * @param {string} query
 * @returns {{ index: number, pieces: Piece[] }}
 */
export function bestLine(text, places, query) {
  const found = new Set(places);
  const lines = text.split("\n");
  let number = 0;
  let best = { index: 0, count: -1, from: 0 };
  for (const [index, line] of lines.entries()) {
    const from = number;
    number += wordsOf(line).length;
    const count = places.filter((place) => place >= from && place < number).length;
    if (count > best.count) best = { index, count, from };
  }
  let word = best.from;
  const pieces = (lines[best.index] ?? "")
    .trim()
    .split(/(\s+)/)
    .flatMap((part) => {
      if (!part.trim()) return [{ text: part, marked: false }];
      return found.has(word++) ? marked(part, query) : [{ text: part, marked: false }];
    });
  return { index: best.index, pieces };
}

/**
 * The pieces of a text with the words of the query in them marked, as far as they stand there.
 *
 * @param {string} text
 * @param {string} query
 * @returns {Piece[]}
 */
export function markQuery(text, query) {
  const terms = wordsOf(query)
    .filter((word) => CORE.test(word))
    .map(escaped);
  if (!terms.length) return [{ text, marked: false }];
  const parts = text.split(new RegExp(`(${terms.join("|")})`, "iu"));
  return parts.map((part, index) => ({ text: part, marked: index % 2 === 1 }));
}

/**
 * A word that was found: just what was asked for is marked, or else, where another form of it was
 * found, the word without the signs around it.
 *
 * @param {string} word
 * @param {string} query
 * @returns {Piece[]}
 */
function marked(word, query) {
  const pieces = markQuery(word, query);
  if (pieces.length > 1) return pieces;
  const core = word.match(CORE)?.[0] ?? word;
  const at = word.indexOf(core);
  return [
    { text: word.slice(0, at), marked: false },
    { text: core, marked: true },
    { text: word.slice(at + core.length), marked: false },
  ];
}

/** @param {string} text */
function wordsOf(text) {
  return text.split(/\s+/).filter(Boolean);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
