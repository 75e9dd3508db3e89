import type { Game, Seat } from "../gen/mextrain/v1/game_pb";
import { Phase } from "../gen/mextrain/v1/view_pb";
import { say } from "../i18n";

interface Props {
  readonly game: Game;
  readonly names: readonly string[];
  readonly seat: number | undefined;
}

/** Who sits where, how many tiles each holds, how each stands. */
export function Players({ game, names, seat }: Props) {
  const round = game.view?.round;
  const live = game.view?.phase === Phase.PLAYING;
  return (
    <ul class="players">
      {game.seats.map((each, index) => (
        <li
          key={index}
          class={round?.turn === index ? "player moving" : "player"}
          aria-current={round?.turn === index ? "true" : undefined}
        >
          <span class={`seat-dot seat-${index}`} aria-hidden="true">
            {index + 1}
          </span>
          <span class="player-name clip">
            {names[index]}
            <small>
              {remarks(each, index === seat && names[index] !== say("board.you"), live)}
            </small>
          </span>
          <span class="player-tiles">
            {live && round ? say("score.tiles", { n: round.handCounts[index] ?? 0 }) : ""}
          </span>
          <span class="player-total">{game.view?.totals[index] ?? 0}</span>
        </li>
      ))}
    </ul>
  );
}

function remarks(seat: Seat, me: boolean, live: boolean): string {
  const found: string[] = [];
  if (me) found.push(say("table.you"));
  if (seat.holder.case === "bot") found.push(say("table.bot"));
  if (seat.holder.case === "open") found.push(say("table.open"));
  if (seat.resigned) found.push(say("table.left"));
  else if (seat.standIn !== 0 && live) found.push(say("table.away"));
  return found.join(", ");
}
