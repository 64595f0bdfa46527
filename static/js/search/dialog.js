// The search while it is open: what is typed is looked for, and arrow keys go through the results.
import { keepSearch } from "../offline.js";
import { Finder } from "./finder.js";
import { resultGroups } from "./results.js";

const WAIT = 120; // ms without typing before the search begins

/** @type {SearchDialog | null} */
let search = null;

/** @param {HTMLDialogElement} dialog */
export function searchOf(dialog) {
  search ??= new SearchDialog(dialog);
  return search;
}

class SearchDialog {
  #dialog;
  #field;
  #status;
  #retry;
  #results;
  #finder = new Finder();
  #kept = false;
  /** @type {string | null} what is looked for, or was found */
  #query = null;
  /** @type {Promise<void>} */
  #search = Promise.resolve();
  /** @type {number | undefined} */
  #timer;

  /** @param {HTMLDialogElement} dialog */
  constructor(dialog) {
    this.#dialog = dialog;
    this.#field = part(dialog, "input", HTMLInputElement);
    this.#status = part(dialog, '[role="status"]', HTMLElement);
    this.#retry = part(dialog, '[data-action="retry"]', HTMLButtonElement);
    this.#results = part(dialog, ".search-results", HTMLElement);
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.update(), WAIT);
    });
    this.#retry.addEventListener("click", () => {
      this.#field.focus();
      this.update();
    });
    dialog.addEventListener("click", (event) => this.#click(event));
    dialog.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Show the results of what the field holds now.
   *
   * @returns {Promise<void>} until they are there
   */
  update() {
    const query = this.#field.value.trim();
    if (query !== this.#query) {
      this.#query = query;
      this.#search = this.#look(query);
    }
    return this.#search;
  }

  /** @param {string} query */
  async #look(query) {
    this.#retry.hidden = true;
    if (!query) {
      this.#show([], "");
      return;
    }
    const slow = setTimeout(() => this.#say("Searching…"), WAIT);
    try {
      const { hits, words } = await this.#finder.find(query);
      if (query !== this.#query) return; // more was typed meanwhile
      const count = hits.length === 1 ? "1 result" : `${hits.length || "No"} results`;
      this.#show(resultGroups(hits, words), `${count} for “${query}”`);
      if (!this.#kept) keepSearch();
      this.#kept = true;
    } catch {
      if (query !== this.#query) return;
      this.#query = null;
      this.#show([], "The search cannot be loaded. Is there a network?");
      this.#retry.hidden = false;
    } finally {
      clearTimeout(slow);
    }
  }

  /**
   * @param {HTMLElement[]} groups
   * @param {string} message
   */
  #show(groups, message) {
    this.#results.replaceChildren(...groups);
    this.#results.scrollTop = 0;
    this.#say(message);
  }

  /** @param {string} message */
  #say(message) {
    this.#status.textContent = message;
  }

  /** @param {MouseEvent} event */
  #click({ target, ctrlKey, metaKey, shiftKey }) {
    if (!(target instanceof Element)) return;
    if (target.closest("a") && !ctrlKey && !metaKey && !shiftKey) this.#dialog.close();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape") {
      event.preventDefault(); // in a search field it would only empty the field
      this.#dialog.close();
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      this.#move(key === "ArrowDown" ? 1 : -1);
    } else if (key.length === 1 && key !== " " && target !== this.#field) {
      if (!ctrlKey && !metaKey && !altKey) this.#field.focus(); // the letter goes there, too
    }
  }

  /** Follow the first result of what stands in the field. */
  async go() {
    clearTimeout(this.#timer);
    await this.update();
    this.#links()[0]?.click();
  }

  /**
   * Choose the next or the last result; before the first one is the field.
   *
   * @param {1 | -1} step
   */
  #move(step) {
    const stops = [this.#field, ...this.#links()];
    const at = stops.findIndex((stop) => stop.matches(":focus"));
    stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
  }

  #links() {
    return [...this.#results.querySelectorAll("a")].filter((link) => !link.closest("[hidden]"));
  }
}

/**
 * @template {Element} Kind
 * @param {Element} within
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
function part(within, selector, kind) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`the search has no ${selector}`);
  return found;
}
