// Keeps the page for use without a network: files come from the network, or else from the cache.

const KEPT = "flipcost";

addEventListener("install", (event) => {
  const keep = async () => {
    const files = await (await fetch("files.json")).json();
    await (await caches.open(KEPT)).addAll(["./", ...files]);
    await skipWaiting();
  };
  event.waitUntil(keep());
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) (await caches.open(KEPT)).put(event.request, fresh.clone());
      return fresh;
    } catch {
      return (await caches.match(event.request, { ignoreSearch: true })) ?? Response.error();
    }
  };
  event.respondWith(answer());
});
