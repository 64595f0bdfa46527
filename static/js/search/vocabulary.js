// All words of the site. For a word that no text has, Pagefind takes the longest one that it begins
// with: `z` for `zebra`, `norm` for `norm_forward`. So a query is put in words that are there, or
// nothing is found.

const SIGNS = /[\p{Pd}\p{Pe}\p{Pf}\p{Pi}\p{Po}\p{Ps}]/gu; // what Pagefind leaves out of words
const PART = /\p{Lu}*[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{N}+/gu; // of a name such as `layer_norm` or `LayerNorm`
const SHARED = 0.6; // how much of a word another form of it begins with, at least

export class Vocabulary {
  /** @type {Set<string>} */
  #words = new Set();

  /** @param {Iterable<string>} texts */
  constructor(texts) {
    const distinct = new Set([...texts].flatMap((text) => text.split(/\s+/)));
    for (const word of distinct) {
      this.#words.add(plain(word));
      for (const piece of word.split(/[^\p{L}\p{N}_]+/u)) this.#words.add(plain(piece));
      for (const [part] of word.matchAll(PART)) this.#words.add(plain(part));
    }
  }

  /**
   * The query in words of the site: each is a prefix of one, or another form of it.
   *
   * @param {string} query
   * @returns {string | null} null where something of it is nowhere
   */
  known(query) {
    if (/^\s*".+"\s*$/.test(query)) return query; // to be found just so
    const words = query.split(/\s+/).filter((word) => plain(word));
    const known = words.map((word) => this.#knownWord(word));
    return known.length && known.every(Boolean) ? known.join(" ") : null;
  }

  /**
   * The word itself, or else its parts, split at punctuation and then at underscores too.
   *
   * @param {string} word
   */
  #knownWord(word) {
    if (this.#begins(plain(word))) return word;
    for (const divider of [/[^\p{L}\p{N}_]+/u, /[^\p{L}\p{N}]+/u]) {
      const parts = word.split(divider).filter(Boolean);
      if (parts.length && parts.every((part) => this.#begins(plain(part)))) return parts.join(" ");
    }
    const length = Math.max(4, Math.ceil(plain(word).length * SHARED));
    return plain(word).length >= length && this.#begins(plain(word).slice(0, length)) ? word : null;
  }

  /** @param {string} start of a word */
  #begins(start) {
    if (this.#words.has(start)) return true;
    for (const word of this.#words) if (word.startsWith(start)) return true;
    return false;
  }
}

/** @param {string} word */
function plain(word) {
  return word.replace(SIGNS, "").toLowerCase();
}
