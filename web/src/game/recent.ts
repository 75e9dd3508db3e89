// What happened lately, out of the story of a table. Knows no words.

import type { Laid } from "../board/types";
import type { Event } from "../gen/mextrain/v1/event_pb";
import { trainOf } from "./moves";

const SHOWN_TO_SPECTATORS = 4;

/** The tiles that others laid since a seat's own last turn, oldest first; the last few for no seat. */
export function recentlyLaid(story: readonly Event[], seat: number | undefined): readonly Laid[] {
  const laid: Laid[] = [];
  for (const { fact } of story.toReversed()) {
    if (fact.case === "roundDealt") break;
    if (fact.case === "turnPassed" && fact.value.seat === seat) break;
    if (fact.case !== "tilePlayed" || !fact.value.tile) continue;
    if (fact.value.seat === seat) break;
    laid.push({ seat: fact.value.seat, tile: fact.value.tile, train: trainOf(fact.value.train) });
  }
  if (seat === undefined) laid.splice(SHOWN_TO_SPECTATORS);
  return laid.reverse();
}

/** The end of the latest round that is in the story. */
export function lastRoundEnd(story: readonly Event[]) {
  for (const { fact } of story.toReversed()) {
    if (fact.case === "roundEnded") return fact.value;
  }
  return undefined;
}
