// A service that answers as a test says, over the real client and its errors.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createClient,
  createRouterTransport,
  type ServiceImpl,
} from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb";
import { type Game, GameSchema } from "../src/gen/mextrain/v1/game_pb";
import { GameService } from "../src/gen/mextrain/v1/game_service_pb";
import { Phase, type ViewSchema } from "../src/gen/mextrain/v1/view_pb";
import type { Service } from "../src/net/client";

export const GAME_ID = "R6d1nC5sQkqJv0T2bWm3xA";

export function serviceThat(answers: Partial<ServiceImpl<typeof GameService>>): Service {
  return createClient(
    GameService,
    createRouterTransport(({ service }) => void service(GameService, answers)),
  );
}

/** An error as the service makes it. */
export function refused(code: Code, reason: string, metadata: Record<string, string> = {}) {
  return new ConnectError(reason, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: "mextrain", metadata } },
  ]);
}

/** The error of a service whose store is away, with when to come back. */
export function away(retryAfterMs: number) {
  return new ConnectError("the store does not answer", Code.Unavailable, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "STORE_UNAVAILABLE", domain: "mextrain" } },
    { desc: RetryInfoSchema, value: { retryDelay: { nanos: retryAfterMs * 1_000_000 } } },
  ]);
}

/** A live game of two in which seat 0 is to move. */
export function gameAt(version: number, view: MessageInitShape<typeof ViewSchema> = {}): Game {
  return create(GameSchema, {
    gameId: GAME_ID,
    seats: [{ seat: 0 }, { seat: 1 }],
    view: {
      version,
      phase: Phase.PLAYING,
      seat: 0,
      totals: [0, 0],
      round: { number: 1, turn: 0, trains: [] },
      ...view,
    } as MessageInitShape<typeof ViewSchema>,
  });
}
