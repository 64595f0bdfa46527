// A box that scrolls sideways can be reached by keyboard, but only while it does scroll.

/** Gives each `.scroll` element a tab stop for as long as its content overflows. */
export function makeScrollersFocusable() {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) update(/** @type {HTMLElement} */ (target));
  });
  const contents = new MutationObserver((records) => {
    const boxes = records.map(
      ({ target }) => target instanceof Element && target.closest(".scroll"),
    );
    for (const box of new Set(boxes)) if (box instanceof HTMLElement) update(box);
  });
  for (const element of document.querySelectorAll(".scroll")) {
    sizes.observe(element);
    contents.observe(element, { childList: true, subtree: true });
  }
}

/** @param {HTMLElement} element */
function update(element) {
  if (element.scrollWidth > element.clientWidth + 1) {
    element.tabIndex = 0;
  } else {
    element.removeAttribute("tabindex");
  }
}
