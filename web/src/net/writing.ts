// Sends a write until it is known whether it was made. Knows nothing of games.

import { type Problem, problemOf } from "./problem";
import { backoff } from "./waiting";

const GIVE_UP_AFTER_MS = 60_000;

/** A new request id: 128 bits that nobody can guess. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Outcome<T> =
  | { readonly answer: T }
  | { readonly problem: Problem; readonly error: unknown };

/**
 * Makes a call under one request id, and again under the same while its answer may have been lost:
 * the service makes it once.
 */
export async function written<T>(
  call: (requestId: string, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome<T>> {
  const id = requestId();
  const began = performance.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return { answer: await call(id, signal) };
    } catch (error) {
      const problem = problemOf(error);
      const late = performance.now() - began > GIVE_UP_AFTER_MS;
      if (!problem.passes || late || signal.aborted) return { problem, error };
      await backoff(tries, problem.retryAfterMs, signal);
    }
  }
}
