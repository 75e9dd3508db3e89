import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { WatchGameRequest } from "../src/gen/mextrain/v1/game_service_pb";
import { problemOf } from "../src/net/problem";
import { type Line, type Watcher, watch } from "../src/net/watching";
import { requestId, written } from "../src/net/writing";
import { away, GAME_ID, gameAt, refused, serviceThat } from "./service";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const END = { update: { case: "end" as const, value: { version: 9 } } };
const told = (version: number) => ({
  update: { case: "events" as const, value: { version, cursor: `${version}-x` } },
});

/** Notes what a watcher is told. */
function notes() {
  const lines: Line[] = [];
  const versions: number[] = [];
  const watcher: Watcher = {
    onBatch: ({ version }) => void versions.push(version),
    onReset: ({ game }) => void versions.push(game?.view?.version ?? -1),
    onHeartbeat: () => undefined,
    onEnd: () => undefined,
    onLine: (line) => void lines.push(line),
  };
  return { lines, versions, watcher };
}

describe("watching", () => {
  const signal = new AbortController().signal;

  test("resumes after the last cursor that was told when the stream is cut", async () => {
    const asked: string[] = [];
    const service = serviceThat({
      async *watchGame({ cursor }: WatchGameRequest) {
        asked.push(cursor);
        yield asked.length === 1 ? told(5) : END;
      },
    });
    const { lines, versions, watcher } = notes();
    const over = watch(service, GAME_ID, "3-x", watcher, signal);
    await vi.runAllTimersAsync();
    await over;
    expect(asked).toEqual(["3-x", "5-x"]);
    expect(versions).toEqual([5]);
    expect(lines).toEqual(["live", "connecting", "live", "ended"]);
  });

  test("resumes after the cursor of a reset", async () => {
    const asked: string[] = [];
    const service = serviceThat({
      async *watchGame({ cursor }: WatchGameRequest) {
        asked.push(cursor);
        const value = { game: gameAt(8, { cursor: "8-x" }) };
        if (asked.length > 1) yield END;
        else yield { update: { case: "reset" as const, value } };
      },
    });
    const over = watch(service, GAME_ID, "", notes().watcher, signal);
    await vi.runAllTimersAsync();
    await over;
    expect(asked).toEqual(["", "8-x"]);
  });

  test("cuts a stream that is silent for too long, and resumes", async () => {
    let streams = 0;
    const service = serviceThat({
      async *watchGame(_, { signal: left }) {
        streams += 1;
        yield streams === 1 ? told(4) : END;
        await new Promise((resolve) => left.addEventListener("abort", resolve));
      },
    });
    const over = watch(service, GAME_ID, "3-x", notes().watcher, signal);
    await vi.advanceTimersByTimeAsync(60_000);
    await over;
    expect(streams).toBe(2);
  });

  test("gives up when the service refuses for good", async () => {
    const service = serviceThat({
      // biome-ignore lint/correctness/useYield: it fails before it says anything
      async *watchGame() {
        throw refused(Code.Unauthenticated, "TOKEN_SUPERSEDED");
      },
    });
    const { lines, watcher } = notes();
    await watch(service, GAME_ID, "3-x", watcher, signal);
    expect(lines).toEqual(["refused"]);
  });
});

describe("writing", () => {
  test("repeats under the same id while the answer may have been lost", async () => {
    const ids: string[] = [];
    const service = serviceThat({
      dealRound: ({ requestId: id }) => {
        ids.push(id);
        if (ids.length < 3) throw refused(Code.Unavailable, "STORE_UNAVAILABLE");
        return { game: gameAt(1) };
      },
    });
    const outcome = written((id) => service.dealRound({ gameId: GAME_ID, requestId: id }));
    await vi.runAllTimersAsync();
    expect("answer" in (await outcome)).toBe(true);
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(3);
  });

  test("comes back when the service asks for it however long the store was away", async () => {
    const asked: number[] = [];
    const service = serviceThat({
      dealRound: () => {
        asked.push(performance.now());
        if (asked.length < 8) throw away(400);
        return { game: gameAt(1) };
      },
    });
    const outcome = written((id) => service.dealRound({ gameId: GAME_ID, requestId: id }));
    await vi.runAllTimersAsync();
    expect("answer" in (await outcome)).toBe(true);
    const pauses = asked.slice(1).map((at, before) => at - (asked[before] ?? 0));
    expect(pauses).toEqual(Array(7).fill(400));
  });

  test("does not repeat what was refused", async () => {
    let calls = 0;
    const service = serviceThat({
      dealRound: () => {
        calls += 1;
        throw refused(Code.FailedPrecondition, "SEAT_OPEN", { seat: "1" });
      },
    });
    const outcome = await written((id) => service.dealRound({ requestId: id }));
    expect(calls).toBe(1);
    expect("problem" in outcome && outcome.problem).toMatchObject({
      reason: "SEAT_OPEN",
      facts: { seat: "1" },
      passes: false,
    });
  });

  test("makes ids that nobody can guess", () => {
    expect(requestId()).toMatch(/^[0-9a-f]{32}$/);
    expect(requestId()).not.toBe(requestId());
  });
});

test("a failed fetch is a service that cannot be reached", () => {
  expect(problemOf(new TypeError("Failed to fetch"))).toMatchObject({
    reason: "UNREACHABLE",
    passes: true,
  });
});
