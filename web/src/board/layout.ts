// Decides where everything on the board lies: the hub, a lane for each train, the tiles within it.
// Pure geometry in pixels: knows no messages, no elements and no colours.

import { type Folded, fold } from "./fold";
import type { Lane, Shape } from "./lanes";
import { type Board, type Chain, gaugeOf, laneHeight, lanesOf, type Plan, planRows } from "./plan";
import { type Gauge, heightOf, type Place } from "./snake";

export type { Lane, Rect, Shape } from "./lanes";
export type { Chain } from "./plan";

/** A lane with its train in it. All places are within the board, none within the lane. */
export interface LaidLane extends Lane {
  readonly train: Folded;
  /** Whether it is shown whole only because that was asked for. */
  readonly foldable: boolean;
}

/** The whole board, its height being that of its content: more than what was asked for if it must. */
export interface Layout {
  readonly shape: Shape;
  readonly unit: number;
  readonly width: number;
  readonly height: number;
  readonly hub: { readonly x: number; readonly y: number; readonly radius: number };
  readonly lanes: readonly LaidLane[];
}

/** The sizes that tiles may have, by their short side. */
const UNITS: Readonly<Record<Shape, readonly number[]>> = {
  table: [46, 42, 38, 34, 30, 28, 26, 24, 22],
  side: [38, 34, 30, 28, 26, 24, 22, 20],
  list: [32, 28, 26, 24, 22, 20],
};
/** Tiles no larger than this stay so large, and long trains are folded. */
const FOLDED: Readonly<Record<Shape, number>> = { table: 24, side: 20, list: 20 };
/** Tiles larger than this are worth no bend of a train. */
const LARGE = 38;

/**
 * Lays out a board of `width` × `height` pixels.
 *
 * On a wide one the trains leave the hub to both sides, clockwise from the lower left; on a narrower
 * one to its right; on a narrow one they are rows under it. Tiles are as large as can be; when even
 * small ones do not fit, the middle of the longest trains is folded away, never their end.
 */
export function layOut(width: number, height: number, chains: readonly Chain[]): Layout {
  const board = { shape: shapeOf(width), width, height };
  return draw(board, chains, choosePlan(board, chains));
}

/** Returns the shape of a board of so many pixels. */
export function shapeOf(width: number): Shape {
  if (width >= 900) return "table";
  return width >= 600 ? "side" : "list";
}

/** The largest tiles with which all fits; else the largest that are small, with long trains folded. */
function choosePlan(board: Board, chains: readonly Chain[]): Plan {
  const plans = UNITS[board.shape].map((unit) => planRows(board, chains, unit, unit > LARGE));
  const folded = plans.find(({ unit, fit }) => unit <= FOLDED[board.shape] && fit === "folded");
  const chosen = plans.find(({ fit }) => fit === "whole") ?? folded ?? plans.at(-1);
  if (!chosen) throw new RangeError("no size of tiles to choose from");
  return chosen;
}

function draw(board: Board, chains: readonly Chain[], { unit, rows, shared }: Plan): Layout {
  const gauge = gaugeOf(unit);
  const plotted = lanesOf(
    board,
    rows.map((count) => laneHeight(count, gauge)),
  );
  const lanes = plotted.lanes.map((lane, at): LaidLane => {
    const count = rows[at] ?? 1;
    const train = fold(chains[at]?.doubles ?? [], lane.run.width, gauge, count);
    return { ...lane, train: moveInto(lane, train, gauge), foldable: count > (shared[at] ?? 1) };
  });
  return { ...board, unit, height: plotted.height, hub: plotted.hub, lanes };
}

/** Moves a train from the origin into its lane, mirrored when it leaves the hub to the left. */
function moveInto({ run, mirrored }: Lane, train: Folded, gauge: Gauge): Folded {
  // By whole rows, so that nothing moves up or down when a double is laid.
  const top = run.y + (run.height - heightOf(train.rows, gauge)) / 2;
  const move = (place: Place): Place => ({
    ...place,
    x: mirrored ? run.x + run.width - place.x : run.x + place.x,
    y: top + place.y,
    heading: mirrored ? MIRRORED[place.heading] : place.heading,
  });
  return {
    ...train,
    shown: train.shown.map(({ index, place }) => ({ index, place: move(place) })),
    fold: train.fold && { count: train.fold.count, place: move(train.fold.place) },
    end: move(train.end),
  };
}

const MIRRORED = { right: "left", left: "right", down: "down" } as const;
