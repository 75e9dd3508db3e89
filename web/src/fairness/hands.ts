// The hands of a round, from the order of its tiles and what happened in it. Knows no seed.

import type { Event } from "../gen/mextrain/v1/event_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";

/** A tile as a number: `high · (high + 1) / 2 + low`. */
export function numberOf({ high, low }: Pick<Tile, "high" | "low">): number {
  return (high * (high + 1)) / 2 + low;
}

export function tileOf(number: number): { readonly high: number; readonly low: number } {
  const high = Math.floor((Math.sqrt(8 * number + 1) - 1) / 2);
  return { high, low: number - (high * (high + 1)) / 2 };
}

/** A tile that a seat had and that the deal did not give it. */
export interface Stray {
  readonly seat: number;
  readonly tile: { readonly high: number; readonly low: number };
}

/** The tiles of a deal on their way: follows the events of one round, in order. */
export class Hands {
  readonly hands: Set<number>[];
  /** How many tiles were seen to be where the deal put them. */
  followed = 0;
  private readonly boneyard: number[];

  /**
   * @param order the tiles as they were shuffled
   * @param setAside the hub, where the rules take it out before the deal
   */
  constructor(order: readonly number[], seats: number, handSize: number, setAside?: number) {
    const dealt = order.filter((tile) => tile !== setAside);
    this.hands = Array.from(
      { length: seats },
      (_, seat) => new Set(dealt.slice(seat * handSize, (seat + 1) * handSize)),
    );
    this.boneyard = dealt.slice(seats * handSize);
  }

  /** The tiles of a hand, ascending by their larger and then their smaller end. */
  tilesOf(seat: number): readonly { readonly high: number; readonly low: number }[] {
    return [...(this.hands[seat] ?? [])].sort((one, other) => one - other).map(tileOf);
  }

  /** Follows one event. Returns the tile that cannot have been where the event has it, if any. */
  follow({ fact }: Event): Stray | undefined {
    switch (fact.case) {
      case "hubSought":
        return this.draw(fact.value.seat, fact.value.tile, fact.value.returned);
      case "tileDrawn":
        return this.draw(fact.value.seat, fact.value.tile, false);
      case "hubLaid":
        return fact.value.seat === undefined
          ? undefined
          : this.lay(fact.value.seat, fact.value.tile);
      case "tilePlayed":
        return this.lay(fact.value.seat, fact.value.tile);
      default:
        return undefined;
    }
  }

  private lay(seat: number, tile: Tile | undefined): Stray | undefined {
    if (!tile) return undefined;
    if (!this.hands[seat]?.delete(numberOf(tile))) return { seat, tile };
    this.followed += 1;
    return undefined;
  }

  private draw(seat: number, shown: Tile | undefined, returned: boolean): Stray | undefined {
    const drawn = this.boneyard.shift();
    if (shown) {
      if (drawn !== numberOf(shown)) return { seat, tile: shown };
      this.followed += 1;
    }
    if (drawn === undefined) return undefined;
    if (returned) this.boneyard.push(drawn);
    else this.hands[seat]?.add(drawn);
    return undefined;
  }
}
