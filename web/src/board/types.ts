// What the board and the hand are given and what they say back: the only thing that the pages and the
// board know of each other. Nothing here knows the network.

import type { Game } from "../gen/mextrain/v1/game_pb";
import type { Move, UnplayableTile } from "../gen/mextrain/v1/move_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import type { Translate } from "../i18n/translate";

/** A train as a seat number, 0-based, or the Mexican Train. */
export type TrainName = number | "mexican";

/** A tile that was laid, for showing what happened lately. */
export interface Laid {
  readonly seat: number;
  readonly tile: Tile;
  readonly train: TrainName;
}

/** Pips as on dominoes, or numerals for those who read them better. */
export type Marks = "pips" | "numerals";

/** What the player has picked up: a tile of the hand, or nothing. */
export type Selection = Tile | null;

/** What every part of a table is given. */
export interface TableProps {
  /** The game as the caller may see it; `game.view` is there. Never changed in place. */
  readonly game: Game;
  /** The caller's legal moves at this version; empty when it may do nothing, or is a spectator. */
  readonly moves: readonly Move[];
  /** What each seat is called, by seat; never empty text. */
  readonly names: readonly string[];
  readonly selection: Selection;
  /** A move is on its way to the service: nothing may be played until it is answered. */
  readonly busy: boolean;
  /** The move that a hint proposes, to be pointed at. */
  readonly suggestion: Move | null;
  /** How tiles show their values; pips when it is not said. */
  readonly marks?: Marks;
  readonly t: Translate;
  readonly onSelect: (selection: Selection) => void;
  /** Called only with a move that is among `moves`. */
  readonly onPlay: (tile: Tile, train: TrainName) => void;
  /** A tile was tried that cannot be laid there, or anywhere: the page says why in words. */
  readonly onRefused: (tile: Tile, train: TrainName | null) => void;
}

export interface BoardProps extends TableProps {
  /** The tiles laid since the caller's own last turn, oldest first. */
  readonly recent: readonly Laid[];
  /** The boneyard was tapped while drawing is legal. The page has the buttons Draw, Pass and Call. */
  readonly onDraw: () => void;
}

export interface HandProps extends TableProps {
  /** Of each tile that can go nowhere, why; empty when it is not the caller's turn. */
  readonly unplayable: readonly UnplayableTile[];
}
