// The writes of a table: each under one request id until it is known whether it was made, each at the
// version that the player saw. Knows no rule.

import { ConnectError } from "@connectrpc/connect";
import type { BotLevel } from "../gen/mextrain/v1/game_pb";
import type { Move } from "../gen/mextrain/v1/move_pb";
import { ViewSchema } from "../gen/mextrain/v1/view_pb";
import { isFinal, type Problem } from "../net/problem";
import { type Outcome, written } from "../net/writing";
import { sameMove } from "./moves";
import type { Table } from "./table";

const STALE_TRIES = 3;

/**
 * Makes moves. When the table moved on meanwhile and they are still among the legal ones, they are made
 * on the table as it is then. Returns why they were not made.
 */
export function play(table: Table, moves: Move[]): Promise<Problem | undefined> {
  const still = () => table.legal.value.moves.some((move) => moves[0] && sameMove(move, moves[0]));
  return acting(table, async () => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await playOnce(table, moves);
      if ("answer" in outcome) return undefined;
      const { problem } = outcome;
      if (problem.reason !== "STALE_VERSION" || tries === STALE_TRIES) return problem;
      table.showView(ConnectError.from(outcome.error).findDetails(ViewSchema)[0]);
      await table.refresh();
      if (!still()) return problem;
    }
  });
}

async function playOnce(table: Table, moves: Move[]): Promise<Outcome<unknown>> {
  const { gameId, service } = table;
  const expectedVersion = table.version;
  const outcome = await written(
    (requestId, signal) =>
      service.playMove({ gameId, moves, requestId, expectedVersion }, { signal }),
    table.closed.signal,
  );
  if ("answer" in outcome) {
    table.tellAfter(expectedVersion, outcome.answer.events);
    table.showView(outcome.answer.view);
  }
  return outcome;
}

/** Deals the next round. That somebody else just did is as good. */
export function deal(table: Table): Promise<Problem | undefined> {
  const { gameId, service } = table;
  const expectedVersion = table.version;
  return acting(table, async () => {
    const outcome = await written(
      (requestId, signal) => service.dealRound({ gameId, requestId, expectedVersion }, { signal }),
      table.closed.signal,
    );
    if ("problem" in outcome) {
      const dealt = ["STALE_VERSION", "ROUND_IN_PROGRESS"].includes(outcome.problem.reason);
      return dealt ? undefined : outcome.problem;
    }
    table.tellAfter(expectedVersion, outcome.answer.events);
    table.show(outcome.answer.game);
    return undefined;
  });
}

/** Lets a bot play the caller's seat, or takes the seat back. */
export function standIn(table: Table, level: BotLevel | "holder"): Promise<Problem | undefined> {
  const { gameId, service, seat = 0 } = table;
  const substitute =
    level === "holder"
      ? ({ case: "holder", value: true } as const)
      : ({ case: "bot", value: { level } } as const);
  return acting(table, async () => {
    const outcome = await written(
      (requestId, signal) =>
        service.substituteSeat({ gameId, seat, substitute, requestId }, { signal }),
      table.closed.signal,
    );
    if ("problem" in outcome) return outcome.problem;
    table.show(outcome.answer.game);
    return undefined;
  });
}

/** Leaves the seat for good. */
export function resign(table: Table): Promise<Problem | undefined> {
  const { gameId, service, seat = 0 } = table;
  return acting(table, async () => {
    const outcome = await written(
      (requestId, signal) => service.resignSeat({ gameId, seat, requestId }, { signal }),
      table.closed.signal,
    );
    if ("problem" in outcome) return outcome.problem;
    table.show(outcome.answer.game);
    return undefined;
  });
}

/** Does one write at a time, and reads the table anew after it, however it came out. */
async function acting(
  table: Table,
  act: () => Promise<Problem | undefined>,
): Promise<Problem | undefined> {
  if (table.busy.value) return undefined;
  table.busy.value = true;
  try {
    const problem = await act();
    if (problem && isFinal(problem)) table.lost.value = problem;
    else await table.refresh();
    return problem;
  } finally {
    table.busy.value = false;
  }
}
