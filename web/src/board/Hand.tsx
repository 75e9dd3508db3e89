import type { HandProps } from "./types";

export function Hand({ game }: HandProps) {
  return <p>{game.view?.hand.map((tile) => `${tile.high}-${tile.low}`).join(" ")}</p>;
}
