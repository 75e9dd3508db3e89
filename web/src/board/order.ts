// The order in which a player sees the hand: by value, as a train, or as arranged by hand.

import { useMemo, useState } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { longestTrain } from "./chain";
import { type LaidTile, tileKey } from "./tiles";

export const ORDERS = ["value", "train", "own"] as const;
export type Order = (typeof ORDERS)[number];

/** A tile of the hand as it stands in the rack: its first end on top. */
export interface RackTile extends LaidTile {
  readonly tile: Tile;
  /** It is part of the train that the hand could lay. */
  readonly chained: boolean;
}

export interface Arrangement {
  readonly order: Order;
  readonly tiles: readonly RackTile[];
  readonly choose: (order: Order) => void;
  /** Moves a tile to a place, 0-based; from then on the order is the player's own. */
  readonly move: (tile: Tile, place: number) => void;
}

/** Arranges a hand; `end` is the value that the player's own train ends in. */
export function useArrangement(hand: readonly Tile[], end: number): Arrangement {
  const [order, setOrder] = useState<Order>("value");
  const [own, setOwn] = useState<readonly string[]>([]);
  const key = hand.map(tileKey).join(" ");
  const tiles = useMemo(() => arrange(hand, order, own, end), [key, order, own, end]);
  const choose = (chosen: Order) => {
    // What is on the table now is where arranging by hand starts.
    if (chosen === "own") setOwn(tiles.map(({ tile }) => tileKey(tile)));
    setOrder(chosen);
  };
  const move = (tile: Tile, place: number) => {
    setOwn(
      moved(
        tiles.map((each) => tileKey(each.tile)),
        tileKey(tile),
        place,
      ),
    );
    setOrder("own");
  };
  return { order, tiles, choose, move };
}

/** Returns the hand in an order; `own` is the player's own, which may lack new tiles and have old ones. */
export function arrange(
  hand: readonly Tile[],
  order: Order,
  own: readonly string[],
  end: number,
): readonly RackTile[] {
  if (order === "train") return asTrain(hand, end);
  const sorted = byValue(hand);
  if (order === "value") return sorted.map(upright);
  const rank = (tile: Tile) => {
    const at = own.indexOf(tileKey(tile));
    return at < 0 ? own.length : at;
  };
  return sorted.toSorted((a, b) => rank(a) - rank(b)).map(upright);
}

function asTrain(hand: readonly Tile[], end: number): readonly RackTile[] {
  const chain = longestTrain(hand, end);
  const used = new Set(chain.map(({ tile }) => tile));
  const rest = byValue(hand.filter((tile) => !used.has(tile)));
  return [...chain.map((each) => ({ ...each, chained: true })), ...rest.map(upright)];
}

function byValue(hand: readonly Tile[]): readonly Tile[] {
  return hand.toSorted((a, b) => b.high - a.high || b.low - a.low);
}

function upright(tile: Tile): RackTile {
  return { tile, inner: tile.high, outer: tile.low, chained: false };
}

function moved(keys: readonly string[], key: string, place: number): readonly string[] {
  const others = keys.filter((each) => each !== key);
  return others.toSpliced(Math.max(0, Math.min(place, others.length)), 0, key);
}
