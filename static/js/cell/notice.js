// A line above a cell's result that says where its text comes from, with buttons beside it.

/**
 * @param {HTMLElement} element
 * @param {string} text nothing, to take the line away
 * @param {[string, () => void][]} actions
 */
export function showNotice(element, text, actions = []) {
  const buttons = actions.map(([label, act]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      showNotice(element, "");
      act();
    });
    return button;
  });
  element.replaceChildren(`${text} `, ...buttons);
  element.hidden = text === "";
}

/**
 * Offer a link, copied already where the browser lets that happen.
 *
 * @param {HTMLElement} element
 * @param {string} link
 */
export async function showLink(element, link) {
  const copied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  showNotice(element, copied ? "Copied: a link with this page's edits." : "Copy this link:");
  const field = document.createElement("input");
  field.readOnly = true;
  field.value = link;
  field.setAttribute("aria-label", "Link with the edits of this page");
  element.append(field);
  field.select();
}
