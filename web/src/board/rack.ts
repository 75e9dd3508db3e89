// How large the tiles of a hand are, so that they fit the rack. Knows nothing of what is on them.

export interface Rack {
  readonly unit: number;
  readonly gap: number;
  readonly columns: number;
}

const UNITS = [50, 46, 42, 38, 34, 30, 27] as const;
const PADDING = 12;
const LEAST_HEIGHT = 68;
/** Tiles so large are worth more in one row than larger ones in two. */
const LARGE = 34;

/**
 * Returns the largest tiles of which `count` fit a rack so wide: in one row, or in few on a phone.
 *
 * All of them take a fifth of the screen's height at most, if they are not very many.
 */
export function fitRack(count: number, width: number, screenHeight: number): Rack {
  const height = Math.min(width >= 800 ? 110 : 150, Math.max(LEAST_HEIGHT, screenHeight / 5));
  const racks = UNITS.map((unit) => rackOf(unit, width));
  const low = racks.filter((rack) => 2 * rack.unit * Math.ceil(count / rack.columns) <= height);
  const inOneRow = low.find(({ unit, columns }) => unit >= LARGE && columns >= count);
  return evened(inOneRow ?? low[0] ?? racks.at(-1) ?? rackOf(UNITS[0], width), count);
}

/** Gives all rows about the same number of tiles. */
function evened(rack: Rack, count: number): Rack {
  const rows = Math.max(1, Math.ceil(count / rack.columns));
  return { ...rack, columns: Math.max(1, Math.ceil(count / rows)) };
}

function rackOf(unit: number, width: number): Rack {
  const gap = unit >= 38 ? 7 : 5;
  return {
    unit,
    gap,
    columns: Math.max(1, Math.floor((width - 2 * PADDING + gap) / (unit + gap))),
  };
}
