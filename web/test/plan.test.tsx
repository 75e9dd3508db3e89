import { afterEach, describe, expect, test } from "vitest";
import { BotLevel } from "../src/gen/mextrain/v1/game_pb";
import { Rounds } from "../src/gen/mextrain/v1/rule_options_pb";
import {
  heldSeats,
  heldToken,
  hold,
  invitationTo,
  keepLinks,
  letGo,
  linksOf,
  platformKey,
} from "../src/keeping";
import { route, startNavigation } from "../src/navigation";
import { firstPlan, storePlan, withOverride, withPlayers, withSitter } from "../src/pages/plan";

const GAME = "R6d1nC5sQkqJv0T2bWm3xA";

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});

describe("the plan of a table", () => {
  test("is one to play at once, by default", () => {
    const { chairs } = firstPlan();
    expect(chairs.map(({ sitter }) => sitter)).toEqual(["me", BotLevel.GREEDY, BotLevel.GREEDY]);
    expect(new Set(chairs.map(({ name }) => name)).size).toBe(3);
  });

  test("is that of the last table of the tab", () => {
    const rounds = { rounds: Rounds.FIXED, roundCount: 3 };
    storePlan({ ...withOverride(firstPlan(), rounds), turnSeconds: 60 });
    expect(firstPlan()).toMatchObject({ turnSeconds: 60, overrides: rounds });
  });

  test("keeps who sits where when there are more or fewer", () => {
    const { chairs } = firstPlan();
    expect(withPlayers(withPlayers(chairs, 6), 3)).toEqual(chairs);
    const names = withPlayers(chairs, 14).map(({ name }) => name);
    expect(new Set(names).size).toBe(14);
  });

  test("has one of me at most", () => {
    const chairs = withSitter(firstPlan().chairs, 2, "me");
    expect(chairs.map(({ sitter }) => sitter)).toEqual([BotLevel.GREEDY, BotLevel.GREEDY, "me"]);
  });
});

describe("an address", () => {
  function open(address: string) {
    history.replaceState(null, "", address);
    startNavigation();
  }

  test("with a key loses it to the tab at once", () => {
    open("/#key=mxk_local_secret");
    expect(platformKey.get()).toBe("mxk_local_secret");
    expect(location.href).not.toContain("secret");
    expect(localStorage.length).toBe(0);
  });

  test("with a seat's token loses it to the browser at once", () => {
    open(`/game/${GAME}/2#token=eyJ.secret`);
    expect(heldToken(GAME, 2)).toBe("eyJ.secret");
    expect(heldToken(GAME, 1)).toBeUndefined();
    expect(location.href).not.toContain("secret");
    expect(route.value).toMatchObject({ page: "game", role: 2 });
  });

  test("with an invitation loses it to the tab at once, for that seat alone", () => {
    open(`/game/${GAME}/1#invitation=eyJ.secret`);
    expect(invitationTo(GAME, 1)).toBe("eyJ.secret");
    expect(invitationTo(GAME, 2)).toBeUndefined();
    expect(localStorage.length).toBe(0);
    expect(location.href).not.toContain("secret");
    expect(heldSeats()).toEqual([]);
  });
});

test("what is held is listed latest first, without doubles, and let go", () => {
  hold(GAME, 0, "one", "Ada, Bea");
  hold(GAME, "watch", "two");
  hold(GAME, 0, "three");
  expect(heldSeats().map(({ role, token, title }) => [role, token, title])).toEqual([
    [0, "three", "Ada, Bea"],
    ["watch", "two", ""],
  ]);
  letGo(GAME, 0);
  expect(heldSeats().map(({ role }) => role)).toEqual(["watch"]);
});

test("links are kept for the tab, by game", () => {
  keepLinks(GAME, [{ role: 1, url: "http://table.example" }]);
  expect(linksOf(GAME)).toHaveLength(1);
  expect(linksOf("another")).toEqual([]);
  expect(localStorage.length).toBe(0);
});
