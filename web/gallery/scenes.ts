// The scenes of the gallery: tables as they come up in play, at their most awkward.

import { create } from "@bufbuild/protobuf";
import { accessTo, endOf, nameOf } from "../src/board/tiles";
import type { Laid, TrainName } from "../src/board/types";
import { type Game, GameSchema } from "../src/gen/mextrain/v1/game_pb";
import {
  type Move,
  MoveSchema,
  type UnplayableTile,
  UnplayableTileSchema,
} from "../src/gen/mextrain/v1/move_pb";
import type { Tile } from "../src/gen/mextrain/v1/tile_pb";
import { makeTable } from "./deal";

/** What a scene is made of. */
export interface Scene {
  readonly game: Game;
  readonly names: readonly string[];
  readonly recent: readonly Laid[];
}

interface Recipe {
  readonly players: number;
  readonly highest: number;
  /** Tiles on each seat's train and, last, on the Mexican Train. */
  readonly lengths: readonly number[];
  readonly handSize: number;
  readonly seed: number;
  /** The viewer's seat; none for a spectator. */
  readonly seat?: number;
  readonly turn?: number;
  readonly marked?: readonly number[];
  readonly open?: readonly number[];
  readonly deferred?: readonly number[];
  readonly called?: readonly number[];
}

const even = (count: number, length: number) => Array.from({ length: count }, () => length);

const RECIPES = {
  "two-early": { players: 2, highest: 12, lengths: [3, 2, 1], handSize: 12, seed: 1, seat: 0 },
  "two-draw": {
    players: 2,
    highest: 12,
    lengths: [6, 5, 4],
    handSize: 2,
    seed: 21,
    seat: 0,
  },
  "two-long": {
    players: 2,
    highest: 12,
    lengths: [26, 22, 24],
    handSize: 6,
    seed: 2,
    seat: 0,
    marked: [1],
  },
  "first-turn": {
    players: 4,
    highest: 12,
    lengths: [0, 7, 4, 0, 0],
    handSize: 15,
    seed: 3,
    seat: 0,
    deferred: [2],
  },
  "four-mid": {
    players: 4,
    highest: 12,
    lengths: [8, 9, 7, 6, 5],
    handSize: 9,
    seed: 4,
    seat: 2,
    marked: [1],
  },
  "open-double": {
    players: 4,
    highest: 12,
    lengths: [8, 9, 7, 6, 5],
    handSize: 10,
    seed: 5,
    seat: 0,
    open: [2],
    marked: [0],
  },
  "four-long": {
    players: 4,
    highest: 12,
    lengths: [14, 18, 11, 13, 16],
    handSize: 3,
    seed: 6,
    seat: 0,
    marked: [3],
    called: [1],
  },
  "eight-mid": {
    players: 8,
    highest: 12,
    lengths: [6, 7, 5, 6, 4, 7, 5, 6, 8],
    handSize: 8,
    seed: 7,
    seat: 3,
    marked: [1, 5],
  },
  "dead-doubles": {
    players: 8,
    highest: 9,
    lengths: [6, 6, 5, 6, 5, 6, 5, 5, 6],
    handSize: 3,
    seed: 11,
    seat: 0,
    open: [4],
  },
  "fourteen-early": {
    players: 14,
    highest: 18,
    lengths: [...even(14, 2), 1],
    handSize: 9,
    seed: 8,
    seat: 0,
    marked: [4, 9],
  },
  "fourteen-late": {
    players: 14,
    highest: 18,
    lengths: [14, 9, 12, 8, 11, 10, 7, 12, 9, 8, 13, 10, 9, 11, 16],
    handSize: 7,
    seed: 9,
    seat: 5,
    marked: [2, 7, 11],
    open: [12],
    called: [3],
  },
  "double-eighteen": {
    players: 6,
    highest: 18,
    lengths: [20, 16, 18, 15, 17, 14, 22],
    handSize: 22,
    seed: 10,
    seat: 0,
    marked: [2],
  },
  "full-hand": { players: 3, highest: 18, lengths: [5, 4, 6, 3], handSize: 38, seed: 12, seat: 0 },
  spectator: {
    players: 5,
    highest: 12,
    lengths: [7, 6, 8, 5, 6, 7],
    handSize: 7,
    seed: 13,
    turn: 3,
    marked: [1, 4],
  },
  waiting: {
    players: 5,
    highest: 12,
    lengths: [7, 6, 8, 5, 6, 7],
    handSize: 8,
    seed: 14,
    seat: 1,
    turn: 3,
    marked: [4],
  },
} satisfies Record<string, Recipe>;

export type SceneName = keyof typeof RECIPES;
export const SCENES = Object.keys(RECIPES) as SceneName[];

const NAMES = [
  "Ada",
  "Benjamin",
  "Chioma",
  "Dragan",
  "Eerika",
  "Fatima",
  "Giuseppe",
  "Hái-lam",
  "Ingrid the Great",
  "Jo",
  "Kenji",
  "Lucía",
  "Mbali",
  "Nilüfer",
];

