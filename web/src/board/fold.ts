// Fits a chain into so many rows by folding its middle away. Knows neither trains nor screens.

import { type Gauge, type Place, type Snake, snake } from "./snake";

/** A chain of which a middle part may be folded into one place. */
export interface Folded {
  /** The tiles that are shown, by their index in the chain, and where they lie. */
  readonly shown: readonly { readonly index: number; readonly place: Place }[];
  /** How many tiles are folded away, and where that is said; `null` when all are shown. */
  readonly fold: { readonly count: number; readonly place: Place } | null;
  readonly end: Place;
  readonly rows: number;
  readonly height: number;
}

/** Returns how many rows a whole chain needs. */
export function rowsOf(doubles: readonly boolean[], width: number, gauge: Gauge): number {
  return snake(doubles, width, gauge).rows;
}

/** Lays a chain in at most `rows` rows; its first tile and as many of its last as fit are shown. */
export function fold(
  doubles: readonly boolean[],
  width: number,
  gauge: Gauge,
  rows: number,
): Folded {
  const whole = snake(doubles, width, gauge);
  if (whole.rows <= rows || doubles.length < 3) return unfolded(whole);
  for (let count = 2; count < doubles.length; count += 1) {
    const tail = doubles.slice(count + 1);
    const trial = snake([doubles[0] ?? false, false, ...tail], width, gauge);
    if (trial.rows <= rows || tail.length === 0) return folded(trial, count);
  }
  return unfolded(whole);
}

function unfolded({ places, ...rest }: Snake): Folded {
  return { ...rest, shown: places.map((place, index) => ({ index, place })), fold: null };
}

function folded({ places, ...rest }: Snake, count: number): Folded {
  const [first, chip, ...tail] = places;
  if (!first || !chip) return unfolded({ places, ...rest });
  const shown = tail.map((place, at) => ({ index: at + 1 + count, place }));
  return { ...rest, shown: [{ index: 0, place: first }, ...shown], fold: { count, place: chip } };
}
