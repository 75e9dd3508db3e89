// A train's lane: its plate, and the button that lays the picked-up tile on it. The tiles themselves
// are drawn over it by `TrainTiles`.

import { keyOf } from "./keys";
import type { LaidLane } from "./layout";
import { Plate } from "./Plate";
import { type SeenTrain, spelled } from "./seen";
import type { Place } from "./snake";
import type { BoardProps } from "./types";

interface LaneItemProps extends BoardProps {
  readonly train: SeenTrain;
  readonly lane: LaidLane;
  readonly unit: number;
  readonly onLay: () => void;
  readonly onToggle: () => void;
}

export function LaneItem(props: LaneItemProps) {
  const { train, lane, selection, busy, onLay, onRefused } = props;
  const pick = () => {
    if (busy || !selection) return;
    if (train.target !== null) onLay();
    else onRefused(selection, train.name);
  };
  return (
    <li
      class={`lane ${laneClasses(train)}`}
      style={{
        left: `${lane.x}px`,
        top: `${lane.y}px`,
        width: `${lane.width}px`,
        height: `${lane.height}px`,
      }}
      data-train={train.name}
      data-target={train.target ?? undefined}
    >
      <button
        type="button"
        class="lane-pick"
        aria-label={train.label}
        aria-disabled={train.target === null || busy}
        tabIndex={train.target === null ? -1 : 0}
        onClick={pick}
      />
      <span class="sr-only">{spelled(train.tiles)}</span>
      <Plate train={train} lane={lane} t={props.t} />
      {train.target !== null && keyOf(train.target) && (
        <kbd class="lane-key" aria-hidden style={at(lane, keyPlace(lane))}>
          {keyOf(train.target)}
        </kbd>
      )}
      <Fold {...props} />
    </li>
  );
}

function laneClasses(train: SeenTrain): string {
  const { own, access, toMove, playable, target, double, hinted, dead, name } = train;
  const marks = {
    "is-own": own,
    "is-mexican": name === "mexican",
    "is-open": access === "open",
    "is-closed": access === "closed",
    "is-to-move": toMove,
    "is-playable": playable,
    "is-target": target !== null,
    "is-owed": double === "cover",
    "is-dead": dead,
    "is-hinted": hinted,
  };
  return Object.entries(marks)
    .filter(([, set]) => set)
    .map(([mark]) => mark)
    .join(" ");
}

/** The place where the middle of a long train is folded away, and how to fold it again. */
function Fold({ train, lane, unit, t, onToggle }: LaneItemProps) {
  const { fold } = lane.train;
  if (fold) {
    return (
      <button
        type="button"
        class="lane-fold"
        style={at(lane, fold.place)}
        aria-label={t("board.unfold", { n: fold.count, train: train.title })}
        onClick={onToggle}
      >
        +{fold.count}
      </button>
    );
  }
  if (!lane.foldable) return null;
  const place = { x: lane.plate.x + lane.plate.width - unit / 2 - 4, y: lane.y + lane.height - 14 };
  return (
    <button
      type="button"
      class="lane-fold is-open"
      style={at(lane, { ...place, width: 26, height: 22 })}
      aria-label={t("board.fold", { train: train.title })}
      onClick={onToggle}
    >
      −
    </button>
  );
}

/** Where a place of the board is within its lane. */
function at(lane: LaidLane, place: Omit<Place, "heading">) {
  return {
    left: `${place.x - place.width / 2 - lane.x}px`,
    top: `${place.y - place.height / 2 - lane.y}px`,
    width: `${place.width}px`,
    height: `${place.height}px`,
  };
}

/** The key is shown at the corner of the run that the train starts from. */
function keyPlace({ run, mirrored }: LaidLane) {
  const x = mirrored ? run.x + run.width - 12 : run.x + 12;
  return { x, y: run.y + 12, width: 20, height: 20 };
}
