// In a graph, the arrows of the box that a reader points at stand out.

/** Marks the arrows of what has the pointer or the focus. */
export function lightArrows() {
  for (const graph of document.querySelectorAll("svg.graph")) {
    for (const event of ["pointerover", "focusin"]) {
      graph.addEventListener(event, ({ target }) => {
        const box = target instanceof Element ? target.closest(".graph-box") : null;
        light(graph, box?.getAttribute("data-box") ?? null);
      });
    }
    for (const event of ["pointerleave", "focusout"]) {
      graph.addEventListener(event, () => light(graph, null));
    }
  }
}

/**
 * @param {Element} graph
 * @param {string | null} box
 */
function light(graph, box) {
  for (const arrow of graph.querySelectorAll(".graph-arrow")) {
    const ends = [arrow.getAttribute("data-from"), arrow.getAttribute("data-to")];
    arrow.toggleAttribute("data-near", box !== null && ends.includes(box));
  }
}
