// Says whether places on the board overlap. For tests.

import type { Place } from "../snake";

/** Returns the first two places that overlap by more than rounding, or `null`. */
export function firstOverlap(places: readonly Place[]): readonly [Place, Place] | null {
  for (const [index, a] of places.entries()) {
    const b = places.slice(index + 1).find((other) => overlap(a, other));
    if (b) return [a, b];
  }
  return null;
}

function overlap(a: Place, b: Place): boolean {
  const apartX = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-6;
  const apartY = Math.abs(a.y - b.y) >= (a.height + b.height) / 2 - 1e-6;
  return !apartX && !apartY;
}
