// Where there is no room beside the text, code opens as a bottom sheet.

const SWIPE = 60; // px downwards that close the sheet
const GAP = 12; // px between what the code is about and the sheet
const root = document.documentElement;

export class Sheet {
  element = document.createElement("dialog");
  /** @type {number | null} where a swipe began */
  #from = null;
  /** @type {Element | null} what the code is about, while the sheet is open */
  #about = null;

  /** @param {import("./code-view.js").CodeView} view */
  constructor(view) {
    this.view = view;
    const { element } = this;
    element.className = "code-sheet";
    element.setAttribute("aria-labelledby", "code-view-title");
    element.addEventListener("close", () => {
      this.#about = null;
      delete root.dataset.codeSheet;
    });
    element.addEventListener("click", ({ target }) => {
      const isLink = target instanceof Element && target.closest("a.to-equation");
      if (target === element || isLink) element.close();
    });
    view.header.addEventListener("pointerdown", (event) => this.#begin(event));
    view.header.addEventListener("pointermove", ({ clientY }) => this.#drag(clientY));
    view.header.addEventListener("pointerup", ({ clientY }) => this.#end(clientY));
    view.header.addEventListener("pointercancel", () => this.#end(-Infinity));
  }

  get isOpen() {
    return this.element.open;
  }

  /**
   * Show code, and keep the element that it is about visible above the sheet.
   *
   * @param {import("./places.js").Place} place
   * @param {Element} about
   */
  async open(place, about) {
    this.view.moveTo(this.element);
    // For styles outside the sheet: with `:has`, each change would restyle the whole page.
    root.dataset.codeSheet = "open";
    this.element.showModal();
    this.#about = about;
    await this.view.show(place);
    if (this.#about !== about) return; // closed, or opened for something else, while code was fetched
    this.view.focus();
    this.#uncover(about);
  }

  close() {
    this.element.close();
  }

  /** @param {Element} about */
  #uncover(about) {
    const { top, bottom } = about.getBoundingClientRect();
    const room = innerHeight - this.element.offsetHeight - GAP; // it may still be on its way up
    const down = Math.min(bottom - room, top - GAP);
    if (bottom > room || top < GAP) scrollBy({ top: down, behavior: "instant" });
  }

  /** @param {PointerEvent} event */
  #begin({ target, clientY, pointerId }) {
    if (!this.isOpen || !(target instanceof Element) || target.closest("a, button")) return;
    this.#from = clientY;
    this.view.header.setPointerCapture(pointerId);
  }

  /** @param {number} y */
  #drag(y) {
    if (this.#from === null) return;
    this.element.style.translate = `0 ${Math.max(0, y - this.#from)}px`;
  }

  /** @param {number} y */
  #end(y) {
    const from = this.#from;
    this.#from = null;
    this.element.style.translate = "";
    if (from !== null && y - from > SWIPE) this.close();
  }
}
