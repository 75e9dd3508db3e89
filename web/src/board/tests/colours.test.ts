import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The least contrast of text on its ground (WCAG 2.2, AA). */
const AA = 4.5;

const tokens = readFileSync(join(import.meta.dirname, "../../styles/tokens.css"), "utf8");
const domino = readFileSync(join(import.meta.dirname, "../styles/domino.css"), "utf8");
const ivories = tileColours();
const values = Array.from({ length: 18 }, (_, at) => at + 1);

it.each(values)("the colour of %i can be read on ivory, light and dark", (value) => {
  const colour = new RegExp(`--pip-${value}: (#[0-9a-f]{6})`).exec(domino)?.[1] ?? "";
  for (const ivory of ivories) expect(contrast(colour, ivory)).toBeGreaterThan(AA);
});

it("gives each value a colour of its own", () => {
  const colours = [...domino.matchAll(/--pip-\d+: (#[0-9a-f]{6})/g)].map((found) => found[1]);
  expect(new Set(colours).size).toBe(18);
});

function tileColours(): readonly string[] {
  const found = /--tile: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/.exec(tokens);
  if (!found) throw new Error("the colours of tiles are not where they were");
  return found.slice(1);
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