export function sceneOf(name: SceneName): Scene {
  const recipe: Recipe = RECIPES[name];
  const { players, highest, lengths, seed, seat, open = [], marked = [], deferred = [] } = recipe;
  const made = makeTable(highest, lengths, seed, [...open, ...deferred]);
  const hands = handsOf(made.left, players, recipe.handSize, highest);
  const turn = recipe.turn ?? seat ?? 0;
  const trains = made.trains.map((pips, index) => ({
    train: { train: trainCase(index < players ? index : "mexican") },
    pips: [...pips],
    marked: marked.includes(index),
    openDouble: open.includes(index),
    deferredDouble: deferred.includes(index),
  }));
  const dealt = players * recipe.handSize;
  const game = create(GameSchema, {
    gameId: "gallery",
    seats: Array.from({ length: players }, (_, at) => ({ seat: at })),
    rules: { maxPipByPlayers: [{ minPlayers: 2, maxPlayers: 14, value: highest }] },
    view: {
      version: 40,
      totalRounds: highest + 1,
      ...(seat === undefined ? {} : { seat, hand: hands.map(([high, low]) => ({ high, low })) }),
      round: {
        number: 1,
        hub: made.hub,
        starter: 0,
        turn,
        handCounts: Array.from({ length: players }, (_, at) =>
          recipe.called?.includes(at)
            ? 1
            : Math.max(1, recipe.handSize - ((at * 5) % 4) * Number(at !== seat)),
        ),
        boneyardCount: Math.max(0, made.left.length - dealt),
        trains,
        openDoubles: open.map((index) => ({
          train: trainCase(index < players ? index : "mexican"),
        })),
        called: [...(recipe.called ?? [])],
      },
    },
  });
  return { game, names: NAMES.slice(0, players), recent: recentOf(made.trains, players) };
}

function handsOf(
  left: readonly (readonly [number, number])[],
  _players: number,
  size: number,
  _highest: number,
) {
  return left.slice(0, size).toSorted(([a, b], [c, d]) => a - c || b - d);
}

function recentOf(trains: readonly (readonly number[])[], players: number): Laid[] {
  return trains.slice(1, 3).flatMap((pips, at) => {
    const [inner, outer] = pips.slice(-2);
    if (inner === undefined || outer === undefined) return [];
    const tile = { high: Math.max(inner, outer), low: Math.min(inner, outer) } as Tile;
    return [{ seat: at % players, tile, train: at + 1 }];
  });
}

function trainCase(name: TrainName) {
  return name === "mexican"
    ? ({ case: "mexican", value: true } as const)
    : ({ case: "seat", value: name } as const);
}

/** Returns what fits where, as the plainest rules have it; nothing when another seat is to move. */
export function movesOf(game: Game): { moves: Move[]; unplayable: UnplayableTile[] } {
  const { round, hand = [], seat } = game.view ?? {};
  if (!round || seat === undefined || round.turn !== seat) return { moves: [], unplayable: [] };
  const owed = round.trains.filter((train) => train.openDouble);
  const open = owed.length
    ? owed
    : round.trains.filter((train) => accessTo(train, seat) !== "closed");
  const plays = hand.flatMap((tile) =>
    open
      .filter((train) => [tile.high, tile.low].includes(endOf(train, round.hub)))
      .map((train) =>
        create(MoveSchema, {
          action: {
            case: "playTile",
            value: { tile, train: { train: trainCase(nameOf(train.train)) } },
          },
        }),
      ),
  );
  const draw = create(MoveSchema, { action: { case: "drawTile", value: {} } });
  const pass = create(MoveSchema, { action: { case: "passTurn", value: {} } });
  const idle = round.boneyardCount ? draw : pass;
  return { moves: plays.length ? plays : [idle], unplayable: stuck(hand, plays) };
}

function stuck(hand: readonly Tile[], plays: readonly Move[]): UnplayableTile[] {
  const fitting = new Set(
    plays.map(({ action }) => (action.case === "playTile" ? action.value.tile : undefined)),
  );
  return hand
    .filter((tile) => !fitting.has(tile))
    .map((tile) =>
      create(UnplayableTileSchema, {
        tile,
        refusal: { message: "Your train ends in another value.", facts: {} },
      }),
    );
}

/** Returns the game after a tile was laid, the turn staying where it is. */
export function played(game: Game, tile: Tile, train: TrainName): Game {
  const next = structuredClone(game);
  const { view } = next;
  if (!view?.round) return next;
  view.hand = view.hand.filter(({ high, low }) => high !== tile.high || low !== tile.low);
  view.version += 1;
  for (const each of view.round.trains) {
    if (nameOf(each.train) !== train) continue;
    const end = endOf(each, view.round.hub);
    each.pips.push(tile.high === end ? tile.low : tile.high);
    each.openDouble = tile.high === tile.low;
  }
  return next;
}
