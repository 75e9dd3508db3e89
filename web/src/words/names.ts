// What seats and trains are called. Knows no page.

import type { TrainName } from "../board/types";
import type { Game, Seat } from "../gen/mextrain/v1/game_pb";
import type { Translate } from "../i18n/translate";

/** What each seat is called, by seat; never empty. */
export function namesOf(game: Game, t: Translate): readonly string[] {
  return game.seats.map((seat, index) => nameOf(seat) || t("table.someone", { number: index + 1 }));
}

function nameOf({ holder }: Seat): string {
  return holder.case === "person" || holder.case === "bot" ? holder.value.displayName : "";
}

export function trainName(train: TrainName, names: readonly string[], t: Translate): string {
  if (train === "mexican") return t("table.mexican");
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
