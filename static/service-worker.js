// Keeps the site for when there is no network: one cache for each release, filled whole or not used.
//
// A page stays with the release that it was loaded from, and so do the workers it starts; the next
// page is of the newest release. What a page is of is written down, as browsers stop this script
// whenever it has nothing to do.
//
// The build puts `RELEASE` before this text: the release's name, a hash over all files, and the
// SHA-256 of each file by path. A file whose hash is another one belongs to another release, and is
// refused.

/**
 * @typedef {Record<string, string>} Hashes of files, by path
 * @typedef {{ name: string, files: Hashes }} Release
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { name, install, later } =
  /** @type {{ RELEASE: { name: string, install: Hashes, later: Hashes } }} */ (
    /** @type {unknown} */ (globalThis)
  ).RELEASE;
/** @type {Release} */
const newest = { name, files: { ...install, ...later } };
// The search is kept whole or not at all: the names of its files differ from release to release.
const [search, python] = [true, false].map((which) =>
  Object.keys(later).filter((path) => path.startsWith("search/") === which),
);
// Other sites may be served from the same origin.
const mine = `${worker.registration.scope} `;
const pages = `${mine}pages`; // which page is of which release
const list = address("?release"); // in a release's cache: its files
const OPENING = 10_000; // ms in which a page that was asked for may not be open yet
/** @type {Map<string, Promise<Release>>} */
const known = new Map();

worker.addEventListener("install", (event) => event.waitUntil(installAll()));
worker.addEventListener("message", (event) => {
  if (event.data === "keep-python") event.waitUntil(keepAll(python));
  if (event.data === "keep-search") event.waitUntil(keepAll(search));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(worker.registration.scope)) return;
  if (request.mode === "navigate") {
    if (!pathIn(newest, request)) return;
    event.waitUntil(tidy());
  }
  event.respondWith(answer(event));
});

/** Fetch what every page needs, and of the rest what the last release kept. */
async function installAll() {
  await keepAll(Object.keys(install));
  const used = await Promise.all(python.map((path) => caches.match(address(path))));
  await keepAll(python.filter((_, index) => used[index]));
  if (await caches.match(address("search/records.json"))) await keepAll(search);
  await (await caches.open(mine + name)).put(list, new Response(JSON.stringify(newest.files)));
  await worker.skipWaiting();
}

/** @param {string[]} paths */
async function keepAll(paths) {
  await Promise.all(paths.map((path) => keep(newest, path)));
}

/**
 * @param {Release} release
 * @param {string} path
 * @returns {Promise<Response>} the file of that release; rejects where the host has another one
 */
async function keep(release, path) {
  const cache = await caches.open(mine + release.name);
  const kept = await cache.match(address(path));
  if (kept) return kept;
  const integrity = `sha256-${release.files[path]}`;
  const response = await fetch(address(path), { integrity, cache: "no-cache" });
  if (!response.ok) throw new TypeError(`${path}: ${response.status}`);
  await cache.put(address(path), response.clone());
  return response;
}

/** @param {FetchEvent} event */
async function answer({ request, clientId, resultingClientId }) {
  const release = request.mode === "navigate" ? newest : await releaseOf(clientId);
  if (resultingClientId) await remember(resultingClientId, release);
  const path = pathIn(release, request);
  // A browser that is short of space removes caches. Without one, this site needs the network.
  return path && (await caches.has(mine + release.name)) ? keep(release, path) : fetch(request);
}

/**
 * @param {string} client a page, or a worker that it started
 * @param {Release} release
 */
async function remember(client, release) {
  known.set(client, Promise.resolve(release));
  const entry = new Response(release.name, { headers: { date: new Date().toUTCString() } });
  await (await caches.open(pages)).put(address(client), entry);
}

/** @param {string} client */
function releaseOf(client) {
  const release = known.get(client) ?? recalled(client);
  known.set(client, release);
  return release;
}

/**
 * @param {string} client
 * @returns {Promise<Release>} with no files where the browser has removed its cache
 */
async function recalled(client) {
  const entry = await caches.match(address(client), { cacheName: pages });
  const itsName = await entry?.text();
  if (itsName === undefined || itsName === name) return newest;
  const files = await caches.match(list, { cacheName: mine + itsName });
  return { name: itsName, files: files ? await files.json() : {} };
}

/** Remove the releases that no page is of. */
async function tidy() {
  const names = await caches.keys();
  const { installing, waiting } = worker.registration;
  if (installing || waiting) return; // its cache is being filled
  const all = await worker.clients.matchAll({ includeUncontrolled: true, type: "all" });
  const open = new Set(all.map(({ id }) => id));
  const used = new Set([pages, mine + name]);
  const cache = await caches.open(pages);
  for (const request of await cache.keys()) {
    const client = request.url.slice(worker.registration.scope.length);
    if (open.has(client) || (await isOpening(cache, request))) {
      used.add(mine + (await releaseOf(client)).name);
    } else {
      known.delete(client);
      await cache.delete(request);
    }
  }
  const old = names.filter((other) => other.startsWith(mine) && !used.has(other));
  await Promise.all(old.map((other) => caches.delete(other)));
}

/**
 * Whether a page may still be on its way: browsers do not list it then, and to ask for it by its id
 * would wait until it is there.
 *
 * @param {Cache} cache
 * @param {Request} request its entry's
 */
async function isOpening(cache, request) {
  const entry = await cache.match(request);
  return Date.now() - Date.parse(entry?.headers.get("date") ?? "") < OPENING;
}

/**
 * @param {Release} release
 * @param {Request} request of an address below that of the site
 * @returns {string | undefined} the path of the release's file, if it has one
 */
function pathIn({ files }, request) {
  const scope = new URL(worker.registration.scope);
  const path = new URL(request.url).pathname.slice(scope.pathname.length);
  return [path, `${path}index.html`, `${path}.html`].find((each) => Object.hasOwn(files, each));
}

/** @param {string} path */
function address(path) {
  return new URL(path, worker.registration.scope).href;
}
