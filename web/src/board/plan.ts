// Shares the height of the board out to its trains, in rows of tiles of one size. Knows no messages and
// draws nothing.

import { rowsOf } from "./fold";
import { type Lanes, listLanes, type Shape, sideLanes, tableLanes } from "./lanes";
import { type Gauge, heightOf, narrowest } from "./snake";

/** A train to be laid out: which of its tiles are doubles, from the hub outwards. */
export interface Chain {
  readonly doubles: readonly boolean[];
  /** Shown whole, however many rows that takes. */
  readonly unfolded: boolean;
}

/** Whether all trains fit whole; only with their middle folded away; or not even so. */
export type Fit = "whole" | "folded" | "not";

/** How many rows each train gets with tiles of a size. */
export interface Plan {
  readonly unit: number;
  /** As it is to be shown, and as it would be if none were unfolded. */
  readonly rows: readonly number[];
  readonly shared: readonly number[];
  readonly fit: Fit;
}

export interface Board {
  readonly shape: Shape;
  readonly width: number;
  readonly height: number;
}

/** Plans with tiles whose short side is `unit`; `straight` asks that no train bends. */
export function planRows(
  board: Board,
  chains: readonly Chain[],
  unit: number,
  straight: boolean,
): Plan {
  const gauge = gaugeOf(unit);
  const { lanes, columns, room } = lanesOf(
    board,
    chains.map(() => 0),
  );
  const wanted = chains.map(({ doubles }, at) => rowsOf(doubles, lanes[at]?.run.width ?? 0, gauge));
  const fits = (column: readonly number[], rows: readonly number[]) =>
    columnHeight(column, rows, gauge) <= room;
  const shared = chains.map(() => 1);
  const bare = columns.every((column) => fits(column, shared));
  for (const column of columns) grow(shared, wanted, column, fits);
  // What is unfolded takes nothing from the others: the board becomes higher instead.
  const rows = shared.map((row, at) => (chains[at]?.unfolded ? (wanted[at] ?? row) : row));
  const wide = lanes.every(({ run }) => run.width >= narrowest(gauge));
  const whole = shared.every((row, at) => row === wanted[at] && (row === 1 || !straight));
  const fit = !bare || !wide ? "not" : whole ? "whole" : "folded";
  return { unit, rows, shared, fit };
}

/** Lays the lanes of a board whose heights are at least those given, in pixels. */
export function lanesOf({ shape, width, height }: Board, heights: readonly number[]): Lanes {
  return LANES[shape](width, height, heights, GAP_OF_LANES);
}

/** Returns the height of a lane of so many rows, in pixels. */
export function laneHeight(rows: number, gauge: Gauge): number {
  return Math.max(LEAST_LANE, heightOf(rows, gauge) + 2 * PADDING);
}

/** Returns the gap between tiles of a size. */
export function gaugeOf(unit: number): Gauge {
  return { unit, gap: Math.max(1.5, unit * 0.07) };
}

const LANES = { table: tableLanes, side: sideLanes, list: listLanes };
const GAP_OF_LANES = 5;
const PADDING = 4;
/** Low enough for fourteen, high enough for a finger. */
const LEAST_LANE = 48;

/** Gives rows to the lanes that want more, the neediest first, as long as the column fits. */
function grow(
  rows: number[],
  wanted: readonly number[],
  column: readonly number[],
  fits: (column: readonly number[], rows: readonly number[]) => boolean,
): void {
  const lacking = (at: number) => (wanted[at] ?? 0) - (rows[at] ?? 0);
  for (;;) {
    const neediest = column.toSorted((a, b) => lacking(b) - lacking(a))[0];
    if (neediest === undefined || lacking(neediest) <= 0) return;
    const more = (rows[neediest] ?? 0) + 1;
    if (!fits(column, rows.with(neediest, more))) return;
    rows[neediest] = more;
  }
}

function columnHeight(column: readonly number[], rows: readonly number[], gauge: Gauge): number {
  const lanes = column.map((at) => laneHeight(rows[at] ?? 1, gauge));
  return lanes.reduce((sum, each) => sum + each, 0) + GAP_OF_LANES * (column.length - 1);
}
