// Tells which tiles were laid since the board was last drawn, so that they can be shown coming in.
// Knows nothing of how that looks.

import { useRef } from "preact/hooks";
import type { Round } from "../gen/mextrain/v1/round_pb";
import { nameOf } from "./tiles";
import type { TrainName } from "./types";

/** The number of tiles each train had before the last change; those after it are fresh. */
export type Fresh = ReadonlyMap<TrainName, number>;

/** Returns what is fresh; nothing when the board is first drawn or a round begins. */
export function useFresh(round: Round): Fresh {
  const memory = useRef({ number: round.number, before: lengths(round), now: lengths(round) });
  const now = lengths(round);
  const last = memory.current;
  if (last.number !== round.number) memory.current = { number: round.number, before: now, now };
  else if (!same(last.now, now)) memory.current = { number: round.number, before: last.now, now };
  return memory.current.before;
}

function lengths({ trains }: Round): Fresh {
  return new Map(trains.map((train) => [nameOf(train.train), Math.max(0, train.pips.length - 1)]));
}

function same(a: Fresh, b: Fresh): boolean {
  return a.size === b.size && [...a].every(([train, length]) => b.get(train) === length);
}
