// What seats and trains are called. Knows no page.

import type { TrainName } from "../board/types";
import type { Game, Seat } from "../gen/mextrain/v1/game_pb";
import type { Translate } from "../i18n/translate";

/** What each seat is called, by seat; never empty. */
export function namesOf(game: Game, t: Translate): readonly string[] {
  const me = game.view?.seat;
  return game.seats.map((seat, index) => {
    return (
      nameOf(seat) || (index === me ? t("board.you") : t("table.someone", { number: index + 1 }))
    );
  });
}

function nameOf({ holder }: Seat): string {
  return holder.case === "person" || holder.case === "bot" ? holder.value.displayName : "";
}

/** What a train is called within a sentence; `me` is the seat of whoever reads it, if it has one. */
export function trainName(
  train: TrainName,
  names: readonly string[],
  t: Translate,
  me?: number,
): string {
  if (train === "mexican") return t("table.mexican");
  if (train === me) return t("table.trainYours");
  return t("table.train", { name: names[train] ?? "" });
}

/** Several names as a language lists them. */
export function listed(
  seats: readonly number[],
  names: readonly string[],
  language: string,
): string {
  const found = seats.map((seat) => names[seat] ?? "");
  return new Intl.ListFormat(language, { type: "conjunction" }).format(found);
}
