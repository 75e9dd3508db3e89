// Whose turn it is and what it asks, in a few words. Knows no page.

import { allows } from "../game/moves";
import type { Legal } from "../game/table";
import type { Game } from "../gen/mextrain/v1/game_pb";
import { DealBy } from "../gen/mextrain/v1/game_pb";
import { Owed } from "../gen/mextrain/v1/round_pb";
import { Phase } from "../gen/mextrain/v1/view_pb";
import type { Translate } from "../i18n/translate";

/** Says whose turn it is; `seat` is the caller's, if it has one. */
export function turnText(
  game: Game,
  seat: number | undefined,
  legal: Legal,
  names: readonly string[],
  t: Translate,
): string {
  const { view } = game;
  if (view?.phase === Phase.FINISHED) return t("turn.over");
  if (view?.phase !== Phase.PLAYING) return waitingText(game, seat, t);
  const turn = view.round?.turn;
  if (turn !== seat || turn === undefined) {
    if (seat !== undefined && view.round?.callDue === seat) return t("turn.callDue");
    return t("turn.other", { name: names[turn ?? 0] ?? "" });
  }
  const me = game.seats[turn];
  if (me?.resigned) return t("turn.resigned");
  if (me && me.standIn !== 0) return t("turn.away");
  return ownTurnText(game, legal, t);
}

function waitingText(game: Game, seat: number | undefined, t: Translate): string {
  const open = game.seats.filter(({ holder }) => holder.case === "open").length;
  if (open > 0) return t("turn.waitingSeats", { n: open });
  const mayDeal = seat !== undefined && game.policy?.dealBy === DealBy.SEATS;
  if (!mayDeal) return t("turn.waitingPlatform");
  return t("turn.waitingDeal", { number: game.results.length + 1 });
}

function ownTurnText({ view }: Game, { moves, version }: Legal, t: Translate): string {
  const round = view?.round;
  // While the moves are asked for, what most often holds is said, so that it seldom changes.
  const canPlay = version < 0 || allows(moves, "playTile");
  if (!canPlay && round?.owed !== Owed.NOTHING && !round?.firstTurn) return stuckText(moves, t);
  if (round?.owed === Owed.COVER) return t("turn.cover");
  if (round?.owed === Owed.FOLLOW_ANYWHERE) return t("turn.follow");
  if (round?.owed === Owed.MAY_COVER || round?.owed === Owed.MAY_FOLLOW) return t("turn.mayFollow");
  if (round?.firstTurn && round.laid > 0) return t("turn.opening");
  if (!canPlay) return stuckText(moves, t);
  return round?.firstTurn ? t("turn.yoursFirst") : t("turn.yours");
}

function stuckText(moves: Legal["moves"], t: Translate): string {
  const [draw, pass] = [allows(moves, "drawTile"), allows(moves, "passTurn")];
  if (draw && pass) return t("turn.drawOrPass");
  return draw ? t("turn.mustDraw") : t("turn.mustPass");
}
