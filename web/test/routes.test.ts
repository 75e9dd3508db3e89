import { expect, test } from "vitest";
import { linkTo, pathOf, routeOf, secretsIn } from "../src/routes";

const GAME = "R6d1nC5sQkqJv0T2bWm3xA";

test.each([
  ["/", { page: "home" }],
  [`/game/${GAME}/0`, { page: "game", gameId: GAME, role: 0, replay: false }],
  [`/game/${GAME}/13/replay`, { page: "game", gameId: GAME, role: 13, replay: true }],
  [`/game/${GAME}/watch/`, { page: "game", gameId: GAME, role: "watch", replay: false }],
  [`/game/${GAME}`, { page: "unknown" }],
  ["/game/short/0", { page: "unknown" }],
  ["/docs/", { page: "unknown" }],
])("%s leads to its page", (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

test("a path leads back to what it was made of", () => {
  for (const role of [0, 9, 13, "watch"] as const) {
    for (const replay of [false, true]) {
      const route = routeOf(pathOf(GAME, role, replay));
      expect(route).toEqual({ page: "game", gameId: GAME, role, replay });
    }
  }
});

test("a link carries its secret in the fragment only", () => {
  const url = new URL(linkTo(GAME, 2, { invitation: "a+b/c=" }, "http://table.example"));
  expect(secretsIn(url.hash)).toEqual({ invitation: "a+b/c=" });
  expect(`${url.origin}${url.pathname}${url.search}`).not.toContain("a+b");
  expect(url.search).toBe("");
});

test("only secrets that are known are read", () => {
  expect(secretsIn("#key=mxk_local_x&other=1")).toEqual({ key: "mxk_local_x" });
  expect(secretsIn("")).toEqual({});
});
