// The button in the header and the key `/` open the search. What it needs is fetched only then.

const FIELD = "input, textarea, select, [contenteditable]";

/** Opens the search when it is asked for. */
export function offerSearch() {
  const dialog = document.querySelector("dialog.search");
  const button = document.querySelector(".search-button");
  if (!(dialog instanceof HTMLDialogElement) || !button) return;
  button.addEventListener("click", () => open(dialog));
  dialog.addEventListener("click", ({ target }) => {
    // What lies around the dialog belongs to the element itself.
    const closes = target instanceof Element && target.closest('[data-action="close"]');
    if (closes || target === dialog) dialog.close();
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
async function open(dialog) {
  if (!dialog.open) dialog.showModal();
  const field = dialog.querySelector("input");
  field?.focus();
  field?.select();
  try {
    const { startSearch } = await import("./dialog.js");
    startSearch(dialog);
  } catch {
    const status = dialog.querySelector('[role="status"]');
    if (status) status.textContent = "The search cannot be loaded. Is there a network?";
  }
}
