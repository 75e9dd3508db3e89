// What each server here does beside its game: says its port, tells its memory, and ends with the
// benchmark. Knows no framework. Messages are JSON, one a line, on standard output.

import { createInterface } from 'node:readline';
import { createClient } from 'redis';

/** Say which port the server has and which process it is; answer the benchmark until it goes away. */
export function serveBenchmark(port) {
  say({ port, pid: process.pid });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => {
    globalThis.gc();
    const { rss, heapUsed, external } = process.memoryUsage();
    say({ rss, heap: heapUsed + external });
  });
  lines.on('close', () => process.exit(0));
}

/** Connect to the Redis whose Unix socket is the program's first argument; null without one. */
export async function redisOfArguments() {
  const socket = process.argv[2];
  return socket ? createClient({ socket: { path: socket } }).connect() : null;
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
