// Fetches the code pane once there is room for it, or once a reader asks for code.
import { isBeside, isOn, room } from "./beside.js";

const CONTROLS = ".show-code, .pane-toggle";

function fetchIfBeside() {
  if (isBeside()) import("./code-pane.js").catch(() => {}); // links lead to the code, too
}

for (const button of document.querySelectorAll(".show-code")) {
  const link = button.parentElement?.querySelector("a")?.textContent;
  if (link) button.ariaLabel = `Show code at ${link}`;
}
document.querySelector(".pane-toggle")?.setAttribute("aria-pressed", String(isOn()));
document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest(CONTROLS) : null;
  if (!(button instanceof HTMLElement)) return;
  try {
    (await import("./code-pane.js")).press(button);
  } catch {
    button.parentElement?.querySelector("a")?.click();
  }
});
room.addEventListener("change", fetchIfBeside);
fetchIfBeside();
