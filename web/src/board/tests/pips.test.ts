import { describe, expect, it } from "vitest";
import { MOST_PIPS, pipPath, pipRadius, pipsOf } from "../pips";

const values = Array.from({ length: MOST_PIPS + 1 }, (_, value) => value);

describe.each(values)("a half with %i", (value) => {
  const pips = pipsOf(value);
  const radius = pipRadius(value);

  it("has as many pips as its value", () => {
    expect(pips).toHaveLength(value);
  });

  it("keeps its pips within the half, with a margin", () => {
    for (const { x, y } of pips) {
      expect(Math.max(Math.abs(x), Math.abs(y)) + radius).toBeLessThan(0.46);
    }
  });

  it("keeps its pips apart", () => {
    for (const [index, a] of pips.entries()) {
      for (const b of pips.slice(index + 1)) {
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(2 * radius + 0.01);
      }
    }
  });

  it("looks the same upside down", () => {
    const keys = (each: readonly { x: number; y: number }[], sign: number) =>
      each
        .map(({ x, y }) =>
          `${(sign * x).toFixed(4)} ${(sign * y).toFixed(4)}`.replace(/-0\.0000/g, "0.0000"),
        )
        .sort();
    expect(keys(pips, -1)).toEqual(keys(pips, 1));
  });

  it("draws one subpath for each pip", () => {
    expect(pipPath(value, 40).match(/M/g) ?? []).toHaveLength(value);
  });
});

it("has a pattern of its own for each value", () => {
  expect(new Set(values.map((value) => pipPath(value, 100))).size).toBe(values.length);
});

it("refuses a value that no set has", () => {
  expect(() => pipsOf(19)).toThrow(RangeError);
  expect(() => pipsOf(-1)).toThrow(RangeError);
});
