// Where the page is, and going elsewhere without loading it anew. Takes the secrets out of an address
// before anything else can see it.

import { signal } from "@preact/signals";
import { hold, keepInvitation, platformKey } from "./keeping";
import { type Route, routeOf, secretsIn } from "./routes";

export const route = signal<Route>({ page: "home" });

export function startNavigation(): void {
  addEventListener("popstate", enter);
  addEventListener("hashchange", enter);
  enter();
}

export function go(path: string): void {
  history.pushState(null, "", path);
  enter();
  scrollTo(0, 0);
}

/** Follows a link inside of the page; everything else is left to the browser. */
export function followed(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  if (!link || !plain || link.target || link.origin !== location.origin) return;
  if (routeOf(link.pathname).page === "unknown" || link.hash) return;
  event.preventDefault();
  go(link.pathname);
}

function enter(): void {
  const next = routeOf(location.pathname);
  const secrets = secretsIn(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (secrets.key) platformKey.set(secrets.key);
  if (next.page === "game" && secrets.token) hold(next.gameId, next.role, secrets.token);
  if (next.page === "game" && next.role !== "watch" && secrets.invitation) {
    keepInvitation(next.gameId, next.role, secrets.invitation);
  }
  route.value = next;
}
