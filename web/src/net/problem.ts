// Reads what went wrong out of an error of a call: the reason, its facts, when to come back. Has no
// words for people.

import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb";

/** Why a call failed. */
export interface Problem {
  /** A name of `ErrorReason` without its prefix, or `UNREACHABLE` when no answer came. */
  readonly reason: string;
  readonly facts: Readonly<Record<string, string>>;
  /** What the service says, in English. */
  readonly message: string;
  /** Whether the same call, with the same request id, may well succeed later. */
  readonly passes: boolean;
  /** How long to wait before that, in milliseconds. */
  readonly retryAfterMs: number;
  /** What is wrong with which field, in English. */
  readonly fields: readonly { readonly field: string; readonly description: string }[];
}

const PASSING: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.ResourceExhausted,
]);

/** Reasons after which trying again with the same credential is of no use. */
const FINAL: ReadonlySet<string> = new Set([
  "GAME_DAMAGED",
  "GAME_NOT_FOUND",
  "PERMISSION_DENIED",
  "SPECTATORS_NOT_ALLOWED",
  "TOKEN_EXPIRED",
  "TOKEN_INVALID",
  "TOKEN_SUPERSEDED",
  "UNAUTHENTICATED",
]);

export function problemOf(error: unknown): Problem {
  const failure = ConnectError.from(error);
  const info = failure.findDetails(ErrorInfoSchema)[0];
  const retry = failure.findDetails(RetryInfoSchema)[0]?.retryDelay;
  // `fetch` fails with a TypeError, and a cut answer with an unknown code, when no answer came.
  const unreachable = !info && (failure.code === Code.Unknown || failure.code === Code.Canceled);
  return {
    reason: info?.reason ?? (unreachable ? "UNREACHABLE" : Code[failure.code].toUpperCase()),
    facts: info?.metadata ?? {},
    message: failure.rawMessage,
    passes:
      unreachable ||
      info?.reason === "CONTENTION" ||
      (PASSING.has(failure.code) && info?.reason !== "REQUEST_TOO_LARGE"),
    retryAfterMs: retry ? Number(retry.seconds) * 1000 + retry.nanos / 1e6 : 0,
    fields: failure
      .findDetails(BadRequestSchema)
      .flatMap((each) => each.fieldViolations)
      .map(({ field, description }) => ({ field, description })),
  };
}

/** Whether nothing but another credential or another game helps. */
export function isFinal(problem: Problem): boolean {
  return FINAL.has(problem.reason);
}
