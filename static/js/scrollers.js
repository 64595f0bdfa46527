// A box that scrolls sideways can be reached by keyboard, but only while it does scroll.

/** Gives each `.scroll` element a tab stop for as long as its content overflows. */
export function makeScrollersFocusable() {
  /** @type {Set<HTMLElement>} whose content has changed since the last frame */
  const changed = new Set();
  const sizes = new ResizeObserver((entries) => {
    update(entries.map(({ target }) => /** @type {HTMLElement} */ (target)));
  });
  const contents = new MutationObserver((records) => {
    if (!changed.size) requestAnimationFrame(updateChanged);
    for (const { target } of records) {
      const box = target instanceof Element && target.closest(".scroll");
      if (box instanceof HTMLElement) changed.add(box);
    }
  });
  const updateChanged = () => {
    update([...changed]);
    changed.clear();
  };
  for (const element of document.querySelectorAll(".scroll")) {
    sizes.observe(element);
    contents.observe(element, { childList: true, subtree: true });
  }
}

/**
 * Measure everything before changing anything: measuring after a change forces a layout.
 *
 * @param {HTMLElement[]} elements
 */
function update(elements) {
  const overflows = elements.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
  for (const [index, element] of elements.entries()) {
    if (element.hasAttribute("tabindex") !== overflows[index]) {
      if (overflows[index]) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    }
  }
}
