import { describe, expect, test } from "vitest";
import { trainOf } from "../src/game/moves";
import type { Round } from "../src/gen/mextrain/v1/round_pb";
import { Phase, type View } from "../src/gen/mextrain/v1/view_pb";
import { framesOf, gameAt, handAt } from "../src/replay/frames";
import { ROUNDS } from "./recorded";

/** What everyone sees of a table and what events tell; what else a view has, they do not. */
function told(view: View | undefined) {
  return {
    version: view?.version,
    phase: view?.phase,
    totals: view?.totals,
    ...round(view?.round),
  };
}

function round(seen: Round | undefined) {
  return {
    number: seen?.number,
    hub: seen?.hub,
    starter: seen?.starter,
    turn: seen?.turn,
    firstTurn: seen?.turn === undefined ? undefined : seen.firstTurn,
    handCounts: seen?.handCounts,
    boneyard: seen?.boneyardCount,
    trains: seen?.trains.map(({ train, pips, marked, openDouble }) => ({
      train: train && trainOf(train),
      pips,
      marked,
      openDouble,
    })),
    openDoubles: seen?.openDoubles.map(trainOf),
  };
}

describe.each(ROUNDS)("the round of $name", ({ game, events, views }) => {
  const frames = framesOf(game, events);

  test("has a frame for each version, in order", () => {
    const versions = frames.map(({ view }) => view.version);
    expect(versions).toEqual([...versions].sort((one, other) => one - other));
    expect(versions.at(-1)).toBe(game.view?.version);
  });

  test("is seen in each frame as the service showed it", () => {
    for (const view of views) {
      const frame = frames.find((each) => each.view.version === view.version);
      expect(told(frame?.view)).toEqual(told(view));
    }
  });

  test("leaves the totals and the phase of the game", () => {
    const last = frames.at(-1);
    expect(last?.view.totals).toEqual(game.view?.totals);
    expect(last?.view.phase).toBe(Phase.FINISHED);
    expect(last?.rounds).toBe(1);
  });

  test("gives the hand that the seat held, from the seed alone", async () => {
    for (const view of views) {
      const at = frames.findIndex((each) => each.view.version === view.version);
      const hand = view.hand.map(({ high, low }) => ({ high, low }));
      expect(await handAt(game, frames, at, 0)).toEqual(hand);
    }
  });

  test("shows no hand unless one is asked for", () => {
    const [first] = frames;
    if (!first) throw new Error("no frame");
    expect(gameAt(game, first, []).view?.seat).toBeUndefined();
    expect(gameAt(game, first, []).view?.hand).toEqual([]);
    expect(gameAt(game, first, []).results).toEqual([]);
  });
});
