import { useEffect, useState } from "preact/hooks";
import type { Table } from "../game/table";
import { countdown, milliseconds } from "../game/times";
import type { Game } from "../gen/mextrain/v1/game_pb";
import { say } from "../i18n";
import { useTitle } from "../title";
import { turnText } from "../words/turn";

interface Props {
  readonly table: Table;
  readonly names: readonly string[];
}

/** Whose turn it is, how long it may still take, and how the line to the service is. */
export function TurnLine({ table, names }: Props) {
  const game = table.game.value;
  return game?.view ? <LineOf table={table} names={names} game={game} /> : null;
}

function LineOf({ table, names, game }: Props & { readonly game: Game }) {
  if (!game.view) return null;
  const { round, totalRounds } = game.view;
  const mine = round?.turn !== undefined && round.turn === table.seat;
  const text = turnText(game, table.seat, table.legal.value, names, say);
  useTitle(mine ? `● ${text}` : text);
  return (
    <section class={mine ? "turn mine" : "turn"} aria-labelledby="turn-text">
      <p class="turn-round">
        {round && say("table.round", { number: round.number, total: totalRounds })}
      </p>
      <p class="turn-text" id="turn-text" role="status" tabIndex={-1} data-testid="turn">
        {round?.turn !== undefined && (
          <span class={`seat-dot seat-${round.turn}`} aria-hidden="true">
            {round.turn + 1}
          </span>
        )}
        <span>{text}</span>
      </p>
      <Deadline table={table} />
      <LineState table={table} />
    </section>
  );
}

function LineState({ table }: { readonly table: Table }) {
  const { line, busy } = table;
  const offline = line.value === "offline";
  if (offline || line.value === "connecting") {
    return (
      <p class={offline ? "line offline" : "line"} role="status" data-testid="line">
        {say(offline ? "line.offline" : "line.connecting")}
      </p>
    );
  }
  return busy.value ? <p class="line">{say("line.sending")}</p> : null;
}

/** Counts down by the clock of the service. */
function Deadline({ table }: { readonly table: Table }) {
  const deadline = table.view.value?.turnDeadline;
  const ends = deadline ? milliseconds(deadline) - table.clockAheadMs.value : undefined;
  const now = useNow(ends !== undefined);
  if (ends === undefined) return null;
  const left = ends - now;
  return (
    <p class={left < 10_000 ? "deadline urgent" : "deadline"}>
      <span class="unseen">{say("turn.timeLeft")} </span>
      <span role="timer" data-testid="deadline">
        {countdown(left)}
      </span>
    </p>
  );
}

function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!ticking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
