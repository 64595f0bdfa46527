// Caches the site for use without a network: see static/service-worker.js.

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

/** Cache Python as well, once it has been used. */
export async function keepPython() {
  await tell("keep-python");
}

/** Cache the search as well, once it has been used. */
export async function keepSearch() {
  await tell("keep-search");
}

/** @param {string} message */
async function tell(message) {
  const registration = await navigator.serviceWorker?.ready;
  registration?.active?.postMessage(message);
}
