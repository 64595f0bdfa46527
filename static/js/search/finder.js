// Finds records: Pagefind says which have the words and at which places, records.json says what
// they are. The build has made both of the records of the pages; see site_builder/render/search_*.py.
import { Vocabulary } from "./vocabulary.js";

/**
 * @typedef {object} SearchRecord what can be found; the fields are those of search_records.py
 * @property {string} kind
 * @property {string} href
 * @property {string} [title]
 * @property {string} [where]
 * @property {boolean} [is_code]
 * @property {string} [text]
 * @property {string} [words]
 * @property {number} [first]
 * @property {string} [maths]
 */

/** @typedef {{ record: SearchRecord, places: number[] }} Hit `places` are numbers of words */
/** @typedef {{ hits: Hit[], words: string }} Found the best first, and the words looked for */

/**
 * @typedef {object} Pagefind the part of pagefind.js that is used
 * @property {(options: { basePath: string, noWorker: boolean }) => Instance} createInstance
 *
 * @typedef {object} Instance
 * @property {(query: string) => Promise<{ results: { id: string, words: number[] }[] }>} search
 */

const BASE = new URL("../../../search/", import.meta.url);

export class Finder {
  /** @type {Promise<(query: string) => Promise<Found>> | null} */
  #loaded = null;
  #attempts = 0;

  /**
   * @param {string} query
   * @returns {Promise<Found>} rejects where something cannot be loaded
   */
  async find(query) {
    try {
      this.#loaded ??= load(this.#attempts++);
      const find = await this.#loaded;
      return await find(query);
    } catch (error) {
      this.#loaded = null;
      throw error;
    }
  }
}

/** @param {number} attempt a browser may keep that a module failed, so each has its own address */
async function load(attempt) {
  const script = new URL(attempt ? `pagefind.js?${attempt}` : "pagefind.js", BASE);
  const [pagefind, answer] = await Promise.all([
    /** @type {Promise<Pagefind>} */ (import(script.href)),
    fetched("records.json"),
  ]);
  /** @type {{ files: string[], records: Record<string, SearchRecord> }} */
  const { files, records } = await answer.json();
  // Pagefind ignores parts of its index that fail to load, and then finds fewer records.
  await Promise.all(files.map(fetched));
  const instance = pagefind.createInstance({ basePath: BASE.pathname, noWorker: true });
  const vocabulary = new Vocabulary(
    Object.values(records).flatMap(({ title, text, words }) => [title, text, words].map(orEmpty)),
  );
  /** @param {string} query */
  return async (query) => {
    const words = vocabulary.known(query);
    if (words === null) return { hits: [], words: query };
    const { results } = await instance.search(words);
    const hits = results.flatMap(({ id, words: places }) => {
      const record = records[id];
      return record ? [{ record, places }] : [];
    });
    const [named, others] = [true, false].map((is) =>
      hits.filter(({ record }) => isNamed(record, query) === is),
    );
    return { hits: [...(named ?? []), ...(others ?? [])], words };
  };
}

/**
 * Records whose name is exactly the query, with or without its module.
 *
 * @param {SearchRecord} record
 * @param {string} query
 */
function isNamed({ kind, title }, query) {
  return kind !== "Source" && !!title && (query === title || query.endsWith(`.${title}`));
}

/** @param {string | undefined} text */
function orEmpty(text) {
  return text ?? "";
}

/** @param {string} path */
async function fetched(path) {
  const response = await fetch(new URL(path, BASE));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

/**
 * @param {string} href from the top of the site
 */
export function addressOf(href) {
  return new URL(`../${href}`, BASE).href;
}
