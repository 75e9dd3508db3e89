// Mexican Train on boardgame.io, as its documentation says to write it: moves that change G, turns
// ended by events, hands and boneyard hidden by PlayerView.STRIP_SECRETS, moves that clients do not
// run ahead. With the path of a Redis' socket as argument, matches are stored there. With DELTA=1
// clients are sent patches instead of the whole state.

import { createRequire } from 'node:module';
import { RedisStorage } from './boardgame_storage.mjs';
import { redisOfArguments, serveBenchmark } from './hosting.mjs';
import { MEXICAN, SEATS, dealt, makeMove } from './rules.mjs';

const require = createRequire(import.meta.url);
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');
const { Server, Origins } = require('boardgame.io/server');

const ALONE = { client: false };

const MexicanTrain = {
  name: 'mexican-train',
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  deltaState: process.env.DELTA === '1',

  setup: (_, { permutation }) => {
    const { hub, hands, boneyard } = dealt(permutation);
    return {
      trains: Array.from({ length: MEXICAN + 1 }, () => [hub]),
      markers: Array(SEATS).fill(false),
      handSizes: hands.map((hand) => hand.length),
      boneyardSize: boneyard.length,
      drawn: false,
      owes: false,
      players: Object.fromEntries(hands.map((hand, seat) => [seat, hand])),
      secret: { boneyard },
    };
  },

  playerView: PlayerView.STRIP_SECRETS,

  moves: {
    play: { ...ALONE, move: (context, tile, train) => made(context, { kind: 'play', tile, train }) },
    draw: { ...ALONE, move: (context) => made(context, { kind: 'draw' }) },
    pass: { ...ALONE, move: (context) => made(context, { kind: 'pass' }) },
  },
};

function made({ G, ctx, events, playerID }, move) {
  const seat = Number(playerID);
  const table = {
    hands: G.players,
    boneyard: G.secret.boneyard,
    trains: G.trains,
    markers: G.markers,
    turn: Number(ctx.currentPlayer),
    drawn: G.drawn,
    owes: G.owes,
    over: false,
  };
  if (!makeMove(table, seat, move)) return INVALID_MOVE;
  G.drawn = table.drawn;
  G.owes = table.owes;
  G.handSizes[seat] = G.players[seat].length;
  G.boneyardSize = G.secret.boneyard.length;
  if (table.over) events.endGame({ handSizes: [...G.handSizes] });
  else if (table.turn !== seat) events.endTurn();
  return undefined;
}

const redis = await redisOfArguments();
const server = Server({
  games: [MexicanTrain],
  origins: [Origins.LOCALHOST],
  ...(redis ? { db: new RedisStorage(redis) } : {}),
});
const { appServer } = await server.run({ port: 0, callback: () => {} });
serveBenchmark(appServer.address().port);
