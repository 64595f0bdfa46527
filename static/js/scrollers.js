// A box that scrolls sideways can be reached by keyboard, but only while it does scroll.

/** Gives each `.scroll` element a tab stop for as long as its content overflows. */
export function makeScrollersFocusable() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(/** @type {HTMLElement} */ (target));
  });
  for (const element of document.querySelectorAll(".scroll")) observer.observe(element);
}

/** @param {HTMLElement} element */
function update(element) {
  if (element.scrollWidth > element.clientWidth + 1) {
    element.tabIndex = 0;
  } else {
    element.removeAttribute("tabindex");
  }
}
