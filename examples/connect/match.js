#!/usr/bin/env node
/**
 * Plays a whole match between two persons through Connect-ES: create, watch, deal, play, score.
 *
 *   npm ci && npm run generate
 *   node match.js URL KEY [--protocol connect|grpc-web|grpc] [--http 1.1|2] [--rounds N] [--seed N]
 *
 * `mextrain serve` prints URL and key. What a seat does is its first legal move; a person would
 * choose. With `--answers FILE` every answer is also written to a file, as a line of JSON.
 */
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { Phase } from "./gen/mextrain/v1/view_pb.js";
import { Rounds } from "./gen/mextrain/v1/rule_options_pb.js";
import { GameService } from "./gen/mextrain/v1/game_service_pb.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    protocol: { type: "string", default: "connect" },
    http: { type: "string", default: "1.1" },
    rounds: { type: "string", default: "1" },
    seed: { type: "string" },
    answers: { type: "string" },
  },
});
const [url, key] = positionals;

const createTransport = {
  // The front reads Connect's binary form only.
  connect: (terms) => createConnectTransport({ ...terms, useBinaryFormat: true }),
  "grpc-web": createGrpcWebTransport,
  grpc: createGrpcTransport,
}[options.protocol];

/** A client of whoever bears the credential. */
function clientOf(credential) {
  const bearing = (next) => (request) => {
    request.header.set("Authorization", `Bearer ${credential}`);
    return next(request);
  };
  const terms = { baseUrl: url, httpVersion: options.http, interceptors: [bearing, noting] };
  return createClient(GameService, createTransport(terms));
}

/** Writes every answer down, if that is wanted. */
const noting = (next) => async (request) => {
  const { name, output } = request.method;
  try {
    const response = await next(request);
    if (response.stream) return { ...response, message: notingEach(name, output, response.message) };
    note(name, { answer: toJson(output, response.message) });
    return response;
  } catch (error) {
    note(name, { refused: factsOf(error) });
    throw error;
  }
};

async function* notingEach(method, schema, messages) {
  for await (const message of messages) {
    note(method, { answer: toJson(schema, message) });
    yield message;
  }
}

function note(method, facts) {
  if (options.answers) appendFileSync(options.answers, `${JSON.stringify({ method, ...facts })}\n`);
}

/** What a refusal says: the code, the stable reason, and its facts. */
function factsOf(error) {
  const refused = ConnectError.from(error);
  // In Connect, details come with the address of their type; findDetails knows its name.
  for (const detail of refused.details) detail.type &&= detail.type.replace(/^.*\//, "");
  const [info] = refused.findDetails(ErrorInfoSchema);
  return { code: Code[refused.code], reason: info?.reason, metadata: info?.metadata };
}

/** Follows a game from its beginning to its end; returns how many events there were. */
async function watch(client, gameId) {
  let events = 0;
  for await (const { update } of client.watchGame({ gameId, afterVersion: 0 })) {
    if (update.case === "events") events += update.value.events.length;
    if (update.case === "end") return events;
  }
  throw new Error("the stream was cut off; a real client would watch again after the last version");
}

/** Makes first legal moves until the round is over; returns how many. */
async function playRound(seats, gameId, view) {
  let made = 0;
  while (view.phase === Phase.PLAYING) {
    const mine = seats[view.round.turn];
    const { moves } = await mine.listLegalMoves({ gameId });
    const answer = await mine.playMove({
      gameId,
      moves: moves.slice(0, 1),
      expectedVersion: view.version,
      requestId: `move-${view.version}`,
    });
    view = answer.view;
    made += 1;
  }
  return made;
}

const platform = clientOf(key);
const { game, seatTokens } = await platform.createGame({
  seats: ["ada", "bob"].map((playerId) => ({ holder: { case: "person", value: { playerId } } })),
  overrides: { rounds: Rounds.FIXED, roundCount: Number(options.rounds) },
  fixedSeed: options.seed === undefined ? undefined : BigInt(options.seed),
});
const { gameId } = game;
const seats = seatTokens.map(({ token }) => clientOf(token));
console.log(`The game is ${gameId}.`);

const watched = watch(seats[0], gameId);
for (let round = 1; round <= Number(options.rounds); round += 1) {
  const dealt = await platform.dealRound({ gameId, requestId: `deal-${round}` });
  const { view } = dealt.game;
  const refused = await seats[1 - view.round.turn]
    .playMove({ gameId, moves: [{ action: { case: "notation", value: "draw" } }] })
    .catch(factsOf);
  console.log(`A seat that plays out of turn is told ${refused.reason} (${refused.code}).`);
  console.log(`Round ${round} is over after ${await playRound(seats, gameId, view)} moves.`);
}
const { score } = await platform.getScore({ gameId });
console.log(`Seat ${score.winners.join(" and ")} won. The watcher was told ${await watched} events.`);
