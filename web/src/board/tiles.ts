// What the board reads off the messages of the contract: names of trains, tiles as they lie, who may
// play where. Decides no rule: what is legal comes from the service.

import type { Game } from "../gen/mextrain/v1/game_pb";
import type { Move } from "../gen/mextrain/v1/move_pb";
import type { Round } from "../gen/mextrain/v1/round_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import type { Train, TrainReference } from "../gen/mextrain/v1/train_pb";
import type { TrainName } from "./types";

/** A tile of a train: the end towards the hub and the one away from it. */
export interface LaidTile {
  readonly inner: number;
  readonly outer: number;
}

/** A play that is legal now. */
export interface Play {
  readonly tile: Tile;
  readonly train: TrainName;
}

/** Returns a text that is the same for the same tile: `12-5`. */
export function tileKey(tile: Pick<Tile, "high" | "low">): string {
  return `${tile.high}-${tile.low}`;
}

export function sameTile(a: Tile | null | undefined, b: Tile | null | undefined): boolean {
  return !!a && !!b && a.high === b.high && a.low === b.low;
}

export function isDouble(tile: Pick<Tile, "high" | "low">): boolean {
  return tile.high === tile.low;
}

/** Returns the train that a reference names; the Mexican Train for an empty one. */
export function nameOf(reference: TrainReference | undefined): TrainName {
  return reference?.train.case === "seat" ? reference.train.value : "mexican";
}

/** Returns the tiles of a train from the hub outwards. */
export function tilesOf(pips: readonly number[]): LaidTile[] {
  return pips.slice(1).map((outer, index) => ({ inner: pips[index] ?? outer, outer }));
}

/** Returns the pip value that the next tile must have. */
export function endOf(train: Train, hub: number): number {
  return train.pips.at(-1) ?? hub;
}

/** Returns the plays among legal moves, in their order. */
export function playsOf(moves: readonly Move[]): Play[] {
  return moves.flatMap(({ action }) =>
    action.case === "playTile" && action.value.tile
      ? [{ tile: action.value.tile, train: nameOf(action.value.train) }]
      : [],
  );
}

/** Returns the trains that take a tile, or any tile when none is given. */
export function trainsFor(plays: readonly Play[], tile: Tile | null): ReadonlySet<TrainName> {
  return new Set(plays.filter((play) => !tile || sameTile(play.tile, tile)).map((p) => p.train));
}

/** Returns the tile with the end first that joins `end`; as it is when neither does. */
export function joined(tile: Tile, end: number): LaidTile {
  return tile.low === end
    ? { inner: tile.low, outer: tile.high }
    : { inner: tile.high, outer: tile.low };
}

/** Who may play on a train: everyone, its owner, or everyone else when a double is to be covered. */
export type Access = "own" | "open" | "closed";

/** Returns how a train stands to a viewer. For a spectator, whose seat is `undefined`, none is own. */
export function accessTo(train: Train, seat: number | undefined): Access {
  const name = nameOf(train.train);
  if (name === seat) return "own";
  return name === "mexican" || train.marked || train.openDouble ? "open" : "closed";
}

/** Returns the highest pip value of the set that the game is played with; 18 when it is not told. */
export function highestPip(game: Game): number {
  const seats = game.seats.length;
  const step = game.rules?.maxPipByPlayers.find(
    ({ minPlayers, maxPlayers }) => minPlayers <= seats && seats <= maxPlayers,
  );
  return step?.value ?? 18;
}

/** Returns the pip values of which every tile lies on the table: nothing joins such an end. */
export function usedUp(round: Round, highest: number): ReadonlySet<number> {
  const laid = new Map<number, number>([[round.hub, 1]]);
  for (const { inner, outer } of round.trains.flatMap((train) => tilesOf(train.pips))) {
    for (const value of new Set([inner, outer])) laid.set(value, (laid.get(value) ?? 0) + 1);
  }
  return new Set([...laid].filter(([, count]) => count > highest).map(([value]) => value));
}
