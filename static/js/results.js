// Results in the page: every number of an array, or single entries in a line of text.

/** @typedef {import("./program.js").Value} Value */

/**
 * Show values in the elements below `root` that request them, and mark those that changed.
 *
 * @param {ParentNode} root
 * @param {Record<string, Value>} values
 */
export function showValues(root, values) {
  for (const array of root.querySelectorAll(".numbers")) {
    const value = values[array instanceof HTMLElement ? (array.dataset.key ?? "") : ""];
    if (value) showArray(array, value);
  }
  for (const slot of root.querySelectorAll(".slot")) {
    const { key = "", index = "" } = slot instanceof HTMLElement ? slot.dataset : {};
    if (values[key]) show(slot, entry(values[key], index.split(",").map(Number)));
  }
}

/**
 * @param {Element} array
 * @param {Value} value
 */
function showArray(array, { shape, texts }) {
  const size = shape.at(-1) ?? 1;
  fit(array, texts.length / size);
  [...array.children].forEach((row, at) => {
    fit(row, size);
    [...row.children].forEach((number, offset) => {
      show(number, texts[at * size + offset]);
    });
  });
}

/**
 * Copy or remove the last child until there are `count`. The whitespace before it is copied and
 * removed with it, so that growing and shrinking again restores the original.
 *
 * @param {Element} parent with at least one child
 * @param {number} count at least 1
 */
export function fit(parent, count) {
  for (const child of [...parent.children].slice(count)) {
    if (child.previousSibling instanceof Text) child.previousSibling.remove();
    child.remove();
  }
  while (parent.children.length < count) {
    const last = parent.lastElementChild;
    last?.after(" ", last.cloneNode(true));
  }
}

/**
 * @param {Element} element
 * @param {string} text
 */
function show(element, text) {
  const isNew = element.textContent !== text;
  element.toggleAttribute("data-changed", isNew);
  if (isNew) element.textContent = text;
}

/**
 * The entry at an index, or a dash where the array has become too small.
 *
 * @param {Value} value
 * @param {number[]} index
 */
function entry({ shape, texts }, index) {
  const isInside = index.every((position, axis) => position < shape[axis]);
  const offset = index.reduce((sum, position, axis) => sum * shape[axis] + position, 0);
  return isInside ? texts[offset] : "–";
}
