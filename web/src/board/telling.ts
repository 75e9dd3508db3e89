// What is said of a tile of the hand: what it is called, where it goes, why it goes nowhere. Makes no
// element.

import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { trainName } from "../words/names";
import { refusalText } from "../words/problems";
import { playsOf, sameTile, trainsFor } from "./tiles";
import type { HandProps, TrainName } from "./types";

/** Whether a tile can be laid now: on a train, or on any. */
export function fits({ moves }: HandProps, tile: Tile, train?: TrainName): boolean {
  const trains = trainsFor(playsOf(moves), tile);
  return train === undefined ? trains.size > 0 : trains.has(train);
}

/** Whether anything can be done at all now, so that it matters which tiles fit. */
export function mayAct({ moves, unplayable }: HandProps): boolean {
  return moves.length > 0 || unplayable.length > 0;
}

export function isHinted({ suggestion }: HandProps, tile: Tile): boolean {
  return !!suggestion && playsOf([suggestion]).some((play) => sameTile(play.tile, tile));
}

export function tileName({ high, low }: Tile, { t }: HandProps): string {
  return high === low ? t("hand.double", { value: high }) : t("hand.tile", { high, low });
}

/** Returns the trains that take a tile, in words. */
export function goesTo({ moves, names, game, t }: HandProps, tile: Tile): string {
  const own = game.view?.seat;
  return [...trainsFor(playsOf(moves), tile)]
    .map((train) => (train === own ? t("board.train.own") : trainName(train, names, t)))
    .join(", ");
}

/** Returns a tile's name, and where it goes or why it goes nowhere. */
export function aboutTile(props: HandProps, tile: Tile): string {
  const { t, names, unplayable, game } = props;
  const name = tileName(tile, props);
  if (fits(props, tile)) return `${name}, ${t("hand.fits", { trains: goesTo(props, tile) })}`;
  const refusal = unplayable.find((each) => sameTile(each.tile, tile))?.refusal;
  if (!refusal) return name;
  const why = refusalText(refusal, names, t, game.view?.seat);
  return `${name}, ${t("hand.stuck")}: ${why}`;
}
