// A page that has another name now: go there, to the same place on it.
const link = document.querySelector("a.moved");

if (link instanceof HTMLAnchorElement) location.replace(link.href + location.hash);
