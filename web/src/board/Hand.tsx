// The player's own tiles in their rack: arranged, picked up, dragged out. Says which tile was picked or
// where it was dropped; knows neither the network nor the rules.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { trainName } from "../words/names";
import { refusalText } from "../words/problems";
import { Domino } from "./Domino";
import { type Drop, useDrag } from "./drag";
import { focusHand, focusIsOnBoard, focusTarget } from "./focus";
import { HandTile } from "./HandTile";
import { OrderChoice } from "./OrderChoice";
import { type Arrangement, useArrangement } from "./order";
import { fitRack, type Rack } from "./rack";
import { useRoving } from "./roving";
import { useSize } from "./size";
import { endOf, nameOf, playsOf, sameTile, tileKey, trainsFor } from "./tiles";
import type { HandProps, Marks, TrainName } from "./types";
import "./styles/hand.css";

/** The hand of the viewer's seat; nothing for a spectator. */
export function Hand(props: HandProps) {
  return props.game.view?.seat === undefined ? null : <OwnHand {...props} />;
}

function OwnHand(props: HandProps) {
  const { game, t } = props;
  const hand = game.view?.hand ?? [];
  const arrangement = useArrangement(hand, ownEnd(props));
  const [element, size] = useSize<HTMLElement>({ width: 800, height: 100 });
  const [pointed, setPointed] = useState<Tile | null>(null);
  const [said, say] = useState("");
  const picking = usePicking(props, say);
  const drag = useDrag({
    onLift: (tile) => props.onSelect(fits(props, tile) ? tile : null),
    onDrop: (tile, drop) => dropped(props, arrangement, tile, drop),
  });
  const rack = fitRack(hand.length, size.width, window.innerHeight);
  const roving = useRoving(arrangement, rack.columns, (tile, place) => {
    arrangement.move(tile, place);
    say(t("hand.moved", { tile: tileName(tile, props), place: place + 1, count: hand.length }));
  });
  const shown = pointed ?? props.selection;
  return (
    <section class="hand" ref={element} aria-label={t("hand.title")}>
      <header class="hand-bar">
        <p class="hand-said" aria-hidden>
          {shown ? aboutTile(props, shown) : t("hand.count", { n: hand.length })}
        </p>
        <OrderChoice arrangement={arrangement} t={t} />
      </header>
      <div
        class="hand-rack"
        role="listbox"
        aria-label={`${t("hand.title")}. ${t("hand.keys")}`}
        aria-orientation="horizontal"
        style={{ "--gap": `${rack.gap}px`, "--unit": `${rack.unit}px` }}
        onKeyDown={roving.press}
      >
        {arrangement.tiles.map((each, place) => (
          <HandTile
            key={tileKey(each.tile)}
            rack={each}
            unit={rack.unit}
            marks={props.marks}
            label={aboutTile(props, each.tile)}
            fits={mayAct(props) ? fits(props, each.tile) : null}
            picked={sameTile(props.selection, each.tile)}
            lifted={sameTile(drag.dragged?.tile, each.tile)}
            hinted={isHinted(props, each.tile)}
            current={place === roving.place}
            onPick={(by) => !drag.swallowsClick() && picking.pick(each.tile, by)}
            onFocus={() => {
              roving.visit(place);
              setPointed(each.tile);
            }}
            onLeave={() => setPointed(null)}
            onPress={(event) => !props.busy && drag.start(event, each.tile)}
          />
        ))}
        {hand.length === 0 && <p class="hand-empty">{t("hand.empty")}</p>}
      </div>
      <p class="sr-only" aria-live="polite">
        {said}
      </p>
      {drag.dragged && (
        <Lifted {...drag.dragged} rack={rack} arrangement={arrangement} marks={props.marks} />
      )}
    </section>
  );
}

interface LiftedProps {
  readonly tile: Tile;
  readonly x: number;
  readonly y: number;
  readonly byFinger: boolean;
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

/** Picks tiles up and puts them back, and moves the keyboard's focus along. */
function usePicking(props: HandProps, say: (text: string) => void) {
  const { selection, busy, t } = props;
  const byKeyboard = useRef(false);
  const last = useRef(selection);
  useEffect(() => {
    if (sameTile(last.current, selection) || last.current === selection) return;
    const before = last.current;
    last.current = selection;
    if (selection && byKeyboard.current) focusTarget();
    if (!selection && byKeyboard.current && focusIsOnBoard()) focusHand();
    if (selection)
      say(t("hand.picked", { tile: tileName(selection, props), trains: goesTo(props, selection) }));
    else if (before && holds(props, before))
      say(t("hand.put-back", { tile: tileName(before, props) }));
  });
  const pick = (tile: Tile, by: "pointer" | "keyboard") => {
    if (busy) return;
    byKeyboard.current = by === "keyboard";
    if (sameTile(selection, tile)) props.onSelect(null);
    else if (fits(props, tile)) props.onSelect(tile);
    else props.onRefused(tile, null);
  };
  return { pick };
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

function fits({ moves }: HandProps, tile: Tile, train?: TrainName): boolean {
  const trains = trainsFor(playsOf(moves), tile);
  return train === undefined ? trains.size > 0 : trains.has(train);
}

/** Whether tiles can be laid at all now, so that it matters which of them. */
function mayAct({ moves, unplayable }: HandProps): boolean {
  return moves.length > 0 || unplayable.length > 0;
}

function holds({ game }: HandProps, tile: Tile): boolean {
  return game.view?.hand.some((each) => sameTile(each, tile)) ?? false;
}

function isHinted({ suggestion }: HandProps, tile: Tile): boolean {
  return !!suggestion && playsOf([suggestion]).some((play) => sameTile(play.tile, tile));
}

function ownEnd({ game }: HandProps): number {
  const round = game.view?.round;
  const own = round?.trains.find((train) => nameOf(train.train) === game.view?.seat);
  return own && round ? endOf(own, round.hub) : 0;
}

function tileName({ high, low }: Tile, { t }: HandProps): string {
  return high === low ? t("hand.double", { value: high }) : t("hand.tile", { high, low });
}

function goesTo({ moves, names, game, t }: HandProps, tile: Tile): string {
  const own = game.view?.seat;
  const trains = [...trainsFor(playsOf(moves), tile)];
  return trains
    .map((train) => (train === own ? t("board.train.own") : trainName(train, names, t)))
    .join(", ");
}

/** Returns a tile's name, and where it goes or why it goes nowhere. */
function aboutTile(props: HandProps, tile: Tile): string {
  const { t, names, unplayable, game } = props;
  const name = tileName(tile, props);
  if (fits(props, tile)) return `${name}, ${t("hand.fits", { trains: goesTo(props, tile) })}`;
  const refusal = unplayable.find((each) => sameTile(each.tile, tile))?.refusal;
  if (refusal)
    return `${name}, ${t("hand.stuck")}: ${refusalText(refusal, names, t, game.view?.seat)}`;
  return name;
}
