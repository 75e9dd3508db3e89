// Follows a game through sleep, dropped networks and restarts of servers, and resumes after the last
// cursor that was told.

import { create } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import type { WatchGameResponse } from "../gen/mextrain/v1/game_service_pb";
import type { EventBatch, Heartbeat, WatchEnd, WatchReset } from "../gen/mextrain/v1/watch_pb";
import type { Service } from "./client";
import { isFinal, type Problem, problemOf } from "./problem";
import { backoff } from "./waiting";

const HEARTBEAT_S = 10n;
const SILENCE_MS = 25_000;
/** After a sleep the stream may be dead without saying so. */
const STALE_MS = 12_000;

/** How the line to the service is. */
export type Line = "connecting" | "live" | "offline" | "ended" | "refused";

export interface Watcher {
  readonly onBatch: (batch: EventBatch) => void;
  readonly onReset: (reset: WatchReset) => void;
  readonly onHeartbeat: (heartbeat: Heartbeat) => void;
  readonly onEnd: (end: WatchEnd) => void;
  readonly onLine: (line: Line, problem?: Problem) => void;
}

/**
 * Watches until the signal says stop, the game is over, or the service refuses for good.
 *
 * @param after the cursor up to which everything is known; empty when nothing is
 */
export async function watch(
  service: Service,
  gameId: string,
  after: string,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  let told = after;
  let tries = 0;
  const listen = (message: WatchGameResponse): boolean => {
    const { update } = message;
    tries = 0;
    watcher.onLine("live");
    switch (update.case) {
      case "events":
        told = update.value.cursor;
        watcher.onBatch(update.value);
        return true;
      case "reset":
        told = update.value.game?.view?.cursor ?? "";
        watcher.onReset(update.value);
        return true;
      case "heartbeat":
        watcher.onHeartbeat(update.value);
        return true;
      case "end":
        watcher.onLine("ended");
        watcher.onEnd(update.value);
        return false;
      default:
        return true;
    }
  };
  while (!signal.aborted) {
    const problem = await listened(service, gameId, told, listen, signal);
    if (signal.aborted || problem === "ended") return;
    if (problem && isFinal(problem)) return watcher.onLine("refused", problem);
    watcher.onLine(navigator.onLine ? "connecting" : "offline");
    await backoff(tries, problem?.retryAfterMs ?? 0, signal);
    tries += 1;
  }
}

/** Reads one stream to its end: `ended` for good, a problem, or undefined when it was cut off. */
async function listened(
  service: Service,
  gameId: string,
  cursor: string,
  listen: (message: WatchGameResponse) => boolean,
  signal: AbortSignal,
): Promise<Problem | "ended" | undefined> {
  const cut = new AbortController();
  const stop = () => cut.abort();
  const lifeline = keepAlive(stop);
  signal.addEventListener("abort", stop);
  addEventListener("offline", stop);
  try {
    const request = {
      gameId,
      cursor,
      heartbeatInterval: create(DurationSchema, { seconds: HEARTBEAT_S }),
    };
    const stream = service.watchGame(request, { signal: cut.signal, timeoutMs: 0 });
    for await (const message of stream) {
      lifeline.heard();
      if (!listen(message)) return "ended";
    }
    return undefined;
  } catch (error) {
    return cut.signal.aborted ? undefined : problemOf(error);
  } finally {
    lifeline.close();
    cut.abort();
    signal.removeEventListener("abort", stop);
    removeEventListener("offline", stop);
  }
}

/** Cuts a stream that is silent for too long, or may have died while the page slept. */
function keepAlive(stop: () => void) {
  let last = Date.now();
  const silentFor = (ms: number) => Date.now() - last > ms;
  const timer = setInterval(() => silentFor(SILENCE_MS) && stop(), 1_000);
  const woke = () => document.visibilityState === "visible" && silentFor(STALE_MS) && stop();
  document.addEventListener("visibilitychange", woke);
  addEventListener("pageshow", woke);
  return {
    heard: () => {
      last = Date.now();
    },
    close: () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", woke);
      removeEventListener("pageshow", woke);
    },
  };
}
