// Dragging a tile out of the hand, with mouse, pen or finger. Tells where it is dropped: on a train, at
// a place of the hand, or nowhere. Knows nothing of what may be played.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { edgeScroller } from "./sight";
import type { TrainName } from "./types";

/** Where a tile was dropped. */
export type Drop =
  | { readonly on: "train"; readonly train: TrainName }
  | { readonly on: "hand"; readonly place: number }
  | { readonly on: "nothing" };

/** A tile under way, and where the pointer is in the window. */
export interface Dragged {
  readonly tile: Tile;
  readonly x: number;
  readonly y: number;
  readonly byFinger: boolean;
}

interface DragEvents {
  readonly onLift: (tile: Tile) => void;
  readonly onDrop: (tile: Tile, drop: Drop) => void;
}

export interface Drag {
  readonly dragged: Dragged | null;
  readonly start: (event: PointerEvent, tile: Tile) => void;
  /** Whether the click that follows belongs to a drag that has just ended. */
  readonly swallowsClick: () => boolean;
}

/** A pointer that moves less than this, in pixels, has tapped. */
const SLACK = 7;

export function useDrag(events: DragEvents): Drag {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const latest = useRef(events);
  latest.current = events;
  const stop = useRef<(() => void) | null>(null);
  const justDropped = useRef(false);
  useEffect(() => () => stop.current?.(), []);

  const start = (event: PointerEvent, tile: Tile) => {
    if (event.button !== 0 || stop.current) return;
    justDropped.current = false;
    stop.current = follow(event, {
      lift: () => latest.current.onLift(tile),
      move: (x, y) => setDragged({ tile, x, y, byFinger: event.pointerType === "touch" }),
      end: (drop) => {
        stop.current = null;
        setDragged(null);
        if (!drop) return;
        justDropped.current = true;
        latest.current.onDrop(tile, drop);
      },
    });
  };
  const swallowsClick = () => {
    const swallowed = justDropped.current;
    justDropped.current = false;
    return swallowed;
  };
  return { dragged, start, swallowsClick };
}

interface Steps {
  readonly lift: () => void;
  readonly move: (x: number, y: number) => void;
  /** `null` when the tile was never lifted. */
  readonly end: (drop: Drop | null) => void;
}

/** Follows a pointer until it is let go; returns what stops that. */
function follow(begin: PointerEvent, steps: Steps): () => void {
  const listening = new AbortController();
  let lifted = false;
  const at = edgeScroller();
  const on = (
    type: "pointermove" | "pointerup" | "pointercancel",
    act: (e: PointerEvent) => void,
  ) =>
    window.addEventListener(type, (e) => e.pointerId === begin.pointerId && act(e), {
      signal: listening.signal,
    });
  const finish = (drop: Drop | null) => {
    listening.abort();
    at.stop();
    markOver(null);
    markPlace(null);
    steps.end(drop);
  };
  on("pointermove", (event) => {
    const far = Math.hypot(event.clientX - begin.clientX, event.clientY - begin.clientY) > SLACK;
    if (!lifted && !far) return;
    if (!lifted) steps.lift();
    lifted = true;
    markOver(laneAt(event.clientX, event.clientY));
    markPlace(dropAt(event.clientX, event.clientY));
    at.follow(event.clientY);
    steps.move(event.clientX, event.clientY);
  });
  on("pointerup", (event) => finish(lifted ? dropAt(event.clientX, event.clientY) : null));
  on("pointercancel", () => finish(lifted ? { on: "nothing" } : null));
  return () => finish(lifted ? { on: "nothing" } : null);
}

function laneAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-train]") ?? null;
}

function dropAt(x: number, y: number): Drop {
  const lane = laneAt(x, y);
  if (lane) return { on: "train", train: trainOf(lane) };
  const hand = document.elementFromPoint(x, y)?.closest(".hand-rack");
  return hand ? { on: "hand", place: placeIn(hand, x, y) } : { on: "nothing" };
}

function trainOf(lane: HTMLElement): TrainName {
  return lane.dataset.train === "mexican" ? "mexican" : Number(lane.dataset.train);
}

/** Marks between which tiles of the hand the dragged one would go. */
function markPlace(drop: Drop | null): void {
  for (const marked of document.querySelectorAll("[data-drop]")) {
    marked.removeAttribute("data-drop");
  }
  if (drop?.on !== "hand") return;
  const tiles = [...document.querySelectorAll(".hand-tile:not(.is-lifted)")];
  const next = tiles[drop.place];
  if (next) next.setAttribute("data-drop", "before");
  else tiles.at(-1)?.setAttribute("data-drop", "after");
}

/** The place in the hand: after the tiles of the rows above, and of this row to the left. */
function placeIn(hand: Element, x: number, y: number): number {
  const boxes = [...hand.querySelectorAll(".hand-tile:not(.is-lifted)")].map((tile) =>
    tile.getBoundingClientRect(),
  );
  return boxes.filter((box) => box.bottom < y || (box.top <= y && box.left + box.width / 2 < x))
    .length;
}

function markOver(lane: HTMLElement | null): void {
  for (const other of document.querySelectorAll("[data-over]")) {
    if (other !== lane) other.removeAttribute("data-over");
  }
  lane?.setAttribute("data-over", "");
}
