// The keyboard within the hand: arrows go from tile to tile, with Control they move a tile.

import { useRef, useState } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import type { Arrangement } from "./order";
import { tileKey } from "./tiles";

export interface Roving {
  /** The place of the tile that the keyboard comes to, 0-based. */
  readonly place: number;
  readonly visit: (place: number) => void;
  readonly press: (event: KeyboardEvent) => void;
}

/** Roams a hand of so many columns; `onMove` is told which tile is to go to which place. */
export function useRoving(
  { tiles }: Arrangement,
  columns: number,
  onMove: (tile: Tile, place: number) => void,
): Roving {
  const [key, setKey] = useState<string | null>(null);
  const lastPlace = useRef(0);
  const found = tiles.findIndex(({ tile }) => tileKey(tile) === key);
  // When the tile is gone the keyboard stays where it was.
  const place = found >= 0 ? found : Math.min(lastPlace.current, Math.max(0, tiles.length - 1));
  lastPlace.current = place;

  const visit = (next: number) => {
    const tile = tiles[next]?.tile;
    if (tile) setKey(tileKey(tile));
  };
  const press = (event: KeyboardEvent) => {
    const next = nextPlace(event.key, place, columns, tiles.length);
    const tile = tiles[place]?.tile;
    if (next === null || !tile || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.ctrlKey) {
      setKey(tileKey(tile));
      onMove(tile, next);
      return;
    }
    visit(next);
    const rack = event.currentTarget as HTMLElement;
    rack.querySelectorAll<HTMLElement>(".hand-tile")[next]?.focus();
  };
  return { place, visit, press };
}

/** Returns the place that a key leads to, within the hand; `null` for a key that means nothing here. */
export function nextPlace(
  key: string,
  place: number,
  columns: number,
  count: number,
): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place - columns,
    ArrowDown: place + columns,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  if (next === undefined) return null;
  return next < 0 || next >= count ? place : next;
}
