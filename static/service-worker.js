// Keeps the site for when there is no network: one cache for each release, replaced whole.
//
// The build puts `RELEASE` before this text: the release's name, a hash over all files, and the
// SHA-256 of each file by path. A file whose hash is another one belongs to another release, and is
// refused.

/** @typedef {{ name: string, install: Record<string, string>, later: Record<string, string> }} Release */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { name, install, later } = /** @type {{ RELEASE: Release }} */ (
  /** @type {unknown} */ (globalThis)
).RELEASE;
/** @type {Record<string, string>} */
const files = { ...install, ...later };
// The search is kept whole or not at all: the names of its files differ from release to release.
const [search, python] = [true, false].map((which) =>
  Object.keys(later).filter((path) => path.startsWith("search/") === which),
);
// Other sites may be served from the same origin.
const mine = `${worker.registration.scope} `;
const cacheName = mine + name;
let refreshes = 0;

worker.addEventListener("install", (event) => event.waitUntil(installAll()));
worker.addEventListener("activate", (event) => event.waitUntil(removeOldReleases()));
worker.addEventListener("message", (event) => {
  if (event.data === "take-over") worker.skipWaiting();
  if (event.data === "keep-python") event.waitUntil(keepAll(python));
  if (event.data === "keep-search") event.waitUntil(keepAll(search));
});
worker.addEventListener("fetch", (event) => {
  const path = pathOf(event.request);
  if (path) event.respondWith(answer(event.request, path));
});

/** Fetch what every page needs, and of the rest what the last release kept. */
async function installAll() {
  await keepAll(Object.keys(install));
  const used = await Promise.all(python.map((path) => caches.match(address(path))));
  await keepAll(python.filter((_, index) => used[index]));
  if (await caches.match(address("search/records.json"))) await keepAll(search);
}

/** @param {string[]} paths */
async function keepAll(paths) {
  await Promise.all(paths.map(keep));
}

/**
 * @param {string} path
 * @returns {Promise<Response>} the file of this release; rejects where the host has another one
 */
async function keep(path) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(address(path));
  if (kept) return kept;
  const integrity = `sha256-${files[path]}`;
  const response = await fetch(address(path), { integrity, cache: "no-cache" });
  if (!response.ok) throw new TypeError(`${path}: ${response.status}`);
  await cache.put(address(path), response.clone());
  return response;
}

async function removeOldReleases() {
  const names = await caches.keys();
  const old = names.filter((other) => other.startsWith(mine) && other !== cacheName);
  await Promise.all(old.map((other) => caches.delete(other)));
}

/**
 * @param {Request} request
 * @param {string} path
 */
async function answer(request, path) {
  const { waiting } = worker.registration;
  if (request.mode === "navigate" && waiting && (await worker.clients.matchAll()).length < 2) {
    // No page of this release is left but the one that is going away: the new one takes over. It can
    // when nothing is asked of this one, so pages that come back too early are sent away for longer.
    waiting.postMessage("take-over");
    return new Response("", { headers: { refresh: `${Math.min(refreshes++, 1)}` } });
  }
  // A browser that is short of space removes caches. Without one, this site needs the network.
  return (await caches.has(cacheName)) ? keep(path) : fetch(request);
}

/**
 * @param {Request} request
 * @returns {string | undefined} the path of the site's file, if it has one
 */
function pathOf(request) {
  const { origin, pathname } = new URL(request.url);
  const scope = new URL(worker.registration.scope);
  if (request.method !== "GET" || origin !== scope.origin) return undefined;
  const path = pathname.slice(scope.pathname.length);
  return [path, `${path}index.html`, `${path}.html`].find((name) => Object.hasOwn(files, name));
}

/** @param {string} path */
function address(path) {
  return new URL(path, worker.registration.scope).href;
}
