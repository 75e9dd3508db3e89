import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRound } from "../src/fairness/check";
import { commitment, permutation, roundSeed } from "../src/fairness/deal";
import { numberOf, tileOf } from "../src/fairness/hands";
import { ROUNDS } from "./recorded";

const VECTORS = join(import.meta.dirname, "../../tests/data/fairness");

interface Vector {
  readonly secret: string;
  readonly round: number;
  readonly size: number;
  readonly entropy: readonly string[];
  readonly seed: string;
  readonly commitment: string;
  readonly permutation: readonly number[];
}

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (found: Uint8Array) => Buffer.from(found).toString("hex");

test.each(readdirSync(VECTORS))("the fair deal agrees with %s", async (file) => {
  const text = readFileSync(join(VECTORS, file), "utf8");
  const { vectors } = JSON.parse(text) as { vectors: readonly Vector[] };
  for (const vector of vectors) {
    const seed = await roundSeed(bytes(vector.secret), vector.round);
    const order = await permutation(seed, vector.size, vector.entropy.map(bytes));
    expect(hex(seed)).toBe(vector.seed);
    expect(hex(await commitment(seed))).toBe(vector.commitment);
    expect(order).toEqual(vector.permutation);
  }
});

test("a tile is its number and back", () => {
  for (let number = 0; number < 190; number += 1) expect(numberOf(tileOf(number))).toBe(number);
});

describe.each(ROUNDS)("the deal of the round of $name", ({ game, events }) => {
  const promised = game.commitments[0];
  if (!promised) throw new Error("no commitment");

  test("is sound, and every tile that was laid is followed", async () => {
    const laid = events.filter(({ fact }) => fact.case === "tilePlayed").length;
    const verdict = await checkRound(game, promised, events);
    expect(verdict.is).toBe("sound");
    expect(verdict.is === "sound" && verdict.followed).toBeGreaterThanOrEqual(laid);
  });

  test("is not sound when the seed is another", async () => {
    const seed = promised.seed.with(0, (promised.seed[0] ?? 0) ^ 1);
    expect(await checkRound(game, { ...promised, seed }, events)).toEqual({ is: "wrong seed" });
  });

  test("is not sound when a seat lays what it was not dealt", async () => {
    const swapped = events.map((event) => {
      const { fact } = event;
      if (fact.case !== "tilePlayed") return event;
      const seat = (fact.value.seat + 1) % game.seats.length;
      return { ...event, fact: { ...fact, value: { ...fact.value, seat } } };
    });
    expect((await checkRound(game, promised, swapped)).is).toBe("wrong tile");
  });

  test("is pending while the seed is not shown", async () => {
    const hidden = { ...promised, seed: new Uint8Array() };
    expect(await checkRound(game, hidden, events)).toEqual({ is: "pending" });
  });
});
