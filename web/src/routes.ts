// Which page an address means, and the secrets that come in its fragment. Keeps nothing.

/** In which part somebody is at a table: a seat, 0-based, or a spectator. */
export type Role = number | "watch";

export type Route =
  | { readonly page: "home" }
  | {
      readonly page: "game";
      readonly gameId: string;
      readonly role: Role;
      readonly replay: boolean;
    }
  | { readonly page: "unknown" };

/** What an address carries behind its `#`, which no browser sends to a server. */
export interface Secrets {
  readonly key?: string;
  readonly token?: string;
  readonly invitation?: string;
}

const GAME = /^\/game\/([\w-]{22})\/(watch|\d{1,2})(\/replay)?\/?$/;

export function routeOf(pathname: string): Route {
  if (pathname === "/" || pathname === "/index.html") return { page: "home" };
  const [, gameId, role, replay] = GAME.exec(pathname) ?? [];
  if (!gameId || !role) return { page: "unknown" };
  return {
    page: "game",
    gameId,
    role: role === "watch" ? role : Number(role),
    replay: replay !== undefined,
  };
}

export function pathOf(gameId: string, role: Role, replay = false): string {
  return `/game/${gameId}/${role}${replay ? "/replay" : ""}`;
}

export function secretsIn(hash: string): Secrets {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const found: Record<string, string> = {};
  for (const name of ["key", "token", "invitation"]) {
    const value = parameters.get(name);
    if (value) found[name] = value;
  }
  return found;
}

/** An address to hand to somebody: whoever opens it holds what is in its fragment. */
export function linkTo(gameId: string, role: Role, secrets: Secrets, origin = location.origin) {
  const fragment = new URLSearchParams(secrets as Record<string, string>);
  return `${origin}${pathOf(gameId, role)}#${fragment}`;
}
