import type { BoardProps } from "./types";

export function Board({ game, names }: BoardProps) {
  return (
    <ul>
      {game.view?.round?.trains.map((train, index) => (
        <li key={index}>
          {names[index] ?? "Mexican"}: {train.pips.join("-")}
          {train.marked ? " *" : ""}
        </li>
      ))}
    </ul>
  );
}
