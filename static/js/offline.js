// Keep the site for when there is no network: see static/service-worker.js.

/** Have the browser keep the site's files, where it can, once the page itself is there. */
export function keepSite() {
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}

function register() {
  const script = new URL("../../service-worker.js", import.meta.url);
  // A browser may refuse, in private windows for one. The site then needs the network.
  navigator.serviceWorker?.register(script).catch(() => {});
}

/** Have it keep Python, too, now that it was used. */
export async function keepPython() {
  await tell("keep-python");
}

/** Have it keep the search, too, now that it was used. */
export async function keepSearch() {
  await tell("keep-search");
}

/** @param {string} message */
async function tell(message) {
  const registration = await navigator.serviceWorker?.ready;
  registration?.active?.postMessage(message);
}
