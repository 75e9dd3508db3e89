import fc from "fast-check";
import { expect, it } from "vitest";
import { fold } from "../fold";
import { heightOf, narrowest, snake } from "../snake";
import { firstOverlap } from "./overlap";

const gauge = { unit: 20, gap: 1.5 };
/** No two doubles follow each other on a train: each double is there once. */
const chains = fc
  .array(fc.boolean(), { maxLength: 70 })
  .map((all) => all.map((double, index) => double && !all[index - 1]));
const widths = fc.double({ min: narrowest(gauge), max: 1500, noNaN: true });

it("lays every tile once, without overlap, within the sides, whatever the chain", () => {
  fc.assert(
    fc.property(chains, widths, (doubles, width) => {
      const laid = snake(doubles, width, gauge);
      const all = [...laid.places, laid.end];
      expect(laid.places).toHaveLength(doubles.length);
      expect(firstOverlap(all)).toBeNull();
      for (const { x, y, width: wide, height } of all) {
        expect(x - wide / 2).toBeGreaterThan(-1e-6);
        expect(x + wide / 2).toBeLessThan(width + 1e-6);
        expect(y - height / 2).toBeGreaterThan(-1e-6);
      }
      expect(laid.height).toBeLessThanOrEqual(heightOf(laid.rows, gauge) + 1e-6);
    }),
  );
});

it("sets doubles crosswise to the way the train goes", () => {
  const { places } = snake([false, true, false], 500, gauge);
  expect(places.map(({ width, height }) => [width, height])).toEqual([
    [40, 20],
    [20, 40],
    [40, 20],
  ]);
});

it("turns back at the edge and runs the second row the other way", () => {
  const { places, rows } = snake(
    Array.from({ length: 6 }, () => false),
    150,
    gauge,
  );
  expect(places.map(({ heading }) => heading)).toEqual([
    "right",
    "right",
    "right",
    "down",
    "left",
    "left",
  ]);
  expect(rows).toBe(2);
});

it("keeps each tile close to the one before", () => {
  fc.assert(
    fc.property(chains, widths, (doubles, width) => {
      const { places, end } = snake(doubles, width, gauge);
      for (const [index, next] of [...places, end].slice(1).entries()) {
        const last = places[index];
        if (!last) continue;
        const dx = Math.abs(last.x - next.x) - (last.width + next.width) / 2;
        const dy = Math.abs(last.y - next.y) - (last.height + next.height) / 2;
        expect(Math.max(dx, dy)).toBeLessThanOrEqual(gauge.unit / 2 + gauge.gap + 1e-6);
      }
    }),
  );
});

it("folds the middle of a chain and shows its end, in no more rows than it may", () => {
  const wide = fc.double({ min: 200, max: 1500, noNaN: true });
  fc.assert(
    fc.property(chains, wide, fc.integer({ min: 1, max: 4 }), (doubles, width, rows) => {
      const folded = fold(doubles, width, gauge, rows);
      expect(folded.rows).toBeLessThanOrEqual(rows);
      expect(folded.shown.length + (folded.fold?.count ?? 0)).toBe(doubles.length);
      if (doubles.length > 0) expect(folded.shown.at(-1)?.index).toBe(doubles.length - 1);
      if (doubles.length > 0) expect(folded.shown[0]?.index).toBe(0);
      expect(folded.fold?.count ?? 2).toBeGreaterThan(1);
      const places = folded.shown.map(({ place }) => place);
      const fold1 = folded.fold ? [folded.fold.place] : [];
      expect(firstOverlap([...places, ...fold1, folded.end])).toBeNull();
    }),
  );
});
