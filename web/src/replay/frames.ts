// Cuts what happened in a game into frames, one for each version. Draws nothing.

import { eventsOfRound, handsOf } from "../fairness/check";
import type { Event } from "../gen/mextrain/v1/event_pb";
import type { Game } from "../gen/mextrain/v1/game_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import type { View } from "../gen/mextrain/v1/view_pb";
import { after, beginning } from "./fold";

/** The table after all that has one version. */
export interface Frame {
  readonly view: View;
  /** What made it so. */
  readonly events: readonly Event[];
  /** How many rounds are over. */
  readonly rounds: number;
}

export function framesOf(game: Game, events: readonly Event[]): readonly Frame[] {
  const frames: Frame[] = [];
  let view = beginning(game.seats.length, game.view?.totalRounds ?? 0);
  let rounds = 0;
  for (const group of byVersion(events)) {
    for (const event of group) view = after(view, event);
    rounds += group.filter(({ fact }) => fact.case === "roundEnded").length;
    frames.push({ view, events: group, rounds });
  }
  return frames;
}

/** The game as it was at a frame, as everyone may know it, and with one hand if it is known. */
export function gameAt(game: Game, { view, rounds }: Frame, hand: readonly Tile[], seat?: number) {
  const seen = seat === undefined ? { ...view, hand: [] } : { ...view, hand: [...hand], seat };
  return { ...game, view: seen, results: game.results.slice(0, rounds) };
}

/** The hand of a seat at a frame, worked out from the seed of the round; empty until that is shown. */
export async function handAt(
  game: Game,
  frames: readonly Frame[],
  at: number,
  seat: number,
): Promise<readonly { readonly high: number; readonly low: number }[]> {
  const number = frames[at]?.view.round?.number ?? 0;
  const promised = game.commitments.find((each) => each.number === number);
  if (!promised) return [];
  const told = frames.slice(0, at + 1).flatMap(({ events }) => events);
  const happened = eventsOfRound(told, number);
  const hands = await handsOf(game, promised, happened);
  for (const event of happened) hands?.follow(event);
  return hands?.tilesOf(seat) ?? [];
}

function byVersion(events: readonly Event[]): readonly (readonly Event[])[] {
  const groups: Event[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last?.[0]?.version === event.version) last.push(event);
    else groups.push([event]);
  }
  return groups;
}
