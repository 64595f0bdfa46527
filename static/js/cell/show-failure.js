// A traceback in short: what was raised, and the reader's own lines that it went through.

/**
 * @typedef {{ cell: string, line: number, text: string, function: string }} FailedLine
 * @typedef {{ kind: string, message: string, lines: FailedLine[], place: string }} Failure
 */

/**
 * @param {Failure} failure
 * @param {string} here the cell that was run
 * @param {Map<string, string>} names of cells, for lines that are elsewhere
 * @returns {HTMLElement[]}
 */
export function showFailure({ kind, message, lines, place }, here, names) {
  const title = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = kind;
  title.append(strong, message ? `: ${message}` : "", place ? `, raised in ${place}.` : "");
  if (lines.length === 0) return [title];
  const list = document.createElement("ol");
  for (const line of lines) {
    const item = document.createElement("li");
    const where = line.cell === here ? "" : ` of ${names.get(line.cell) ?? line.cell}`;
    const code = document.createElement("code");
    code.textContent = line.text;
    item.append(`Line ${line.line}${where}: `, code);
    list.append(item);
  }
  return [title, list];
}
