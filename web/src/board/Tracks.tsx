// The rails that lead from the hub to each train. Decoration: screen readers get none of it.

import type { LaidLane, Layout } from "./layout";
import type { SeenTrain } from "./seen";

interface TracksProps {
  readonly layout: Layout;
  readonly trains: readonly SeenTrain[];
}

export function Tracks({ layout, trains }: TracksProps) {
  const { width, height, lanes } = layout;
  return (
    <svg class="board-tracks" width={width} height={height} aria-hidden>
      {lanes.map((lane, index) => {
        const train = trains[index];
        if (!train) return null;
        const path = layout.shape === "table" ? fan(layout, lane) : branch(layout, lane);
        return (
          <g key={train.name} class={train.target !== null ? "track is-target" : "track"}>
            <path class="track-bed" d={path} />
            <path class="track-rails" d={path} />
            <path class="track-gap" d={path} />
            <path class="track-ties" d={path} />
          </g>
        );
      })}
    </svg>
  );
}

/** From the rim of the hub in a curve to where the lane's first tile lies. */
function fan({ hub, lanes }: Layout, lane: LaidLane): string {
  const side = lanes.filter(({ mirrored }) => mirrored === lane.mirrored);
  const sign = lane.mirrored ? -1 : 1;
  const x = lane.mirrored ? lane.run.x + lane.run.width : lane.run.x;
  const y = startY(lane);
  const rank = side.map(startY).filter((other) => other < y).length;
  const spread = side.length > 1 ? (rank / (side.length - 1)) * 2 - 1 : 0;
  const angle = spread * Math.min(1.05, 0.28 * side.length);
  const from = {
    x: hub.x + sign * hub.radius * Math.cos(angle),
    y: hub.y + hub.radius * Math.sin(angle),
  };
  const reach = Math.abs(x - from.x) * 0.55;
  const out = { x: from.x + sign * reach * Math.cos(angle), y: from.y + reach * Math.sin(angle) };
  return `M${from.x} ${from.y}C${out.x} ${out.y} ${x - sign * reach} ${y} ${x} ${y}H${farEnd(lane)}`;
}

/** From the trunk at the left edge around a bend into the lane. */
function branch({ hub }: Layout, lane: LaidLane): string {
  const trunk = lane.x - 8;
  const y = startY(lane);
  return `M${trunk} ${hub.y + hub.radius}V${y - 10}Q${trunk} ${y} ${trunk + 10} ${y}H${farEnd(lane)}`;
}

/** The middle of the first row, where the first tile lies or will. */
function startY({ train }: LaidLane): number {
  const first = train.shown[0]?.place ?? train.end;
  return first.y;
}

function farEnd({ run, mirrored }: LaidLane): number {
  return mirrored ? run.x : run.x + run.width;
}
