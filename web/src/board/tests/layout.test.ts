import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Layout, layOut } from "../layout";
import type { Place } from "../snake";
import { firstOverlap } from "./overlap";

const SIZES = [
  [360, 400],
  [390, 560],
  [768, 700],
  [1024, 500],
  [1440, 640],
  [2200, 1100],
] as const;

/** A chain of so many tiles, each seventh a double. */
const chain = (length: number, unfolded = false) => ({
  doubles: Array.from({ length }, (_, at) => at % 7 === 3),
  unfolded,
});

const lengths = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 3, maxLength: 15 });

function placesOf(layout: Layout): Place[] {
  return layout.lanes.flatMap(({ train }) => [
    ...train.shown.map(({ place }) => place),
    ...(train.fold ? [train.fold.place] : []),
    train.end,
  ]);
}

describe.each(SIZES)("a board of %i × %i", (width, height) => {
  it("overlaps no tiles of 2 to 14 players' trains of any length", () => {
    fc.assert(
      fc.property(lengths, (all) => {
        const layout = layOut(
          width,
          height,
          all.map((length) => chain(length)),
        );
        expect(firstOverlap(placesOf(layout))).toBeNull();
      }),
      { numRuns: 15 },
    );
  });

  it("keeps every place within the run of its lane, and lanes within the board", () => {
    fc.assert(
      fc.property(lengths, fc.nat(14), (all, open) => {
        const layout = layOut(
          width,
          height,
          all.map((length, at) => chain(length, at === open)),
        );
        for (const lane of layout.lanes) {
          const { run, train } = lane;
          expect(lane.x).toBeGreaterThanOrEqual(0);
          expect(lane.x + lane.width).toBeLessThanOrEqual(width);
          expect(lane.y + lane.height).toBeLessThanOrEqual(layout.height);
          for (const place of [...train.shown.map((each) => each.place), train.end]) {
            expect(place.x - place.width / 2).toBeGreaterThan(run.x - 1e-6);
            expect(place.x + place.width / 2).toBeLessThan(run.x + run.width + 1e-6);
            expect(place.y - place.height / 2).toBeGreaterThan(run.y - 1e-6);
            expect(place.y + place.height / 2).toBeLessThan(run.y + run.height + 1e-6);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it("always shows the end of a train and its last tile", () => {
    const layout = layOut(
      width,
      height,
      Array.from({ length: 15 }, () => chain(60)),
    );
    for (const { train } of layout.lanes) expect(train.shown.at(-1)?.index).toBe(59);
  });

  it("shows a train whole when it is unfolded", () => {
    const layout = layOut(width, height, [
      chain(60, true),
      ...Array.from({ length: 14 }, () => chain(9)),
    ]);
    expect(layout.lanes[0]?.train.fold).toBeNull();
    expect(layout.lanes[0]?.train.shown).toHaveLength(60);
  });

  it("keeps lanes apart from each other and from the hub", () => {
    const { lanes, hub } = layOut(
      width,
      height,
      Array.from({ length: 15 }, () => chain(9)),
    );
    const box = { x: hub.x, y: hub.y, width: 2 * hub.radius, height: 2 * hub.radius };
    const centred = lanes.map((lane) => ({
      ...lane,
      x: lane.x + lane.width / 2,
      y: lane.y + lane.height / 2,
    }));
    expect(
      firstOverlap([...centred, box].map((each) => ({ ...each, heading: "right" as const }))),
    ).toBeNull();
  });
});

it("needs no scrolling for 14 players on a desktop", () => {
  const layout = layOut(
    1440,
    640,
    Array.from({ length: 15 }, () => chain(12)),
  );
  expect(layout.height).toBe(640);
});

it("needs none on a small desktop either, with a page around it", () => {
  const layout = layOut(
    1070,
    500,
    Array.from({ length: 15 }, () => chain(12)),
  );
  expect(layout.height).toBe(500);
});

it("draws larger tiles where there is more room", () => {
  const units = [3, 5, 9, 15].map(
    (trains) =>
      layOut(
        1440,
        640,
        Array.from({ length: trains }, () => chain(8)),
      ).unit,
  );
  expect(units).toEqual([...units].sort((a, b) => b - a));
  expect(units[0]).toBeGreaterThan(units[3] ?? 0);
});

it("goes around the table clockwise: up the left side, down the right one", () => {
  const { lanes } = layOut(
    1440,
    640,
    Array.from({ length: 6 }, () => chain(3)),
  );
  const [a, b, c, d, e, f] = lanes;
  expect([a, b, c].map((lane) => lane?.mirrored)).toEqual([true, true, true]);
  expect([d, e, f].map((lane) => lane?.mirrored)).toEqual([false, false, false]);
  expect((a?.y ?? 0) > (b?.y ?? 0) && (b?.y ?? 0) > (c?.y ?? 0)).toBe(true);
  expect((d?.y ?? 0) < (e?.y ?? 0) && (e?.y ?? 0) < (f?.y ?? 0)).toBe(true);
});
