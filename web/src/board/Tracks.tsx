// The rails that lead from the hub to each train. Decoration: screen readers get none of it.

import type { LaidLane, Layout } from "./layout";
import type { SeenTrain } from "./seen";

interface TracksProps {
  readonly layout: Layout;
  readonly trains: readonly SeenTrain[];
}

export function Tracks({ layout, trains }: TracksProps) {
  const { width, height, lanes, shape } = layout;
  const path = shape === "list" ? branch : (lane: LaidLane) => fan(layout, lane);
  return (
    <svg class="board-tracks" width={width} height={height} aria-hidden>
      {shape === "list" && <Track path={trunk(layout)} />}
      {lanes.map((lane, index) => (
        <Track key={trains[index]?.name} path={path(lane)} />
      ))}
    </svg>
  );
}

/** Two rails on their ties. */
function Track({ path }: { readonly path: string }) {
  return (
    <g class="track">
      <path class="track-bed" d={path} />
      <path class="track-rails" d={path} />
      <path class="track-gap" d={path} />
      <path class="track-ties" d={path} />
    </g>
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

/** In a list, down from the hub along the left edge, past all lanes. */
function trunk({ hub, lanes }: Layout): string {
  const [first, last] = [lanes[0], lanes.at(-1)];
  if (!first || !last) return "";
  return `M${trunkX(first)} ${hub.y}V${startY(last) - BEND}`;
}

/** From the trunk around a bend into the lane, and on behind the plate. */
function branch(lane: LaidLane): string {
  const x = trunkX(lane);
  const y = startY(lane);
  return `M${x} ${y - BEND}Q${x} ${y} ${x + BEND} ${y}M${lane.run.x} ${y}H${farEnd(lane)}`;
}

const BEND = 10;

function trunkX(lane: LaidLane): number {
  return lane.x - BEND;
}

/** The middle of the first row, where the first tile lies or will. */
function startY({ train }: LaidLane): number {
  const first = train.shown[0]?.place ?? train.end;
  return first.y;
}

function farEnd({ run, mirrored }: LaidLane): number {
  return mirrored ? run.x : run.x + run.width;
}
