// Picking tiles of the hand up and putting them back, by pointer or by keyboard; says so to screen readers
// and takes the keyboard's focus along. Makes no element.

import { useEffect, useRef } from "preact/hooks";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { focusHand, focusIsOnBoard, focusTarget } from "./focus";
import { fits, goesTo, tileName } from "./telling";
import { sameTile } from "./tiles";
import type { HandProps } from "./types";

export type PickedBy = "pointer" | "keyboard";

/** Returns what picks a tile, or puts it back if it is the one that was picked. */
export function usePicking(
  props: HandProps,
  say: (text: string) => void,
): (tile: Tile, by: PickedBy) => void {
  const { selection, busy } = props;
  const byKeyboard = useRef(false);
  const last = useRef(selection);
  useEffect(() => {
    const before = last.current;
    if (before === selection || sameTile(before, selection)) return;
    last.current = selection;
    if (byKeyboard.current) moveFocus(selection);
    const text = announcement(props, before, selection);
    if (text) say(text);
  });
  return (tile, by) => {
    if (busy) return;
    byKeyboard.current = by === "keyboard";
    if (sameTile(selection, tile)) props.onSelect(null);
    else if (fits(props, tile)) props.onSelect(tile);
    else props.onRefused(tile, null);
  };
}

function moveFocus(selection: Tile | null): void {
  if (selection) focusTarget();
  else if (focusIsOnBoard()) focusHand();
}

function announcement(props: HandProps, before: Tile | null, now: Tile | null): string | null {
  const { t, game } = props;
  if (now) return t("hand.picked", { tile: tileName(now, props), trains: goesTo(props, now) });
  const kept = game.view?.hand.some((each) => sameTile(each, before));
  return before && kept ? t("hand.put-back", { tile: tileName(before, props) }) : null;
}
