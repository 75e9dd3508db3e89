import { useState } from "preact/hooks";
import { tileText } from "../game/moves";
import type { Table } from "../game/table";
import { DealBy, type Game } from "../gen/mextrain/v1/game_pb";
import { RoundEnd } from "../gen/mextrain/v1/round_pb";
import { Phase } from "../gen/mextrain/v1/view_pb";
import { language, say } from "../i18n";
import { pathOf } from "../routes";
import { listed } from "../words/names";
import { Icon } from "./Icon";
import { ScoreSheet } from "./ScoreSheet";
import { Share } from "./Share";

interface Props {
  readonly table: Table;
  readonly names: readonly string[];
  readonly onDeal: () => void;
}

/** What stands above the board while no round is live: who is missing, how the round or match ended. */
export function Between({ table, names, onDeal }: Props) {
  const [seen, setSeen] = useState(table.game.value?.results.length ?? 0);
  const game = table.game.value;
  if (!game?.view) return null;
  const { phase } = game.view;
  const open = game.seats.some(({ holder }) => holder.case === "open");
  if (open) {
    return (
      <section class="card between" aria-labelledby="share-title">
        <h2 id="share-title">{say("share.title")}</h2>
        <Share game={game} names={names} />
      </section>
    );
  }
  const news = game.results.length > seen;
  if (phase === Phase.PLAYING && !news) return null;
  return (
    <section class="card between" aria-labelledby="between-title">
      <h2 id="between-title" tabIndex={-1}>
        {headline(table, game, names)}
      </h2>
      {lastRound(game, names)}
      <div class="form-end">
        {phase === Phase.PLAYING && (
          <button type="button" onClick={() => setSeen(game.results.length)}>
            {say("app.close")}
          </button>
        )}
        {phase === Phase.AWAITING_DEAL && mayDeal(table, game) && (
          <button type="button" class="primary large" disabled={table.busy.value} onClick={onDeal}>
            {say("table.deal", { number: game.results.length + 1 })}
          </button>
        )}
        {phase === Phase.FINISHED && (
          <>
            <a class="button primary" href="/">
              {say("table.new")}
            </a>
            <a class="button" href={pathOf(game.gameId, table.role, true)}>
              <Icon name="play" />
              {say("table.replay")}
            </a>
          </>
        )}
      </div>
      <div class="outcome">
        {game.results.length > 0 && (
          <ScoreSheet game={game} score={table.score.value} names={names} seat={table.seat} />
        )}
        <LeftInHands game={game} names={names} />
      </div>
    </section>
  );
}

function mayDeal(table: Table, game: Game): boolean {
  return table.seat !== undefined && game.policy?.dealBy === DealBy.SEATS;
}

function headline(table: Table, game: Game, names: readonly string[]): string {
  const winners = table.score.value?.winners ?? [];
  if (game.view?.phase === Phase.FINISHED && winners.length > 0) {
    if (winners.length === 1 && winners[0] === table.seat) return say("score.youWon");
    const all = listed(winners, names, language.value);
    return say(winners.length > 1 ? "score.winners" : "score.winner", { names: all });
  }
  const last = game.results.at(-1);
  if (last) return say("score.roundOver", { number: last.number });
  return say("table.deal", { number: 1 });
}

function lastRound(game: Game, names: readonly string[]) {
  const last = game.results.at(-1);
  if (!last) return null;
  const text =
    last.end === RoundEnd.BLOCKED
      ? say("score.blocked")
      : say("score.wentOut", { names: listed(last.out, names, language.value) });
  return <p>{text}</p>;
}

/** What each seat was left with, once everyone may see it. */
function LeftInHands({ game, names }: { readonly game: Game; readonly names: readonly string[] }) {
  const hands = game.view?.phase === Phase.PLAYING ? [] : (game.view?.round?.shownHands ?? []);
  const left = hands.flatMap(({ tiles }, seat) => (tiles.length > 0 ? [{ tiles, seat }] : []));
  if (left.length === 0) return null;
  return (
    <section class="left">
      <h3>{say("score.left")}</h3>
      <dl>
        {left.map(({ tiles, seat }) => (
          <div key={seat}>
            <dt>{names[seat]}</dt>
            <dd>
              {tiles.map((tile) => (
                <span class="chip" key={tileText(tile)}>
                  {tileText(tile)}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
