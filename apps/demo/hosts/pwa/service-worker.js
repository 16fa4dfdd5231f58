/**
 * Keeps this app's own shell for times without a line, and nothing else. What is not on the list is not touched at all, so
 * neither the cashier (another origin, in a frame), nor its API, nor this site's own calls and tokens can ever come from a cache.
 */
const cacheName = 'shell-1';
const shell = /^\/(?:hosts\/pwa\/(?:index\.html)?|assets\/[\w.-]+\.(?:js|css|webmanifest)|icon\.svg)$/;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add('/hosts/pwa/')));
});

self.addEventListener('activate', (event) => {
  const dropOld = async () => {
    for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  };
  event.waitUntil(dropOld());
});

self.addEventListener('fetch', (event) => {
  const { method, url, headers } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== self.location.origin || headers.has('authorization') || !shell.test(pathname))
    return;
  event.respondWith(fromNetworkFirst(event.request));
});

async function fromNetworkFirst(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    // Under its path alone: a query may name a person.
    if (response.ok) await cache.put(new URL(request.url).pathname, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
