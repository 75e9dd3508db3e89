// Divides the board into lanes, one for each train: on both sides of the hub, or in rows under it.
// Knows nothing of tiles.

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Trains to both sides of the hub; to one side of it; or in rows under it, for a narrow screen. */
export type Shape = "table" | "side" | "list";

/** A train's part of the board: the plate that says whose it is, and the run where its tiles lie. */
export interface Lane extends Rect {
  readonly plate: Rect;
  readonly run: Rect;
  /** Whether the train leaves the hub to the left. */
  readonly mirrored: boolean;
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** The lanes that share a height, by index. */
  readonly columns: readonly (readonly number[])[];
  /** The height that each column has to share. */
  readonly room: number;
  readonly height: number;
  readonly hub: { readonly x: number; readonly y: number; readonly radius: number };
}

const INSET = 8;
const MARGIN = 10;
/** What sums of fractions may be off by; a scroll bar must not come of it. */
const ROUNDING = 0.01;

/**
 * Lays lanes on both sides of the hub, clockwise: up the left side, then down the right one.
 *
 * `heights` are the least heights of the lanes in pixels; what is left over is shared out evenly.
 */
export function tableLanes(
  width: number,
  height: number,
  heights: readonly number[],
  gap: number,
): Lanes {
  const half = Math.ceil(heights.length / 2);
  const left = range(0, half).reverse();
  const right = range(half, heights.length);
  const middle = Math.min(320, Math.max(180, width * 0.19));
  const side = (width - middle) / 2 - MARGIN;
  const plateWidth = width >= 1180 ? 136 : 104;
  const room = height - 2 * MARGIN;
  const lanes: Lane[] = [];
  let tallest = 0;
  for (const column of [left, right]) {
    const mirrored = column === left;
    const x = mirrored ? MARGIN : width - MARGIN - side;
    const tops = stack(column, heights, gap, room);
    for (const [at, index] of column.entries()) {
      const { top, height: tall } = tops[at] ?? { top: 0, height: 0 };
      const rect = { x, y: MARGIN + top, width: side, height: tall };
      lanes[index] = divide(rect, plateWidth, mirrored, mirrored);
      tallest = Math.max(tallest, MARGIN + top + tall);
    }
  }
  const total = Math.max(height, Math.ceil(tallest + MARGIN - ROUNDING));
  const radius = Math.min(66, Math.max(46, middle * 0.23));
  const hub = { x: width / 2, y: total / 2, radius };
  return { lanes, columns: [left, right], room, height: total, hub };
}

const YARD = 138;

/** Lays lanes as rows beside the hub, which is at the left in the middle of them. */
export function sideLanes(
  width: number,
  height: number,
  heights: readonly number[],
  gap: number,
): Lanes {
  const column = range(0, heights.length);
  const room = height - 2 * MARGIN;
  const x = MARGIN + YARD;
  const tops = stack(column, heights, gap, room);
  const lanes = tops.map(({ top, height: tall }) =>
    divide({ x, y: MARGIN + top, width: width - x - MARGIN, height: tall }, 112, false, false),
  );
  const total = totalOf(height, MARGIN, tops);
  const radius = 44;
  const hub = { x: MARGIN + radius + 2, y: total / 2, radius };
  return { lanes, columns: [column], room, height: total, hub };
}

const STRIP = 64;
const TRUNK = 16;

/** Lays lanes as rows under a strip with the hub. `heights` are their least heights in pixels. */
export function listLanes(
  width: number,
  height: number,
  heights: readonly number[],
  gap: number,
): Lanes {
  const column = range(0, heights.length);
  const plateWidth = width >= 600 ? 120 : 84;
  const room = height - STRIP - MARGIN;
  const tops = stack(column, heights, gap, Math.min(room, ROOMY * heights.length));
  const lanes = tops.map(({ top, height: tall }) => {
    const x = MARGIN + TRUNK;
    const rect = { x, y: STRIP + top, width: width - x - MARGIN, height: tall };
    return divide(rect, plateWidth, true, false);
  });
  const total = totalOf(height, STRIP, tops);
  const radius = STRIP / 2 - 6;
  return {
    lanes,
    columns: [column],
    room,
    height: total,
    hub: { x: MARGIN + radius, y: STRIP / 2, radius },
  };
}

/** No lane of a list is stretched beyond this height. */
const ROOMY = 132;

/** Divides a lane; at a table the plate is at the outer edge, in a list before the run. */
function divide(rect: Rect, plateWidth: number, plateFirst: boolean, mirrored: boolean): Lane {
  const inner = { y: rect.y, height: rect.height };
  const runWidth = rect.width - plateWidth - 2 * INSET;
  const plate = {
    ...inner,
    x: plateFirst ? rect.x : rect.x + rect.width - plateWidth,
    width: plateWidth,
  };
  const run = {
    ...inner,
    x: plateFirst ? plate.x + plateWidth + INSET : rect.x + INSET,
    width: runWidth,
  };
  return { ...rect, plate, run, mirrored };
}

/** The height of a board whose lanes start at `top`: what was asked for, or more if they need it. */
function totalOf(height: number, top: number, tops: readonly { top: number; height: number }[]) {
  const last = tops.at(-1);
  const end = last ? last.top + last.height : 0;
  return Math.max(height, Math.ceil(top + end + MARGIN - ROUNDING));
}

/** Stacks the lanes of a column; they share what is left of `room` evenly. */
function stack(column: readonly number[], heights: readonly number[], gap: number, room: number) {
  const least = column.reduce((sum, index) => sum + (heights[index] ?? 0), 0);
  const spare = Math.max(0, room - least - gap * Math.max(0, column.length - 1));
  const extra = column.length ? spare / column.length : 0;
  let top = 0;
  return column.map((index) => {
    const height = (heights[index] ?? 0) + extra;
    const placed = { top, height };
    top += height + gap;
    return placed;
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
