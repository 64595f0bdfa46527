// Redirects a former id to the one that replaced it.
import { fragment } from "./fragment.js";

export function followAliases() {
  window.addEventListener("hashchange", follow);
  follow();
}

function follow() {
  const link = document.getElementById(fragment())?.querySelector(":scope.alias > a");
  if (link instanceof HTMLAnchorElement) location.replace(link.href);
}
