// This page was renamed: redirect to the same fragment of the new one.
const link = document.querySelector("a.moved");

if (link instanceof HTMLAnchorElement) location.replace(link.href + location.hash);
