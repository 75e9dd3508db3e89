import { useEffect, useMemo, useRef } from "preact/hooks";
import { Board } from "../board/Board";
import { Hand } from "../board/Hand";
import { recentlyLaid } from "../game/recent";
import { Table } from "../game/table";
import { Phase } from "../gen/mextrain/v1/view_pb";
import { say } from "../i18n";
import { hold } from "../keeping";
import { marks } from "../marks";
import { serviceFor } from "../net/client";
import { Actions } from "../parts/Actions";
import { Between } from "../parts/Between";
import { Lost } from "../parts/Lost";
import { Menu } from "../parts/Menu";
import { Players } from "../parts/Players";
import { ProblemNote } from "../parts/Problem";
import { ScoreSheet } from "../parts/ScoreSheet";
import { Story } from "../parts/Story";
import { TurnLine } from "../parts/TurnLine";
import type { Role } from "../routes";
import { namesOf } from "../words/names";
import { problemText } from "../words/problems";
import { useHands } from "./hands";

interface Props {
  readonly gameId: string;
  readonly role: Role;
  readonly token: string;
}

/** A table: playing at it, or watching it. */
export function Play({ gameId, role, token }: Props) {
  const table = useMemo(() => new Table(gameId, role, serviceFor(token)), [gameId, role, token]);
  const hands = useHands(table);
  useEffect(() => {
    void table.follow();
    return () => table.close();
  }, [table]);

  const title = table.game.value ? namesOf(table.game.value, say).join(", ") : "";
  useEffect(() => {
    if (title) hold(gameId, role, token, title);
  }, [gameId, role, token, title]);

  useFocusAfter(table.view.value?.phase);

  const {
    lost,
    game: { value: game },
  } = table;
  if (lost.value) return <Lost text={problemText(lost.value, [], say)} />;
  if (!game?.view) return <p class="notice">{say("app.loading")}</p>;

  const names = namesOf(game, say);
  const { moves, unplayable } = table.legal.value;
  const seated = game.view.phase === Phase.PLAYING && table.seat !== undefined;
  const note = hands.note && <ProblemNote text={hands.note} onClose={hands.clear} />;
  const given = {
    game,
    moves,
    names,
    selection: hands.selection,
    busy: table.busy.value,
    suggestion: hands.suggestion,
    marks: marks.value,
    t: say,
    onSelect: hands.select,
    onPlay: hands.lay,
    onRefused: hands.refuse,
  };
  return (
    <div class="table">
      <h1 class="unseen">{say("table.board")}</h1>
      <TurnLine table={table} names={names} />
      <div class="table-main">
        <Between table={table} names={names} onDeal={hands.deal} />
        {game.view.round && (
          <div class="felt">
            <Board
              {...given}
              recent={recentlyLaid(table.story.value, table.seat)}
              onDraw={hands.draw}
            />
          </div>
        )}
        {!seated && note}
        {seated && (
          <div class="rack">
            {note}
            <Hand {...given} unplayable={unplayable} />
            <Actions table={table} hands={hands} />
          </div>
        )}
      </div>
      <aside class="table-side">
        <section class="card" aria-labelledby="score-title">
          <h2 id="score-title">{say("score.title")}</h2>
          <Players game={game} names={names} seat={table.seat} />
          {game.results.length > 0 && (
            <details>
              <summary>{say("score.sheet")}</summary>
              <ScoreSheet game={game} score={table.score.value} names={names} seat={table.seat} />
            </details>
          )}
        </section>
        <Story story={table.story.value} names={names} seat={table.seat} />
        <Menu table={table} names={names} onProblem={hands.tell} />
      </aside>
    </div>
  );
}

/** Puts the focus where a round begins or ends, whose buttons have just gone; not on arrival. */
function useFocusAfter(phase: Phase | undefined): void {
  const before = useRef(phase);
  useEffect(() => {
    const changed = before.current !== undefined && before.current !== phase;
    before.current = phase;
    const place = phase === Phase.PLAYING ? "turn-text" : "between-title";
    if (changed) document.getElementById(place)?.focus();
  }, [phase]);
}
