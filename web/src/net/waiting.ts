// Waits: for a while, for the network, for whichever comes first. Knows no call.

/** Resolves after a while, or at once when the signal says so; never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

/**
 * Waits before the next try: as long as the service asks for, which knows best. Where it does not
 * say (0), twice as long as before the last one, from half a second to eight, and somewhat at random.
 * Ends at once when the network comes back or the page is looked at again.
 */
export async function backoff(tries: number, askedMs: number, signal: AbortSignal): Promise<void> {
  const ms = askedMs || Math.min(8_000, 500 * 2 ** tries) * (0.75 + Math.random() / 2);
  const early = new AbortController();
  const stop = () => early.abort();
  const seen = () => document.visibilityState === "visible" && stop();
  signal.addEventListener("abort", stop);
  addEventListener("online", stop);
  document.addEventListener("visibilitychange", seen);
  await pause(ms, early.signal);
  signal.removeEventListener("abort", stop);
  removeEventListener("online", stop);
  document.removeEventListener("visibilitychange", seen);
}
