// The table: the hub, the trains around it, the boneyard. Shows what it is given and says which train
// was picked; knows neither the network nor the rules.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Round } from "../gen/mextrain/v1/round_pb";
import { showTarget } from "./focus";
import { useFresh } from "./fresh";
import { Boneyard, Hub } from "./Hub";
import { useTrainKeys } from "./keys";
import { LaneItem } from "./LaneItem";
import { type Layout, layOut, shapeOf } from "./layout";
import { type SeenTrain, seenTrains } from "./seen";
import { centreOnBoard } from "./sight";
import { type Size, useSize } from "./size";
import { Tracks } from "./Tracks";
import { TrainTiles } from "./TrainTiles";
import { tileKey } from "./tiles";
import type { BoardProps, Selection, TrainName } from "./types";
import "./styles/board.css";
import "./styles/lane.css";

/** The board of the live round, or of the last one; nothing before the first deal. */
export function Board(props: BoardProps) {
  const round = props.game.view?.round;
  const [element, size] = useSize<HTMLDivElement>({ width: 1024, height: 640 });
  return (
    <section class={`board is-${shapeOf(size.width)}`} aria-label={props.t("board.table")}>
      <div class="board-room" ref={element} />
      <div class="board-view">{round && <RoundBoard {...props} round={round} size={size} />}</div>
    </section>
  );
}

interface RoundBoardProps extends BoardProps {
  readonly round: Round;
  readonly size: Size;
}

function RoundBoard({ round, size, ...props }: RoundBoardProps) {
  const [unfolded, toggle] = useUnfolded(round.number);
  const trains = seenTrains(props, round, shapeOf(size.width));
  const layout = useLayout(size, trains, unfolded);
  const fresh = useFresh(round);
  const lay = (train: TrainName) => props.selection && props.onPlay(props.selection, train);
  useOwnInSight(round.number, size);
  useTargetInSight(props.selection);
  useTrainKeys(trains, props.busy ? null : props.selection, lay, () => props.onSelect(null));
  return (
    <div
      class="board-felt"
      data-aiming={props.selection ? "" : undefined}
      style={{ height: `${layout.height}px` }}
    >
      <Tracks layout={layout} trains={trains} />
      <Hub value={round.hub} layout={layout} marks={props.marks} t={props.t} />
      <Boneyard {...props} count={round.boneyardCount} layout={layout} />
      <ol class="board-trains" aria-label={props.t("board.trains")}>
        {trains.map((train, index) => {
          const lane = layout.lanes[index];
          return (
            lane && (
              <LaneItem
                key={train.name}
                {...props}
                train={train}
                lane={lane}
                unit={layout.unit}
                onLay={() => lay(train.name)}
                onToggle={() => toggle(train.name)}
              />
            )
          );
        })}
      </ol>
      <TrainTiles
        layout={layout}
        trains={trains}
        fresh={fresh}
        selection={props.selection}
        marks={props.marks}
      />
    </div>
  );
}

/** Shows the viewer's own train first where not all of them are in sight. */
function useOwnInSight(round: number, { width, height }: Size): void {
  useEffect(() => centreOnBoard(document.querySelector(".lane.is-own")), [round, width, height]);
}

/** Scrolls to a train that takes the picked-up tile when none of them is in sight. */
function useTargetInSight(selection: Selection): void {
  const key = selection && tileKey(selection);
  useEffect(() => showTarget(), [key]);
}

function useLayout(
  size: Size,
  trains: readonly SeenTrain[],
  unfolded: ReadonlySet<TrainName>,
): Layout {
  const chains = trains.map(({ name, tiles }) => ({
    doubles: tiles.map(({ inner, outer }) => inner === outer),
    unfolded: unfolded.has(name),
  }));
  const key = JSON.stringify([size, chains]);
  return useMemo(() => layOut(size.width, size.height, chains), [key]);
}

/** The trains that are shown whole, forgotten with each round. */
function useUnfolded(round: number): readonly [ReadonlySet<TrainName>, (train: TrainName) => void] {
  const [unfolded, setUnfolded] = useState({ round, trains: new Set<TrainName>() });
  const trains = unfolded.round === round ? unfolded.trains : new Set<TrainName>();
  const toggle = (train: TrainName) => {
    const next = new Set(trains);
    if (!next.delete(train)) next.add(train);
    setUnfolded({ round, trains: next });
  };
  return [trains, toggle];
}
