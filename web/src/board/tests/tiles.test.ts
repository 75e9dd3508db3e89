import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SCENES, sceneOf } from "../../../gallery/scenes";
import { RoundSchema } from "../../gen/mextrain/v1/round_pb";
import { TileSchema } from "../../gen/mextrain/v1/tile_pb";
import { TrainSchema } from "../../gen/mextrain/v1/train_pb";
import { accessTo, highestPip, joined, tileKey, tilesOf, usedUp } from "../tiles";

const seat = (value: number) => ({ train: { case: "seat", value } as const });
const mexican = { train: { case: "mexican", value: true } as const };

it("reads the tiles of a train from the hub outwards", () => {
  expect(tilesOf([12, 5, 5, 0])).toEqual([
    { inner: 12, outer: 5 },
    { inner: 5, outer: 5 },
    { inner: 5, outer: 0 },
  ]);
  expect(tilesOf([12])).toEqual([]);
});

it("turns a tile so that it joins", () => {
  const tile = create(TileSchema, { high: 9, low: 4 });
  expect(joined(tile, 9)).toEqual({ inner: 9, outer: 4 });
  expect(joined(tile, 4)).toEqual({ inner: 4, outer: 9 });
});

it("tells an own train, an open one and a closed one apart", () => {
  const train = (over: object) => create(TrainSchema, { train: seat(1), ...over });
  expect(accessTo(train({}), 1)).toBe("own");
  expect(accessTo(train({}), 0)).toBe("closed");
  expect(accessTo(train({}), undefined)).toBe("closed");
  expect(accessTo(train({ marked: true }), 0)).toBe("open");
  expect(accessTo(train({ openDouble: true }), 0)).toBe("open");
  expect(accessTo(create(TrainSchema, { train: mexican }), 0)).toBe("open");
});

it("takes a value for used up when all of its tiles lie on the table, and not one before", () => {
  const round = (pips: number[]) =>
    create(RoundSchema, {
      hub: 2,
      trains: [
        { train: seat(0), pips },
        { train: mexican, pips: [2] },
      ],
    });
  // A set up to double-two has three tiles with a 1: 1-0, 1-1 and 2-1.
  expect([...usedUp(round([2, 1, 1]), 2)]).toEqual([]);
  expect([...usedUp(round([2, 1, 1, 0]), 2)]).toContain(1);
});

it("takes the set from the rules, by the number of seats", () => {
  expect(highestPip(sceneOf("dead-doubles").game)).toBe(9);
  expect(highestPip(sceneOf("double-eighteen").game)).toBe(18);
});

it("shows tables in the gallery that could be: joined trains, each tile once", () => {
  fc.assert(
    fc.property(fc.constantFrom(...SCENES), (name) => {
      const { view } = sceneOf(name).game;
      const laid = (view?.round?.trains ?? []).flatMap((train) => tilesOf(train.pips));
      const keys = laid.map(({ inner, outer }) =>
        tileKey({ high: Math.max(inner, outer), low: Math.min(inner, outer) }),
      );
      const all = [...keys, ...(view?.hand ?? []).map(tileKey)];
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: 30 },
  );
});
