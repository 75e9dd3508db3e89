// Reads and writes moves and trains as the contract has them. Knows no rule.

import { create } from "@bufbuild/protobuf";
import type { TrainName } from "../board/types";
import { type Move, MoveSchema } from "../gen/mextrain/v1/move_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import type { TrainReference } from "../gen/mextrain/v1/train_pb";

export function trainOf(reference: TrainReference | undefined): TrainName {
  return reference?.train.case === "seat" ? reference.train.value : "mexican";
}

export function playMove(tile: Tile, train: TrainName): Move {
  const reference: TrainReference["train"] =
    train === "mexican" ? { case: "mexican", value: true } : { case: "seat", value: train };
  return create(MoveSchema, {
    action: {
      case: "playTile",
      value: { tile: { high: tile.high, low: tile.low }, train: { train: reference } },
    },
  });
}

export function plainMove(kind: "drawTile" | "passTurn" | "callLastTile"): Move {
  return create(MoveSchema, { action: { case: kind, value: {} } });
}

export function sameTile(one: Tile | undefined, other: Tile | undefined): boolean {
  return one?.high === other?.high && one?.low === other?.low;
}

export function sameMove(one: Move, other: Move): boolean {
  if (one.action.case !== other.action.case) return false;
  if (one.action.case !== "playTile" || other.action.case !== "playTile") return true;
  const [a, b] = [one.action.value, other.action.value];
  return sameTile(a.tile, b.tile) && trainOf(a.train) === trainOf(b.train);
}

export function allows(moves: readonly Move[], kind: Move["action"]["case"]): boolean {
  return moves.some((move) => move.action.case === kind);
}

export function tileText(tile: Tile | undefined): string {
  return tile ? `${tile.high}-${tile.low}` : "?";
}
