// What the board shows of each train, read off a game and what its viewer may do. Draws nothing.

import type { Round } from "../gen/mextrain/v1/round_pb";
import type { Train } from "../gen/mextrain/v1/train_pb";
import { trainName } from "../words/names";
import type { Shape } from "./lanes";
import {
  type Access,
  accessTo,
  endOf,
  highestPip,
  type LaidTile,
  nameOf,
  playsOf,
  tileKey,
  tilesOf,
  trainsFor,
  usedUp,
} from "./tiles";
import type { BoardProps, TrainName } from "./types";

/** What a double at the end of a train asks for; `null` where there is none that matters. */
export type DoubleEnd = "cover" | "deferred" | "dead" | null;

/** A train as it is to be shown. */
export interface SeenTrain {
  readonly name: TrainName;
  /** What the plate says: the seat's name. */
  readonly title: string;
  readonly tiles: readonly LaidTile[];
  readonly end: number;
  readonly own: boolean;
  readonly access: Access;
  readonly marked: boolean;
  readonly double: DoubleEnd;
  /** Nothing joins this end any more. */
  readonly dead: boolean;
  readonly toMove: boolean;
  /** Some tile of the viewer goes here. */
  readonly playable: boolean;
  /** The tile that was picked up goes here; the number picks it. */
  readonly target: number | null;
  /** The hint points here. */
  readonly hinted: boolean;
  /** Tiles in the hand of its seat; absent for the Mexican Train. */
  readonly inHand: number | undefined;
  readonly called: boolean;
  /** The last of its tiles that were laid since the viewer's own turn, by index. */
  readonly recent: number | null;
  /** What it is, all in words. */
  readonly label: string;
}

/** Returns the trains of a table in the order in which a shape of the board shows them. */
export function seenTrains(props: BoardProps, round: Round, shape: Shape): SeenTrain[] {
  const plays = playsOf(props.moves);
  const playable = trainsFor(plays, null);
  const fitting = props.selection ? trainsFor(plays, props.selection) : new Set<TrainName>();
  const dead = usedUp(round, highestPip(props.game));
  const ordered = inOrder(round.trains, props.game.view?.seat, shape);
  let targets = 0;
  return ordered.map((train) => {
    const name = nameOf(train.train);
    const target = fitting.has(name) ? ++targets : null;
    return see(props, round, train, { playable: playable.has(name), target, dead });
  });
}

/** Clockwise from the viewer's seat; the Mexican Train last at a table, else second. */
function inOrder(trains: readonly Train[], seat: number | undefined, shape: Shape): Train[] {
  const seats = trains.filter((train) => nameOf(train.train) !== "mexican");
  const mexican = trains.filter((train) => nameOf(train.train) === "mexican");
  const turned = [...seats.slice(seat ?? 0), ...seats.slice(0, seat ?? 0)];
  if (shape === "table") return [...turned, ...mexican];
  return [...turned.slice(0, 1), ...mexican, ...turned.slice(1)];
}

interface Standing {
  readonly playable: boolean;
  readonly target: number | null;
  readonly dead: ReadonlySet<number>;
}

function see(props: BoardProps, round: Round, train: Train, standing: Standing): SeenTrain {
  const name = nameOf(train.train);
  const own = name === props.game.view?.seat;
  const tiles = tilesOf(train.pips);
  const end = endOf(train, round.hub);
  const dead = standing.dead.has(end);
  const seen = {
    name,
    title: titleOf(name, own, props),
    tiles,
    end,
    own,
    access: accessTo(train, props.game.view?.seat),
    marked: train.marked,
    double: doubleEnd(train, tiles.at(-1), dead),
    dead,
    toMove: name === round.turn,
    playable: standing.playable,
    target: standing.target,
    hinted: isHinted(props, name),
    inHand: name === "mexican" ? undefined : round.handCounts[name],
    called: name !== "mexican" && round.called.includes(name),
    recent: recentOf(props, name, tiles),
  };
  return { ...seen, label: labelOf(seen, props) };
}

function titleOf(name: TrainName, own: boolean, { names, t }: BoardProps): string {
  if (name === "mexican") return t("board.mexican");
  return own ? t("board.you") : (names[name] ?? String(name + 1));
}

function doubleEnd(train: Train, last: LaidTile | undefined, dead: boolean): DoubleEnd {
  if (train.openDouble) return dead ? "dead" : "cover";
  if (train.deferredDouble) return "deferred";
  return dead && last && last.inner === last.outer ? "dead" : null;
}

function isHinted({ suggestion }: BoardProps, name: TrainName): boolean {
  return !!suggestion && playsOf([suggestion]).some((play) => play.train === name);
}

function recentOf(
  { recent }: BoardProps,
  name: TrainName,
  tiles: readonly LaidTile[],
): number | null {
  const keys = new Set(
    recent.filter((laid) => laid.train === name).map(({ tile }) => tileKey(tile)),
  );
  const last = tiles.findLastIndex((tile) => keys.has(tileKey(asTile(tile))));
  return last < 0 ? null : last;
}

function asTile({ inner, outer }: LaidTile) {
  return { high: Math.max(inner, outer), low: Math.min(inner, outer) };
}

function labelOf(seen: Omit<SeenTrain, "label">, { names, t }: BoardProps): string {
  const { name, own, tiles, end, marked, access, double, dead, toMove, inHand, called, target } =
    seen;
  const parts = [
    own && t("board.train.own"),
    name === "mexican" && t("board.mexican"),
    !own && name !== "mexican" && trainName(name, names, t),
    tiles.length ? t("board.train.tiles", { n: tiles.length }) : t("board.train.empty"),
    t("board.train.ends", { value: end }),
    double === "cover" && t("board.train.open-double"),
    double === "deferred" && t("board.train.deferred"),
    dead && t("board.train.dead"),
    marked && t("board.train.marked"),
    !marked && access !== "own" && t(access === "open" ? "board.train.open" : "board.train.closed"),
    inHand !== undefined && t("board.in-hand", { n: inHand }),
    called && t("board.called"),
    toMove && t("board.to-move"),
    target !== null && t("board.train.fits"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Returns the tiles of a train in words, from the hub outwards. */
export function spelled(tiles: readonly LaidTile[]): string {
  return tiles.map(({ inner, outer }) => `${inner}-${outer}`).join(", ");
}
