// Fetches what shows code beside the text, once there is room for it or a reader asks for it.

const CONTROLS = ".show-code, .pane-toggle";
// As in static/pane.css.
export const room = matchMedia(
  "screen and (scripting: enabled) and (width >= 80rem) and (height >= 30rem)",
);

export function isOn() {
  return document.documentElement.dataset.codePane !== "off";
}

function fetchIfBeside() {
  if (room.matches && isOn()) import("./code-pane.js").catch(() => {}); // links lead to the code, too
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
