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
 * @param {string} what it carries
 * @returns {Promise<string>} what it says
 */
export async function showLink(element, link, what = "this page's edits") {
  const copied = await navigator.clipboard?.writeText(link).then(
    () => true,
    () => false,
  );
  const text = copied ? `Copied: a link with ${what}.` : `Copy this link with ${what}:`;
  showNotice(element, text);
  const field = document.createElement("input");
  field.readOnly = true;
  field.value = link;
  field.setAttribute("aria-label", `Link with ${what}`);
  element.append(field);
  field.select();
  return text;
}
