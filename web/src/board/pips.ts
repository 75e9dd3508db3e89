// Where the pips of one half of a domino lie, for 0 to 18. Knows no colours and no sizes of screens.

/** The middle of a pip; the half is a square of side 1 around the origin. */
export interface Pip {
  readonly x: number;
  readonly y: number;
}

/** The most pips that a half of the largest set has. */
export const MOST_PIPS = 18;

/**
 * Returns the pips of a half, along the long side of the tile.
 *
 * From 4 on there are two outer columns of equal length and a middle one with the rest, as on
 * printed double-eighteen sets, so that a value is told by its shape alone.
 */
export function pipsOf(value: number): readonly Pip[] {
  const known = patterns[value];
  if (!known) throw new RangeError(`no half has ${value} pips`);
  return known;
}

/** Returns the radius of the pips of a half of side 1: smaller where they are many. */
export function pipRadius(value: number): number {
  return RADII[outerLength(value)] ?? RADIUS_FEW;
}

/** Returns the pips of a half as the data of one SVG path, around the origin. */
export function pipPath(value: number, side: number): string {
  const radius = round(pipRadius(value) * side);
  const arc = (dx: number) => `a${radius} ${radius} 0 1 0 ${dx} 0`;
  return pipsOf(value)
    .map(
      ({ x, y }) =>
        `M${round(x * side - radius)} ${round(y * side)}${arc(2 * radius)}${arc(-2 * radius)}`,
    )
    .join("");
}

const RADIUS_FEW = 0.105;
const RADII: Readonly<Record<number, number>> = { 4: 0.088, 5: 0.075, 6: 0.066 };
const COLUMN = 0.285;
const REACH: Readonly<Record<number, number>> = { 2: 0.27, 3: 0.285, 4: 0.325, 5: 0.345, 6: 0.365 };

/** The length of the outer columns, and of the middle one, from 4 pips on. */
const COLUMNS: readonly (readonly [outer: number, middle: number])[] = [
  [2, 0],
  [2, 1],
  [3, 0],
  [3, 1],
  [3, 2],
  [3, 3],
  [4, 2],
  [4, 3],
  [4, 4],
  [5, 3],
  [5, 4],
  [5, 5],
  [6, 4],
  [6, 5],
  [6, 6],
];

const patterns: readonly (readonly Pip[])[] = Array.from({ length: MOST_PIPS + 1 }, (_, value) =>
  value < 4 ? diagonal(value) : columns(value),
);

function outerLength(value: number): number {
  return COLUMNS[value - 4]?.[0] ?? 1;
}

function diagonal(value: number): Pip[] {
  return spread(value, COLUMN).map((at) => ({ x: at, y: at }));
}

function columns(value: number): Pip[] {
  const [outer, middle] = COLUMNS[value - 4] ?? [0, 0];
  const reach = REACH[outer] ?? 0;
  const step = (2 * reach) / (outer - 1);
  // Eight is a ring with an empty centre; any other middle column is packed around the centre.
  const middleReach = value === 8 ? reach : ((middle - 1) * step) / 2;
  return [
    ...spread(outer, reach).map((y) => ({ x: -COLUMN, y })),
    ...spread(middle, middleReach).map((y) => ({ x: 0, y })),
    ...spread(outer, reach).map((y) => ({ x: COLUMN, y })),
  ];
}

/** Returns `count` places from `-reach` to `reach` in equal steps. */
function spread(count: number, reach: number): number[] {
  if (count === 1) return [0];
  return Array.from({ length: count }, (_, index) => -reach + (2 * reach * index) / (count - 1));
}

function round(length: number): number {
  return Math.round(length * 100) / 100;
}
