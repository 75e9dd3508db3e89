// Lays a chain of dominoes into a box, turning back at its edges. Knows neither trains nor pixels of
// any screen: all lengths are in the unit that the caller chooses.

/** How a tile lies: travelling along the row, back along it, or down from one row to the next. */
export type Heading = "right" | "left" | "down";

/** A tile's place: its middle, its size as it lies, and where its second half points. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly heading: Heading;
}

/** A chain as it lies, and the place where the next tile would. */
export interface Snake {
  readonly places: readonly Place[];
  readonly end: Place;
  readonly rows: number;
  readonly height: number;
}

/** The sizes of a chain: the short side of a tile (the long one is twice it), and the gap. */
export interface Gauge {
  readonly unit: number;
  readonly gap: number;
}

/** Returns the narrowest box: one that holds a turn, a tile under it, and the next turn. */
export function narrowest({ unit, gap }: Gauge): number {
  return 5 * unit + 2 * gap;
}

/** Returns the height of so many rows, each with room for doubles set crosswise. */
export function heightOf(rows: number, { unit, gap }: Gauge): number {
  return rows * 2 * unit + Math.max(0, rows - 1) * gap;
}

/**
 * Lays a chain from the top left corner, the first row to the right, the next one back.
 *
 * Doubles lie crosswise. Where a row ends, a plain tile is set upright and leads down to the next
 * row, which runs back underneath it. No two tiles overlap, and none sticks out at the sides.
 */
export function snake(doubles: readonly boolean[], width: number, gauge: Gauge): Snake {
  const pen = new Pen(Math.max(width, narrowest(gauge)), gauge);
  const places = doubles.map((double) => pen.lay(double));
  const end = pen.layEnd();
  const height = Math.max(...[...places, end].map((place) => place.y + place.height / 2));
  return { places, end, rows: pen.rows, height };
}

class Pen {
  rows = 1;
  private x = 0;
  private readonly long: number;
  private readonly pitch: number;
  private afterTurn = false;

  constructor(
    private readonly width: number,
    private readonly gauge: Gauge,
  ) {
    this.long = 2 * gauge.unit;
    this.pitch = this.long + gauge.gap;
  }

  lay(double: boolean): Place {
    if (double && !this.afterTurn) return this.crosswise();
    // There must be room left for the next tile to turn in, if it has to.
    const needed = this.long + this.gauge.gap + this.gauge.unit;
    if (this.afterTurn || this.room >= needed) return this.along();
    return this.turn();
  }

  layEnd(): Place {
    return this.afterTurn || this.room >= this.long ? this.along() : this.turn();
  }

  private get forward(): boolean {
    return this.rows % 2 === 1;
  }

  private get room(): number {
    return this.forward ? this.width - this.x : this.x;
  }

  private get rowY(): number {
    return this.gauge.unit + (this.rows - 1) * this.pitch;
  }

  private along(): Place {
    this.afterTurn = false;
    return this.put(this.long, this.gauge.unit, this.forward ? "right" : "left");
  }

  private crosswise(): Place {
    const place = this.put(this.gauge.unit, this.long, "down");
    if (this.room < this.gauge.unit) this.startRowUnder(place);
    return place;
  }

  private turn(): Place {
    const { unit } = this.gauge;
    const upright = this.put(unit, this.long, "down");
    const place = { ...upright, y: upright.y + unit / 2 };
    this.startRowUnder(place);
    this.afterTurn = true;
    return place;
  }

  private put(width: number, height: number, heading: Heading): Place {
    const step = this.forward ? 1 : -1;
    const place = { x: this.x + (step * width) / 2, y: this.rowY, width, height, heading };
    this.x += step * (width + this.gauge.gap);
    return place;
  }

  private startRowUnder(place: Place): void {
    this.x = place.x + ((this.forward ? 1 : -1) * place.width) / 2;
    this.rows += 1;
  }
}
