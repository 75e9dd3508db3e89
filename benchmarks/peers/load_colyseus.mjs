// Speaks Colyseus' protocol, as far as playing needs it.

import { encode } from '@colyseus/schema';
import { pack } from 'msgpackr';
import WebSocket from 'ws';
import { SEATS } from './rules.mjs';

const JOIN_ROOM = 10;
const ROOM_DATA = 13;
const ROOM_STATE = 14;
const ROOM_STATE_PATCH = 15;

export function colyseus(port) {
  async function reserve(method, name, options) {
    const answer = await fetch(`http://127.0.0.1:${port}/matchmake/${method}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options),
    });
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async function connect(game, seat, { roomId, processId, sessionId }) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${processId}/${roomId}?sessionId=${sessionId}`, {
      perMessageDeflate: false,
    });
    await new Promise((joined, fail) => {
      socket.on('error', fail);
      socket.on('message', (bytes) => {
        switch (bytes[0]) {
          case JOIN_ROOM:
            socket.send(Buffer.from([JOIN_ROOM]));
            break;
          case ROOM_STATE:
            joined();
            break;
          case ROOM_STATE_PATCH:
            game.onUpdate(seat);
            break;
          default:
            throw new Error(`an answer that is no update: ${bytes}`);
        }
      });
    });
    game.sockets[seat] = socket;
  }

  return {
    async open(permutation) {
      const game = { sockets: [], onUpdate: () => {} };
      const first = await reserve('create', 'mexican-train', { permutation });
      await connect(game, 0, first);
      for (let seat = 1; seat < SEATS; seat++) {
        await connect(game, seat, await reserve('joinById', first.roomId, {}));
      }
      return game;
    },

    moveMessage(game, { kind, tile, train }) {
      const head = Buffer.alloc(16);
      const at = { offset: 1 };
      head[0] = ROOM_DATA;
      encode.string(head, 'move', at);
      return Buffer.concat([head.subarray(0, at.offset), pack({ kind, tile, train })]);
    },
  };
}
