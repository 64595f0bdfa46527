// Cells for numbers: parsing, moving between them, pasting a block into them.

const NUMBER = /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf(inity)?)$/i;

/**
 * The number in a text as Python's `float` reads it, or null. NaN and infinities are numbers here.
 *
 * @param {string} text
 */
export function parseNumber(text) {
  const plain = text.trim().replaceAll("−", "-");
  return NUMBER.test(plain) ? plain : null;
}

/**
 * Split pasted text into rows of cells: at tabs if it has any, else at white space, semicolons and
 * commas. In a block with tabs a comma is a decimal point, as spreadsheets of many countries write.
 *
 * @param {string} text
 */
export function parseBlock(text) {
  const rows = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
  return rows.map((row) =>
    row.includes("\t")
      ? row.split("\t").map((cell) => cell.trim().replace(",", "."))
      : row.trim().split(/[\s;,]+/),
  );
}

/**
 * Let arrow keys and Enter move between the cells in an element, and let blocks be pasted.
 *
 * @param {Element} element
 * @param {(fitted: number, left: number) => void} onPaste
 */
export function connectCells(element, onPaste) {
  element.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement) target.select();
  });
  const focused = document.activeElement; // a reader may be quicker than this script
  if (focused instanceof HTMLInputElement && element.contains(focused)) focused.select();
  element.addEventListener("keydown", (event) => {
    if (!(event instanceof KeyboardEvent && event.target instanceof HTMLInputElement)) return;
    const next = neighbour(event.target, event);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  element.addEventListener("paste", (event) => {
    if (!(event instanceof ClipboardEvent && event.target instanceof HTMLInputElement)) return;
    const block = parseBlock(event.clipboardData?.getData("text") ?? "");
    if (block.length === 1 && block[0].length === 1) return; // a single value: as usual
    event.preventDefault();
    const { fitted, left } = fill(event.target, block);
    onPaste(fitted, left);
  });
}

/**
 * The cell to which a key moves, if any. Left and right leave a cell only from its edge.
 *
 * @param {HTMLInputElement} cell
 * @param {KeyboardEvent} event
 */
function neighbour(cell, event) {
  if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return null;
  const [rows, row, column] = locate(cell);
  const whole = cell.selectionStart === 0 && cell.selectionEnd === cell.value.length;
  const atStart = whole || cell.selectionEnd === 0;
  const atEnd = whole || cell.selectionStart === cell.value.length;
  switch (event.key) {
    case "ArrowUp":
      return rows[row - 1]?.[column] ?? cell;
    case "ArrowDown":
    case "Enter":
      return rows[row + 1]?.[column] ?? cell;
    case "ArrowLeft":
      return atStart ? rows[row][column - 1] : null;
    case "ArrowRight":
      return atEnd ? rows[row][column + 1] : null;
    default:
      return null;
  }
}

/**
 * All rows of cells around a cell, and where in them a cell stands.
 *
 * @param {HTMLInputElement} cell
 * @returns {[HTMLInputElement[][], number, number]}
 */
function locate(cell) {
  const rows = [...(cell.closest(".inputs")?.querySelectorAll("tbody tr") ?? [])].map((row) => [
    ...row.querySelectorAll("input"),
  ]);
  const row = rows.findIndex((cells) => cells.includes(cell));
  return [rows, row, rows[row].indexOf(cell)];
}

/**
 * Write a block into the cells from `cell` on, to the right and down within its own input.
 *
 * @param {HTMLInputElement} cell
 * @param {string[][]} block
 */
function fill(cell, block) {
  const [rows, row, column] = locate(cell);
  const group = cell.closest("tbody");
  let fitted = 0;
  let left = 0;
  block.forEach((values, down) => {
    values.forEach((value, right) => {
      const target = rows[row + down]?.[column + right];
      if (target && target.closest("tbody") === group) {
        target.value = value;
        fitted += 1;
      } else {
        left += 1;
      }
    });
  });
  return { fitted, left };
}
