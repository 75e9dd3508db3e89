import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Tile, TileSchema } from "../../gen/mextrain/v1/tile_pb";
import { longestTrain } from "../chain";
import { arrange } from "../order";
import { fitRack } from "../rack";
import { joined, tileKey } from "../tiles";

const tile = (high: number, low: number) => create(TileSchema, { high, low });

const tiles = fc.tuple(fc.nat(8), fc.nat(8)).map(([a, b]) => tile(Math.max(a, b), Math.min(a, b)));
const hands = (most: number) => fc.uniqueArray(tiles, { maxLength: most, selector: tileKey });

/** The length of the longest train, by trying everything. */
function longest(hand: readonly Tile[], end: number): number {
  const starts = hand.filter(({ high, low }) => high === end || low === end);
  const lengths = starts.map((first) => {
    const rest = hand.filter((other) => other !== first);
    return 1 + longest(rest, joined(first, end).outer);
  });
  return Math.max(0, ...lengths);
}

it("finds a train that is joined throughout, from tiles of the hand, each once", () => {
  fc.assert(
    fc.property(hands(40), fc.nat(8), (hand, end) => {
      const chain = longestTrain(hand, end);
      expect(chain.map(({ inner }) => inner)).toEqual(
        [end, ...chain.map(({ outer }) => outer)].slice(0, chain.length),
      );
      expect(new Set(chain.map((each) => each.tile)).size).toBe(chain.length);
      for (const each of chain) {
        expect(hand).toContain(each.tile);
        expect([each.tile.high, each.tile.low].sort()).toEqual([each.inner, each.outer].sort());
      }
    }),
    { numRuns: 40 },
  );
});

it("finds the longest train of a small hand", () => {
  fc.assert(
    fc.property(hands(7), fc.nat(8), (hand, end) => {
      expect(longestTrain(hand, end)).toHaveLength(longest(hand, end));
    }),
  );
});

it("finds the same train however the hand is ordered", () => {
  fc.assert(
    fc.property(hands(12), fc.nat(8), (hand, end) => {
      const keys = (order: readonly Tile[]) =>
        longestTrain(order, end).map((each) => tileKey(each.tile));
      expect(keys(hand.toReversed())).toEqual(keys(hand));
    }),
  );
});

it("arranges every tile of the hand once, in every order", () => {
  const kept = fc.array(tiles.map(tileKey), { maxLength: 12 });
  fc.assert(
    fc.property(hands(20), fc.constantFrom("value", "train", "own"), kept, (hand, order, own) => {
      const arranged = arrange(hand, order, own, 4);
      expect(arranged.map((each) => tileKey(each.tile)).sort()).toEqual(hand.map(tileKey).sort());
    }),
    { numRuns: 60 },
  );
});

it("keeps the player's own order and puts new tiles at the end", () => {
  const hand = [tile(6, 5), tile(3, 1), tile(9, 0)];
  const arranged = arrange(hand, "own", ["3-1", "12-12", "6-5"], 0);
  expect(arranged.map((each) => tileKey(each.tile))).toEqual(["3-1", "6-5", "9-0"]);
});

it("fits a rack into the width of every screen, with tiles that a finger can hit", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 94 }),
      fc.integer({ min: 320, max: 2600 }),
      (count, width) => {
        const { unit, gap, columns } = fitRack(count, width, 800);
        expect(columns * (unit + gap) - gap).toBeLessThanOrEqual(width);
        expect(unit).toBeGreaterThanOrEqual(24);
      },
    ),
  );
});
