// Which part the reader is reading: by scroll position, pointer and focus.
import { placeOf } from "./places.js";

/** @typedef {import("./places.js").Place} Place */

const LINE = 1 / 3; // of the window's height: what begins above it is being read
const TOP = 150; // px: a link's target that stands no further down is being read
const WAIT = 120; // ms that the pointer rests before the pane turns to what it is on
const HEADINGS = "h1, h2, h3";
const STOPS = `${HEADINGS}, figure.equation, figure.listing, .connections tbody, .usage`;

/**
 * @param {Element} main
 * @param {(place: Place) => void} show
 */
export function follow(main, show) {
  const stops = stopsOf(main);
  /** @type {Place | null} */
  let current = null;
  let isAsked = false;

  const read = () => {
    isAsked = false;
    const place = placeRead(stops);
    if (place && place !== current) show(place);
    current = place;
  };
  const readSoon = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(read);
  };
  document.addEventListener("scroll", readSoon, { passive: true });
  addEventListener("resize", readSoon);
  addEventListener("hashchange", readSoon);
  followPointer(main, show);
  main.addEventListener("focusin", ({ target }) => {
    const place = target instanceof Element && !target.matches(".show-code") && placeOf(target);
    if (!place) return;
    show(place);
    // Focus may scroll its element into view, which does not count as scrolling by the reader.
    requestAnimationFrame(() => {
      current = placeRead(stops);
    });
  });
  return () => {
    current = null;
    read();
  };
}

/**
 * @param {Element} main
 * @param {(place: Place) => void} show
 */
function followPointer(main, show) {
  /** @type {number | undefined} */
  let timer;
  let at = "";
  main.addEventListener("pointerover", (event) => {
    const { target, pointerType, clientX, clientY } = /** @type {PointerEvent} */ (event);
    // Text that moves beneath a pointer at rest is being scrolled.
    const isAtRest = at === `${clientX} ${clientY}`;
    at = `${clientX} ${clientY}`;
    clearTimeout(timer);
    const place = target instanceof Element && placeOf(target);
    if (!place || isAtRest || pointerType === "touch") return;
    timer = setTimeout(show, WAIT, place);
  });
  main.addEventListener("pointermove", (event) => {
    const { clientX, clientY } = /** @type {PointerEvent} */ (event);
    at = `${clientX} ${clientY}`;
  });
  main.addEventListener("pointerleave", () => clearTimeout(timer));
  main.addEventListener("click", ({ target }) => {
    clearTimeout(timer);
    const place = target instanceof Element && !target.closest("button, input") && placeOf(target);
    if (place) show(place);
  });
}

/**
 * What has code, in the page's order. A heading is about the next of these in its part, or else the
 * last, and of that about no line.
 *
 * @param {Element} main
 */
function stopsOf(main) {
  const found = [...main.querySelectorAll(STOPS)].map((element) => {
    const isHeading = element.matches(HEADINGS);
    const first = element.matches("tbody") ? element.querySelector("td") : element;
    return { element, place: isHeading || !first ? null : placeOf(first), isHeading };
  });
  /** @type {Place | null} */
  let near = null;
  for (const stop of [...found].reverse()) {
    if (stop.place) near = stop.place;
    else if (near && stop.isHeading) stop.place = functionOf(near);
    if (stop.element.matches("h2")) near = null;
  }
  near = null;
  for (const stop of found) {
    if (!stop.place && near) stop.place = functionOf(near);
    near = stop.place;
  }
  return found;
}

/**
 * @param {Place} place
 * @returns {Place}
 */
function functionOf({ page, first, last }) {
  return { page, first, last, isWhole: true };
}

/**
 * @param {ReturnType<typeof stopsOf>} stops
 * @returns {Place | null} what is being read
 */
function placeRead(stops) {
  const withPlace = stops.filter(({ place }) => place);
  const tops = withPlace.map(({ element }) => element.getBoundingClientRect().top);
  const target = withPlace.findIndex(({ element }) => element.matches(":target"));
  const isThere = target !== -1 && tops[target] >= 0 && tops[target] < TOP;
  const above = tops.filter((top) => top < innerHeight * LINE).length;
  return withPlace[isThere ? target : Math.max(above - 1, 0)]?.place ?? null;
}
