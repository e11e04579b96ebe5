// Keeps the page's files, so that after the first visit it works without its server; a new version of them (scripts/web
// writes VERSION) takes the place of the old when no page uses it any more. Says of all that it gives the two things that
// a browser wants to hear before it lets a page have threads, so that from the second visit on a page has them whatever
// its server says.
const VERSION = 'hydrascope-@VERSION@';
const FILES = @FILES@;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)));
});
self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('hydrascope-') && name !== VERSION) await caches.delete(name);
    await self.clients.claim();
  })());
});

async function answer(request) {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(request, { ignoreSearch: true });
  const found = kept ?? await fetch(request);
  if (found.type === 'opaque' || found.type === 'error') return found;
  const headers = new Headers(found.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
});
