// The button in the header and the key `/` open the search. Its scripts are fetched only then;
// keys typed before they arrive are not lost.

const FIELD = "input, textarea, select, [contenteditable]";

/** Opens the search on request. */
export function offerSearch() {
  const dialog = document.querySelector("dialog.search");
  const button = document.querySelector(".search-button");
  if (!(dialog instanceof HTMLDialogElement) || !button) return;
  button.addEventListener("click", () => open(dialog));
  dialog.addEventListener("click", ({ target }) => {
    // A click on the backdrop has the dialog element itself as its target.
    const closes = target instanceof Element && target.closest('[data-action="close"]');
    if (closes || target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", ({ key, target }) => {
    if (key === "Enter" && target instanceof HTMLInputElement) start(dialog, "go");
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key !== "/" || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(FIELD)) return;
    event.preventDefault();
    open(dialog);
  });
}

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  if (!dialog.open) dialog.showModal();
  const field = dialog.querySelector("input");
  field?.focus();
  field?.select();
  start(dialog, "update");
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {"update" | "go"} action
 */
async function start(dialog, action) {
  try {
    const { searchOf } = await import("./dialog.js");
    searchOf(dialog)[action]();
  } catch {
    const status = dialog.querySelector('[role="status"]');
    if (status) status.textContent = "The search cannot be loaded. Is there a network?";
  }
}
