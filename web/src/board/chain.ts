// Finds a long train in a hand. Knows no rules beyond equal pips, and takes a bounded time.

import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { isDouble, type LaidTile } from "./tiles";

/** A tile of the hand with the end first that joins what comes before it. */
export interface ChainTile extends LaidTile {
  readonly tile: Tile;
}

/** How many steps the search may take: some milliseconds. */
const STEPS = 20_000;

/**
 * Returns the longest train that starts with `end`, or the longest that was found in bounded time.
 *
 * Of equally long ones, that with the most pips: they count against whoever keeps them. Empty when no
 * tile joins. The same for the same hand, whatever its order.
 */
export function longestTrain(hand: readonly Tile[], end: number): readonly ChainTile[] {
  const search = new Search(hand);
  search.from(end, 0);
  return search.best;
}

class Search {
  best: readonly ChainTile[] = [];
  private bestPips = 0;
  private steps = STEPS;
  private readonly tiles: readonly Tile[];
  private readonly used = new Set<Tile>();
  private readonly path: ChainTile[] = [];

  constructor(hand: readonly Tile[]) {
    // Doubles first: they lengthen a train and cost nothing. Then the heavy ones.
    this.tiles = hand.toSorted(
      (a, b) => Number(isDouble(b)) - Number(isDouble(a)) || pips(b) - pips(a) || b.high - a.high,
    );
  }

  from(end: number, weight: number): void {
    this.keep(weight);
    for (const tile of this.tiles) {
      if (this.used.has(tile) || (tile.high !== end && tile.low !== end)) continue;
      if (this.steps-- <= 0) return;
      const outer = tile.high === end ? tile.low : tile.high;
      this.used.add(tile);
      this.path.push({ tile, inner: end, outer });
      this.from(outer, weight + pips(tile));
      this.path.pop();
      this.used.delete(tile);
      // A double is laid as soon as it can be: putting it off gains nothing.
      if (isDouble(tile)) return;
    }
  }

  private keep(weight: number): void {
    const longer = this.path.length - this.best.length;
    if (longer < 0 || (longer === 0 && weight <= this.bestPips)) return;
    this.best = [...this.path];
    this.bestPips = weight;
  }
}

function pips(tile: Tile): number {
  return tile.high + tile.low;
}
