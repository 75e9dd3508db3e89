// Speaks boardgame.io's protocol over Socket.IO's, as far as playing needs it.

import WebSocket from 'ws';
import { SEATS } from './rules.mjs';

const GAME = 'mexican-train';
const EVENT = `42/${GAME},`;
const UPDATES = [`${EVENT}["update",`, `${EVENT}["patch",`].map((text) => Buffer.from(text));

export function boardgame(port) {
  async function ask(path, body) {
    const answer = await fetch(`http://127.0.0.1:${port}/games/${GAME}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async function connect(game, seat) {
    const address = `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    await new Promise((joined, fail) => {
      socket.on('error', fail);
      socket.on('message', (bytes) => {
        if (UPDATES.some((head) => bytes.subarray(0, head.length).equals(head))) {
          game.onUpdate(seat);
          return;
        }
        const text = bytes.toString();
        if (text === '2') socket.send('3');
        else if (text.startsWith('0')) socket.send(`40/${GAME},`);
        else if (text.startsWith(`40/${GAME},`)) {
          socket.send(EVENT + JSON.stringify(['sync', game.matchID, `${seat}`, game.credentials[seat], SEATS]));
        } else if (text.startsWith(`${EVENT}["matchData"`)) joined(); // what follows the sync
      });
    });
    game.sockets[seat] = socket;
  }

  return {
    async open(permutation) {
      const { matchID } = await ask('create', { numPlayers: SEATS, setupData: { permutation } });
      const game = { matchID, credentials: [], sockets: [], moves: 0, onUpdate: () => {} };
      for (let seat = 0; seat < SEATS; seat++) {
        const seated = await ask(`${matchID}/join`, { playerID: `${seat}`, playerName: `player ${seat}` });
        game.credentials.push(seated.playerCredentials);
      }
      for (let seat = 0; seat < SEATS; seat++) await connect(game, seat);
      return game;
    },

    moveMessage(game, { seat, kind, tile, train }) {
      const args = kind === 'play' ? [tile, train] : [];
      const payload = { type: kind, args, playerID: `${seat}`, credentials: game.credentials[seat] };
      const action = { type: 'MAKE_MOVE', payload };
      return EVENT + JSON.stringify(['update', action, game.moves++, game.matchID, `${seat}`]);
    },
  };
}
