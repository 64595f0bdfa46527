// Whether code is shown beside the text: where there is room for it, unless the reader turned it off.

// As in static/pane.css.
export const room = matchMedia(
  "screen and (scripting: enabled) and (width >= 80rem) and (height >= 30rem)",
);

export function isOn() {
  return document.documentElement.dataset.codePane !== "off";
}

export function isBeside() {
  return room.matches && isOn();
}
