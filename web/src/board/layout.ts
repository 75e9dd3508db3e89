// Decides where everything on the board lies: the hub, a lane for each train, the tiles within it.
// Pure geometry in pixels: knows no messages, no elements and no colours.

import { type Folded, fold, rowsOf } from "./fold";
import { type Lane, listLanes, type Shape, sideLanes, tableLanes } from "./lanes";
import { type Gauge, heightOf, narrowest, type Place } from "./snake";

export type { Lane, Rect, Shape } from "./lanes";

/** A train to be laid out: which of its tiles are doubles, from the hub outwards. */
export interface Chain {
  readonly doubles: readonly boolean[];
  /** Shown whole, however many rows that takes. */
  readonly unfolded: boolean;
}

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

const UNITS: Readonly<Record<Shape, readonly number[]>> = {
  table: [46, 42, 38, 34, 30, 28, 26, 24],
  side: [38, 34, 30, 28, 26, 24, 22, 20],
  list: [32, 28, 26, 24, 22, 20],
};
/** Tiles larger than this are worth no bend of a train. */
const LARGE = 38;
const GAP_OF_LANES = 5;
const PADDING = 4;

/**
 * Lays out a board of `width` × `height` pixels.
 *
 * On a wide one the trains leave the hub to both sides, clockwise from the lower left; on a narrower
 * one to its right, and on a narrow one they are rows under it. Tiles are as large as can be; when even small ones do not fit, the
 * middle of the longest trains is folded away, never their end.
 */
export function layOut(width: number, height: number, chains: readonly Chain[]): Layout {
  const shape = shapeOf(width);
  const plans = UNITS[shape].map((unit) => plan(shape, width, height, chains, unit));
  const chosen = plans.find((each) => each.fits) ?? plans.at(-1);
  if (!chosen) throw new RangeError("no size of tiles to choose from");
  return draw(chosen, width, height);
}

/** Returns the gap between tiles of a size. */
export function gaugeOf(unit: number): Gauge {
  return { unit, gap: Math.max(1.5, unit * 0.07) };
}

/** Returns the shape of a board of so many pixels. */
export function shapeOf(width: number): Shape {
  if (width >= 900) return "table";
  return width >= 600 ? "side" : "list";
}

interface Plan {
  readonly shape: Shape;
  readonly unit: number;
  readonly chains: readonly Chain[];
  /** The rows of each train as it is shown, and as it would be if none were unfolded. */
  readonly rows: readonly number[];
  readonly shared: readonly number[];
  readonly wanted: readonly number[];
  readonly fits: boolean;
}

/** Shares the height of each column out to its lanes, in rows of tiles. */
function plan(
  shape: Shape,
  width: number,
  height: number,
  chains: readonly Chain[],
  unit: number,
): Plan {
  const gauge = gaugeOf(unit);
  const lanes = lanesOf(
    shape,
    width,
    height,
    chains.map(() => 0),
  );
  const wanted = chains.map(({ doubles }, index) =>
    rowsOf(doubles, lanes.lanes[index]?.run.width ?? 0, gauge),
  );
  const shared = chains.map(() => 1);
  for (const column of lanes.columns) {
    grow(shared, wanted, column, (tried) => needed(column, tried, gauge) <= lanes.room);
  }
  // What is unfolded takes nothing from the others: the board becomes higher instead.
  const rows = shared.map((row, index) => (chains[index]?.unfolded ? (wanted[index] ?? row) : row));
  return { shape, unit, chains, rows, shared, wanted, fits: lanes.columns.every(enough) };

  function enough(column: readonly number[]): boolean {
    const whole = column.every((index) => shared[index] === wanted[index]);
    const wide = column.every((i) => (lanes.lanes[i]?.run.width ?? 0) >= narrowest(gauge));
    const straight = unit <= LARGE || column.every((index) => wanted[index] === 1);
    return wide && straight && whole && needed(column, shared, gauge) <= lanes.room;
  }
}

/** Gives rows to the lanes that want more, the neediest first, as long as the column fits. */
function grow(
  rows: number[],
  wanted: readonly number[],
  column: readonly number[],
  fits: (rows: readonly number[]) => boolean,
): void {
  const lacking = (index: number) => (wanted[index] ?? 0) - (rows[index] ?? 0);
  for (;;) {
    const neediest = column
      .filter((i) => lacking(i) > 0)
      .sort((a, b) => lacking(b) - lacking(a))[0];
    if (neediest === undefined) return;
    const tried = rows.with(neediest, (rows[neediest] ?? 0) + 1);
    if (!fits(tried)) return;
    rows[neediest] = tried[neediest] ?? 1;
  }
}

function needed(column: readonly number[], rows: readonly number[], gauge: Gauge): number {
  const lanes = column.map((index) => laneHeight(rows[index] ?? 1, gauge));
  return lanes.reduce((sum, each) => sum + each, 0) + GAP_OF_LANES * (column.length - 1);
}

function laneHeight(rows: number, gauge: Gauge): number {
  return Math.max(LEAST_LANE, heightOf(rows, gauge) + 2 * PADDING);
}

/** Low enough for fourteen, high enough for a finger. */
const LEAST_LANE = 48;

function lanesOf(shape: Shape, width: number, height: number, heights: readonly number[]) {
  return LANES[shape](width, height, heights, GAP_OF_LANES);
}

const LANES = { table: tableLanes, side: sideLanes, list: listLanes };

function draw(chosen: Plan, width: number, height: number): Layout {
  const { shape, unit, chains, rows, shared } = chosen;
  const gauge = gaugeOf(unit);
  const heights = rows.map((count) => laneHeight(count, gauge));
  const plotted = lanesOf(shape, width, height, heights);
  const lanes = plotted.lanes.map((lane, index): LaidLane => {
    const doubles = chains[index]?.doubles ?? [];
    const train = fold(doubles, lane.run.width, gauge, rows[index] ?? 1);
    return { ...lane, train: moveInto(lane, train, gauge), foldable: isFoldable(index) };
  });
  return { shape, unit, width, height: plotted.height, hub: plotted.hub, lanes };

  function isFoldable(index: number): boolean {
    return chains[index]?.unfolded === true && (rows[index] ?? 1) > (shared[index] ?? 1);
  }
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
