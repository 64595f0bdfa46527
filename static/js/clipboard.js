// Copies text to the clipboard by whichever way the browser allows.

/**
 * @param {string} text
 * @returns {Promise<boolean>} false if the browser refused; the reader can then copy by hand
 */
export async function writeText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No secure context, or no permission: selected text can often still be copied.
    return offerByHand(text);
  }
}

/** @param {string} text */
function offerByHand(text) {
  const dialog = document.createElement("dialog");
  const message = document.createElement("p");
  const area = document.createElement("textarea");
  const close = document.createElement("button");
  dialog.className = "copy-by-hand";
  dialog.ariaLabel = "Copy by hand";
  message.textContent =
    "The browser does not let this page copy. The text is selected: press Ctrl-C or ⌘C.";
  area.value = text;
  area.readOnly = true;
  area.rows = Math.min(12, text.split("\n").length + 1);
  area.ariaLabel = "Text to copy";
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(message, area, close);
  document.body.append(dialog);
  dialog.showModal();
  area.select();
  const copied = document.execCommand("copy");
  if (copied) dialog.close();
  return copied;
}
