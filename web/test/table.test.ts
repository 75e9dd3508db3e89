import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { deal, play } from "../src/game/acting";
import { playMove } from "../src/game/moves";
import { recentlyLaid } from "../src/game/recent";
import { Table } from "../src/game/table";
import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb";
import type { PlayMoveRequest } from "../src/gen/mextrain/v1/game_service_pb";
import { TileSchema } from "../src/gen/mextrain/v1/tile_pb";
import { ViewSchema } from "../src/gen/mextrain/v1/view_pb";
import { ROUNDS } from "./recorded";
import { GAME_ID, gameAt, refused, serviceThat } from "./service";

const TILE = create(TileSchema, { high: 12, low: 5 });
const MOVE = playMove(TILE, 0);

/** A game whose version a test sets, with one legal move while `legal` says so. */
function hosted({ version = 4, legal = true } = {}) {
  const state = { version, legal, plays: [] as PlayMoveRequest[], refusals: [] as unknown[] };
  const service = serviceThat({
    getGame: () => ({ game: gameAt(state.version) }),
    listLegalMoves: () => ({ version: state.version, moves: state.legal ? [MOVE] : [] }),
    playMove: (request) => {
      state.plays.push(request);
      const refusal = state.refusals.shift();
      if (refusal) throw refusal;
      state.version += 1;
      return { view: gameAt(state.version).view, events: [] };
    },
    dealRound: () => {
      throw refused(Code.FailedPrecondition, "ROUND_IN_PROGRESS", { round: "1" });
    },
  });
  return { state, table: new Table(GAME_ID, 0, service) };
}

function stale(version: number): ConnectError {
  return new ConnectError("stale", Code.Aborted, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "STALE_VERSION", domain: "mextrain" } },
    { desc: ViewSchema, value: gameAt(version).view ?? {} },
  ]);
}

describe("a table", () => {
  test("shows the moves of the very version that it shows, and no others", async () => {
    const { table } = hosted();
    await table.refresh();
    expect(table.legal.value.moves).toEqual([MOVE]);
    table.show(gameAt(5));
    expect(table.legal.value.moves).toEqual([]);
  });

  test("never goes back to an earlier version", async () => {
    const { table } = hosted();
    await table.refresh();
    table.show(gameAt(3));
    expect(table.version).toBe(4);
  });

  test("says at which version a move was decided, under an id of its own", async () => {
    const { state, table } = hosted();
    await table.refresh();
    expect(await play(table, [MOVE])).toBeUndefined();
    expect(await play(table, [MOVE])).toBeUndefined();
    expect(state.plays.map(({ expectedVersion }) => expectedVersion)).toEqual([4, 5]);
    expect(new Set(state.plays.map(({ requestId }) => requestId)).size).toBe(2);
    expect(table.version).toBe(6);
    expect(table.busy.value).toBe(false);
  });

  test("makes a move anew that the table moved on under, while it is legal", async () => {
    const { state, table } = hosted();
    await table.refresh();
    state.version = 6;
    state.refusals = [stale(6)];
    expect(await play(table, [MOVE])).toBeUndefined();
    expect(state.plays.map(({ expectedVersion }) => expectedVersion)).toEqual([4, 6]);
  });

  test("says so when the table moved on and the move is not legal any more", async () => {
    const { state, table } = hosted();
    await table.refresh();
    state.version = 6;
    state.legal = false;
    state.refusals = [stale(6)];
    expect(await play(table, [MOVE])).toMatchObject({ reason: "STALE_VERSION" });
    expect(state.plays).toHaveLength(1);
    expect(table.version).toBe(6);
  });

  test("tells why a move was refused, and changes nothing", async () => {
    const { state, table } = hosted();
    await table.refresh();
    state.refusals = [refused(Code.FailedPrecondition, "TRAIN_CLOSED", { train: "1" })];
    const problem = await play(table, [MOVE]);
    expect(problem).toMatchObject({ reason: "TRAIN_CLOSED", facts: { train: "1" } });
    expect(table.version).toBe(4);
  });

  test("is content when somebody else dealt", async () => {
    const { table } = hosted();
    await table.refresh();
    expect(await deal(table)).toBeUndefined();
  });

  test("is lost when its token is no longer good", async () => {
    const service = serviceThat({
      getGame: () => {
        throw refused(Code.Unauthenticated, "TOKEN_SUPERSEDED");
      },
    });
    const table = new Table(GAME_ID, 0, service);
    await table.follow();
    expect(table.lost.value).toMatchObject({ reason: "TOKEN_SUPERSEDED" });
  });
});

describe.each(ROUNDS)("what was laid lately in the round of $name", ({ events }) => {
  test("is what others laid since the seat's own last turn", () => {
    const own = events.findLastIndex(
      ({ fact }) => fact.case === "tilePlayed" && fact.value.seat === 0,
    );
    expect(recentlyLaid(events.slice(0, own + 1), 0)).toEqual([]);
    const laid = recentlyLaid(events, 0);
    expect(laid.every(({ seat }) => seat !== 0)).toBe(true);
  });

  test("is a few tiles for those who watch", () => {
    expect(recentlyLaid(events, undefined).length).toBeLessThanOrEqual(4);
  });
});
