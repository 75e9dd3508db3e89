// The tiles of all trains, in one picture over the lanes, and the value that each train ends in.
// Screen readers get the same from the lanes' labels.

import { useMemo } from "preact/hooks";
import { DominoBody } from "./Domino";
import type { Fresh } from "./fresh";
import type { LaidLane, Layout } from "./layout";
import type { SeenTrain } from "./seen";
import type { Place } from "./snake";
import { joined } from "./tiles";
import type { Marks, Selection } from "./types";

interface TrainTilesProps {
  readonly layout: Layout;
  readonly trains: readonly SeenTrain[];
  readonly fresh: Fresh;
  readonly selection: Selection;
  readonly marks: Marks | undefined;
}

export function TrainTiles({ layout, trains, fresh, selection, marks }: TrainTilesProps) {
  return (
    <svg class="board-tiles" width={layout.width} height={layout.height} aria-hidden>
      {trains.map((train, index) => {
        const lane = layout.lanes[index];
        if (!lane) return null;
        const known = fresh.get(train.name) ?? train.tiles.length;
        return (
          <g key={train.name} class={train.access === "closed" ? "train is-closed" : "train"}>
            <Tiles lane={lane} train={train} unit={layout.unit} marks={marks} known={known} />
            <End lane={lane} train={train} unit={layout.unit} marks={marks} selection={selection} />
          </g>
        );
      })}
    </svg>
  );
}

interface TilesProps {
  readonly lane: LaidLane;
  readonly train: SeenTrain;
  readonly unit: number;
  readonly marks: Marks | undefined;
  /** Tiles from this index on come in. */
  readonly known: number;
}

function Tiles({ lane, train, unit, marks, known }: TilesProps) {
  const last = train.tiles.length - 1;
  return (
    <>
      {lane.train.shown.map(({ index, place }) => {
        const tile = train.tiles[index];
        if (!tile) return null;
        const state = [
          index >= known && "is-fresh",
          train.recent === index && "is-recent",
          index === last && train.double && `is-${train.double}`,
        ];
        return (
          <Placed
            key={index}
            x={place.x}
            y={place.y}
            heading={place.heading}
            first={tile.inner}
            second={tile.outer}
            unit={unit}
            marks={marks}
            state={state.filter(Boolean).join(" ")}
          />
        );
      })}
    </>
  );
}

interface PlacedProps extends Pick<Place, "x" | "y" | "heading"> {
  readonly first: number;
  readonly second: number;
  readonly unit: number;
  readonly marks: Marks | undefined;
  readonly state: string;
}

/** A tile where it lies; drawn again only when something about it changes. */
function Placed({ x, y, heading, first, second, unit, marks, state }: PlacedProps) {
  return useMemo(
    () => (
      <g class={`laid ${state}`} style={{ transform: `translate(${x}px, ${y}px)` }}>
        <g class="laid-tile">
          {state && <Ring heading={heading} unit={unit} />}
          <DominoBody first={first} second={second} unit={unit} heading={heading} marks={marks} />
        </g>
      </g>
    ),
    [x, y, heading, first, second, unit, marks, state],
  );
}

function Ring({ heading, unit }: Pick<PlacedProps, "heading" | "unit">) {
  const [width, height] = heading === "down" ? [unit, 2 * unit] : [2 * unit, unit];
  return (
    <rect
      class="laid-ring"
      x={-width / 2 - 2.5}
      y={-height / 2 - 2.5}
      width={width + 5}
      height={height + 5 + unit * 0.08}
      rx={unit * 0.24}
    />
  );
}

interface EndProps extends Omit<TilesProps, "known"> {
  readonly selection: Selection;
}

/** The end of a train: its value, or the picked-up tile as it would lie. */
function End({ lane, train, unit, marks, selection }: EndProps) {
  if (selection && train.target !== null) {
    const tile = joined(selection, train.end);
    const place = tile.inner === tile.outer ? crossed(lane, unit) : lane.train.end;
    return (
      <g class="ghost" style={{ transform: `translate(${place.x}px, ${place.y}px)` }}>
        <DominoBody
          first={tile.inner}
          second={tile.outer}
          unit={unit}
          marks={marks}
          heading={place.heading}
        />
        <rect
          class="ghost-ring"
          x={-place.width / 2 - 2}
          y={-place.height / 2 - 2}
          width={place.width + 4}
          height={place.height + 4}
          rx={unit * 0.22}
        />
      </g>
    );
  }
  return <EndValue lane={lane} train={train} unit={unit} />;
}

/** Where a double would lie at the end: crosswise, close to the tile before. */
function crossed({ train: { end } }: LaidLane, unit: number): Place {
  const { x, y, heading } = end;
  if (heading === "down") {
    return { x, y: y - unit / 2, width: 2 * unit, height: unit, heading: "right" };
  }
  const back = heading === "right" ? -unit / 2 : unit / 2;
  return { x: x + back, y, width: unit, height: 2 * unit, heading: "down" };
}

function EndValue({ lane, train, unit }: Pick<EndProps, "lane" | "train" | "unit">) {
  const radius = Math.min(17, Math.max(12, unit * 0.46));
  const { x, y, heading } = lane.train.end;
  const near = unit - radius - 3;
  const dx = heading === "down" ? 0 : heading === "right" ? -near : near;
  const dy = heading === "down" ? -near : 0;
  const kind = train.dead ? "is-dead" : train.double === "cover" ? "is-owed" : `is-${train.access}`;
  return (
    <g
      class={`end-value ${kind} ${train.playable ? "is-playable" : ""}`}
      style={{ transform: `translate(${x + dx}px, ${y + dy}px)` }}
    >
      <circle r={radius} />
      <text dy="0.36em" style={{ fontSize: `${radius * 1.15}px` }} class={`pip-${train.end}`}>
        {train.end}
      </text>
      {train.dead && <path class="buffer" d={cross(radius, heading)} />}
      {!train.dead && train.access === "closed" && (
        <path class="buffer" d={buffer(radius, heading)} />
      )}
    </g>
  );
}

/** A cross behind an end that nothing joins any more. */
function cross(radius: number, heading: Place["heading"]): string {
  const arm = radius * 0.32;
  const away = radius + arm + 4;
  const [x, y] = heading === "down" ? [0, away] : [heading === "right" ? away : -away, 0];
  return `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
}

/** A buffer stop behind the end of a train that is closed to the viewer. */
function buffer(radius: number, heading: Place["heading"]): string {
  const [near, far, tall] = [radius + 2, radius + 8, radius * 0.7];
  if (heading === "down") {
    return `M${-tall} ${far}h${2 * tall}M${-tall / 2} ${near}V${far}M${tall / 2} ${near}V${far}`;
  }
  const sign = heading === "right" ? 1 : -1;
  const beam = `M${sign * far} ${-tall}v${2 * tall}`;
  return `${beam}M${sign * near} ${-tall / 2}H${sign * far}M${sign * near} ${tall / 2}H${sign * far}`;
}
