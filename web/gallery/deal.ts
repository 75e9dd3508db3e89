// Makes up tables in the middle of a round: trains that could have been laid, hands out of what is left.
// Knows no rules but that joined ends are equal and that each tile is there once.

import { chance } from "./chance";

export interface MadeTable {
  readonly hub: number;
  readonly trains: readonly (readonly number[])[];
  readonly left: readonly (readonly [number, number])[];
}

/**
 * Lays trains of about the lengths asked for, from the set up to `highest`.
 *
 * A train is shorter when the tiles run out. `doubles` names the trains that must end in a double.
 */
export function makeTable(
  highest: number,
  lengths: readonly number[],
  seed: number,
  doubles: readonly number[] = [],
): MadeTable {
  const random = chance(seed);
  const pool = shuffled(setOf(highest), random).filter(([high, low]) => high + low < 2 * highest);
  const trains: number[][] = lengths.map(() => [highest]);
  for (let round = 0; round < Math.max(...lengths, 0); round += 1) {
    for (const [index, train] of trains.entries()) {
      if (train.length - 1 < (lengths[index] ?? 0)) extend(train, pool);
    }
  }
  for (const index of doubles) endInDouble(trains[index] ?? [], pool);
  return { hub: highest, trains, left: pool };
}

type Pair = readonly [high: number, low: number];

function setOf(highest: number): Pair[] {
  return Array.from({ length: highest + 1 }, (_, high) =>
    Array.from({ length: high + 1 }, (_, low): Pair => [high, low]),
  ).flat();
}

function shuffled(tiles: readonly Pair[], random: (below: number) => number): Pair[] {
  const pool = [...tiles];
  for (let at = pool.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [pool[at], pool[other]] = [pool[other] as Pair, pool[at] as Pair];
  }
  return pool;
}

/** Takes the first tile of the pool that joins, and lays it. */
function extend(train: number[], pool: Pair[]): void {
  const end = train.at(-1);
  const at = pool.findIndex(([high, low]) => high === end || low === end);
  const [tile] = at < 0 ? [] : pool.splice(at, 1);
  if (tile) train.push(tile[0] === end ? tile[1] : tile[0]);
}

function endInDouble(train: number[], pool: Pair[]): void {
  for (let tries = 0; tries < 12; tries += 1) {
    const end = train.at(-1);
    const at = pool.findIndex(([high, low]) => high === end && low === end);
    if (at >= 0) {
      pool.splice(at, 1);
      train.push(end ?? 0);
      return;
    }
    extend(train, pool);
  }
}
