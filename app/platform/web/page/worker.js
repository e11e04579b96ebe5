// Keeps the page's files, those that this browser has used, so that after the first visit it works without its server; a new
// version of them (scripts/web writes VERSION) takes the place of the old when no page uses it any more. Of its own files it
// says the two things that a browser wants to hear before it lets a page have threads, so that from the second visit on the
// page has them whatever its server says. Of all else that stands in the same folder it says and keeps nothing.
const VERSION = 'hydrascope-@VERSION@';
const FILES = @FILES@;
const OWN = new Set(FILES.map((name) => new URL(name, self.registration.scope).href));

// Without what a link adds.
const plain = (url) => url.split(/[?#]/)[0];

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('hydrascope-') && name !== VERSION) await caches.delete(name);
    await self.clients.claim();
  })());
});

// What the page has used already, which the browser need not fetch again.
async function keep(urls) {
  const cache = await caches.open(VERSION);
  for (const url of new Set(urls.map(plain))) {
    if (!OWN.has(url) || await cache.match(url)) continue;
    const found = await fetch(url, { cache: 'force-cache' }).catch(() => null);
    if (found?.ok) await cache.put(url, found);
  }
}
self.addEventListener('message', (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep(event.data.keep));
});

async function answer(request) {
  const cache = await caches.open(VERSION), url = plain(request.url);
  let found = await cache.match(url);
  if (!found) {
    found = await fetch(request);
    if (found.ok && found.type === 'basic') await cache.put(url, found.clone());
  }
  // What a page and its threads begin with. All else goes on as it is, with the compiled code that browsers keep beside it.
  const begins = request.mode === 'navigate' || request.destination.endsWith('worker');
  if (!begins || found.type === 'opaque' || found.type === 'error') return found;
  const headers = new Headers(found.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && OWN.has(plain(event.request.url))) event.respondWith(answer(event.request));
});
