// The player's own tiles in their rack: arranged, picked up, dragged out. Says which tile was picked or
// where it was dropped; knows neither the network nor the rules.

import { useId, useState } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { Domino } from "./Domino";
import { type Drag, type Dragged, type Drop, useDrag } from "./drag";
import { HandTile } from "./HandTile";
import { OrderChoice } from "./OrderChoice";
import { type Arrangement, useArrangement } from "./order";
import { type PickedBy, usePicking } from "./picking";
import { fitRack, type Rack } from "./rack";
import { type Roving, useRoving } from "./roving";
import { useSize } from "./size";
import { aboutTile, fits, isHinted, mayAct, tileName } from "./telling";
import { endOf, nameOf, sameTile, tileKey } from "./tiles";
import type { HandProps, Marks } from "./types";
import "./styles/hand.css";

/** The hand of the viewer's seat; nothing for a spectator. */
export function Hand(props: HandProps) {
  return props.game.view?.seat === undefined ? null : <OwnHand {...props} />;
}

function OwnHand(props: HandProps) {
  const { game, marks, selection, t } = props;
  const hand = game.view?.hand ?? [];
  const arrangement = useArrangement(hand, ownEnd(props));
  const [element, size] = useSize<HTMLElement>({ width: 800, height: 100 });
  const [pointed, point] = useState<Tile | null>(null);
  const [said, say] = useState("");
  const pick = usePicking(props, say);
  const drag = useDrag({
    onLift: (tile) => props.onSelect(fits(props, tile) ? tile : null),
    onDrop: (tile, drop) => dropped(props, arrangement, tile, drop),
  });
  const rack = fitRack(hand.length, size.width, window.innerHeight);
  const roving = useRoving(arrangement, rack.columns, (tile, place) => {
    arrangement.move(tile, place);
    say(t("hand.moved", { tile: tileName(tile, props), place: place + 1, count: hand.length }));
  });
  const shown = pointed ?? selection;
  return (
    <section class="hand" ref={element} aria-label={t("hand.title")}>
      <header class="hand-bar">
        <p class="hand-said" aria-hidden>
          {shown ? aboutTile(props, shown) : t("hand.count", { n: hand.length })}
        </p>
        <OrderChoice arrangement={arrangement} t={t} />
      </header>
      <Tiles {...props} {...{ arrangement, rack, roving, drag, pick, point }} />
      <p class="sr-only" aria-live="polite">
        {said}
      </p>
      {drag.dragged && <Lifted {...drag.dragged} {...{ rack, arrangement, marks }} />}
    </section>
  );
}

interface TilesProps extends HandProps {
  readonly arrangement: Arrangement;
  readonly rack: Rack;
  readonly roving: Roving;
  readonly drag: Drag;
  readonly pick: (tile: Tile, by: PickedBy) => void;
  readonly point: (tile: Tile | null) => void;
}

function Tiles({ arrangement, rack, roving, drag, pick, point, ...props }: TilesProps) {
  const { t } = props;
  const acting = mayAct(props);
  const help = useId();
  if (arrangement.tiles.length === 0) return <p class="hand-rack is-empty">{t("hand.empty")}</p>;
  return (
    <>
      <div
        class="hand-rack"
        role="listbox"
        aria-label={t("hand.title")}
        aria-describedby={help}
        aria-orientation="horizontal"
        style={{
          "--gap": `${rack.gap}px`,
          "--unit": `${rack.unit}px`,
          "--columns": String(rack.columns),
        }}
        onKeyDown={roving.press}
      >
        {arrangement.tiles.map((each, place) => (
          <HandTile
            key={tileKey(each.tile)}
            rack={each}
            unit={rack.unit}
            marks={props.marks}
            label={aboutTile(props, each.tile)}
            fits={acting ? fits(props, each.tile) : null}
            picked={sameTile(props.selection, each.tile)}
            lifted={sameTile(drag.dragged?.tile, each.tile)}
            hinted={isHinted(props, each.tile)}
            current={place === roving.place}
            onPick={(by) => {
              if (by === "keyboard" || !drag.swallowsClick()) pick(each.tile, by);
            }}
            onFocus={() => roving.visit(place)}
            onPoint={(pointed) => point(pointed ? each.tile : null)}
            onPress={(event) => !props.busy && drag.start(event, each.tile)}
          />
        ))}
      </div>
      <p class="sr-only" id={help}>
        {t("hand.keys")}
      </p>
    </>
  );
}

interface LiftedProps extends Dragged {
  readonly rack: Rack;
  readonly arrangement: Arrangement;
  readonly marks: Marks | undefined;
}

/** The tile under the pointer; above it where a finger would hide it. */
function Lifted({ tile, x, y, byFinger, rack, arrangement, marks }: LiftedProps) {
  const shown = arrangement.tiles.find((each) => sameTile(each.tile, tile));
  if (!shown) return null;
  const lift = byFinger ? rack.unit * 1.4 : 0;
  return (
    <div class="hand-lifted" aria-hidden style={{ left: `${x}px`, top: `${y - lift}px` }}>
      <Domino first={shown.inner} second={shown.outer} unit={rack.unit} marks={marks} />
    </div>
  );
}

function dropped(props: HandProps, arrangement: Arrangement, tile: Tile, drop: Drop): void {
  if (drop.on === "train" && fits(props, tile, drop.train)) {
    props.onPlay(tile, drop.train);
    return;
  }
  props.onSelect(null);
  if (drop.on === "train") props.onRefused(tile, drop.train);
  if (drop.on === "hand") arrangement.move(tile, drop.place);
}

function ownEnd({ game }: HandProps): number {
  const round = game.view?.round;
  const own = round?.trains.find((train) => nameOf(train.train) === game.view?.seat);
  return own && round ? endOf(own, round.hub) : 0;
}
