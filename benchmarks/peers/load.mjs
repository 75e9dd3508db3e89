// Plays the recorded round in many games at a peer and reports what it took. Messages are not
// decoded: their first bytes say enough. A game's next move is made when the update of the last one
// has come to all four seats. Told what to do by lines on standard input; answers in JSON lines.
//
//   node load.mjs colyseus|boardgame PORT ROUND.json
//   open N   create N games, all four seats connected    play FROM TO   make these moves in all
//   close    leave all games

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { boardgame } from './load_boardgame.mjs';
import { colyseus } from './load_colyseus.mjs';

const SILENT_MS = 60_000;

const [peerName, port, roundFile] = process.argv.slice(2);
const round = JSON.parse(readFileSync(roundFile, 'utf8'));
const peer = { boardgame, colyseus }[peerName](Number(port));
let games = [];

say({ pid: process.pid });
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...numbers] = line.split(' ');
  say(await { open, play, close }[command](...numbers.map(Number)));
}
process.exit(); // games may still be open

async function open(count) {
  for (let first = 0; first < count; first += 32) {
    const some = Array.from({ length: Math.min(32, count - first) }, () => peer.open(round.permutation));
    games.push(...(await Promise.all(some)));
  }
  return { opened: games.length };
}

async function play(from, to) {
  const moves = round.moves.slice(from, to);
  const bytesBefore = wireBytes();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const latencies = (await Promise.all(games.map((game) => playGame(game, moves)))).flat();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    moves: latencies.length,
    seconds,
    latencies_ms: latencies,
    wire_bytes: wireBytes() - bytesBefore,
    generator_cpu_s: (user + system) / 1e6,
  };
}

async function close() {
  const left = games.flatMap((game) => game.sockets.map((socket) => new Promise((done) => {
    socket.on('close', done);
    socket.close();
  })));
  games = [];
  await Promise.all(left);
  return { closed: left.length };
}

/** Make the moves one after another; return how long the mover waited for each update. */
function playGame(game, moves) {
  return new Promise((done, fail) => {
    const latencies = [];
    let at = 0;
    let missing = 0;
    let sent = 0;
    const silent = setTimeout(() => fail(new Error(`no update of move ${at}`)), SILENT_MS);
    const next = () => {
      if (at === moves.length) {
        clearTimeout(silent);
        done(latencies);
        return;
      }
      silent.refresh();
      missing = game.sockets.length;
      sent = performance.now();
      game.sockets[moves[at].seat].send(peer.moveMessage(game, moves[at]));
    };
    game.onUpdate = (seat) => {
      if (seat === moves[at].seat) latencies.push(performance.now() - sent);
      if (--missing === 0) {
        at++;
        next();
      }
    };
    next();
  });
}

function wireBytes() {
  let bytes = 0;
  for (const { sockets } of games) {
    for (const { _socket } of sockets) bytes += _socket.bytesRead + _socket.bytesWritten;
  }
  return bytes;
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
