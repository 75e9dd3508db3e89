import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "../board/Board";
import { Hand } from "../board/Hand";
import type { Selection, TrainName } from "../board/types";
import { deal, play } from "../game/acting";
import { allows, plainMove, playMove, sameTile } from "../game/moves";
import { recentlyLaid } from "../game/recent";
import { Table } from "../game/table";
import type { Move } from "../gen/mextrain/v1/move_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { Phase } from "../gen/mextrain/v1/view_pb";
import { say } from "../i18n";
import { hold } from "../keeping";
import { serviceFor } from "../net/client";
import { type Problem, problemOf } from "../net/problem";
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
import { problemText, refusalText } from "../words/problems";

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
  const live = game.view.phase === Phase.PLAYING;
  const given = {
    game,
    moves,
    names,
    selection: hands.selection,
    busy: table.busy.value,
    suggestion: hands.suggestion,
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
        {hands.note && <ProblemNote text={hands.note} onClose={hands.clear} />}
        {live && table.seat !== undefined && (
          <div class="rack">
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
        <Menu table={table} names={names} />
      </aside>
    </div>
  );
}

export type Hands = ReturnType<typeof useHands>;

/** What the player holds in hand: the picked tile, the hint, and what was said of the last try. */
function useHands(table: Table) {
  const [selection, select] = useState<Selection>(null);
  const [suggestion, setSuggestion] = useState<Move | null>(null);
  const [note, setNote] = useState("");
  const [callAlong, setCallAlong] = useState(false);
  const names = () => (table.game.value ? namesOf(table.game.value, say) : []);
  const tell = (problem: Problem | undefined) =>
    setNote(problem ? problemText(problem, names(), say, table.seat) : "");

  const version = table.version;
  useEffect(() => {
    setSuggestion(null);
    if (!holds(table, selection)) select(null);
  }, [version]);

  async function make(...moves: Move[]) {
    setNote("");
    select(null);
    tell(await play(table, moves));
  }

  return {
    selection,
    suggestion,
    note,
    callAlong,
    setCallAlong,
    select,
    clear: () => setNote(""),
    lay: (tile: Tile, train: TrainName) => {
      const along = callAlong && table.view.value?.hand.length === 2;
      void make(playMove(tile, train), ...(along ? [plainMove("callLastTile")] : []));
    },
    draw: () => allows(table.legal.value.moves, "drawTile") && void make(plainMove("drawTile")),
    pass: () => allows(table.legal.value.moves, "passTurn") && void make(plainMove("passTurn")),
    call: () =>
      allows(table.legal.value.moves, "callLastTile") && void make(plainMove("callLastTile")),
    deal: async () => tell(await deal(table)),
    /** Says why a tile cannot go there: as the service listed it, or by asking it. */
    refuse: (tile: Tile, train: TrainName | null) => {
      const listed = table.legal.value.unplayable.find((each) =>
        sameTile(each.tile, tile),
      )?.refusal;
      const refusal = listed ?? table.legal.value.refusal;
      if (refusal && (train === null || listed))
        setNote(refusalText(refusal, names(), say, table.seat));
      else if (train !== null) void make(playMove(tile, train));
    },
    hint: async () => {
      try {
        const { move, refusal } = await table.service.suggestMove({ gameId: table.gameId });
        setSuggestion(move ?? null);
        if (refusal) setNote(refusalText(refusal, names(), say, table.seat));
      } catch (error) {
        tell(problemOf(error));
      }
    },
  };
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

function holds(table: Table, tile: Selection): boolean {
  return tile !== null && (table.view.value?.hand ?? []).some((held) => sameTile(held, tile));
}
