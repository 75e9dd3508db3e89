import type { Game } from "../gen/mextrain/v1/game_pb";
import type { Score } from "../gen/mextrain/v1/score_pb";
import { say } from "../i18n";

interface Props {
  readonly game: Game;
  readonly score: Score | null;
  readonly names: readonly string[];
  readonly seat: number | undefined;
}

/** The points of each seat in each round, in total, and the places. */
export function ScoreSheet({ game, score, names, seat }: Props) {
  const rounds = game.results;
  const totals = game.view?.totals ?? [];
  const standings = score?.standings ?? [];
  const places = (index: number) => standings[index]?.place ?? 0;
  // By place once it is final, else as they sit.
  const order = names.map((_, index) => index);
  if (score?.finished) order.sort((one, other) => places(one) - places(other));
  return (
    <div class="sheet" tabIndex={0} role="region" aria-label={say("score.sheet")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("score.player")}</th>
            {rounds.map(({ number }) => (
              <th scope="col" key={number}>
                {say("score.roundShort", { number })}
              </th>
            ))}
            <th scope="col">{say("score.total")}</th>
            <th scope="col">{say("score.place")}</th>
          </tr>
        </thead>
        <tbody>
          {order.map((index) => (
            <tr
              key={index}
              class={score?.winners.includes(index) ? "won" : index === seat ? "me" : undefined}
            >
              <th scope="row">
                <span class="sheet-name">
                  <span class={`seat-dot seat-${index}`} aria-hidden="true">
                    {index + 1}
                  </span>
                  <span class="clip">{names[index]}</span>
                </span>
              </th>
              {rounds.map(({ number, points, out }) => (
                <td key={number} class={out.includes(index) ? "out" : undefined}>
                  {points[index]}
                </td>
              ))}
              <td class="total">{totals[index] ?? 0}</td>
              <td>{places(index) || ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
