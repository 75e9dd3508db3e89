// The keyboard while a tile is picked up: a number picks a train, arrows go from one to the next.

import { useEffect } from "preact/hooks";
import { focusIsOnBoard, focusTarget } from "./focus";
import type { SeenTrain } from "./seen";
import type { Selection, TrainName } from "./types";

/** Listens as long as a tile is picked up. */
export function useTrainKeys(
  trains: readonly SeenTrain[],
  selection: Selection,
  onLay: (train: TrainName) => void,
  onCancel: () => void,
): void {
  useEffect(() => {
    if (!selection) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "Escape" && !isAtTable(event.target)) return;
      if (handle(event.key, trains, onLay, onCancel)) event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

/** Returns whether the key meant something. */
function handle(
  key: string,
  trains: readonly SeenTrain[],
  onLay: (train: TrainName) => void,
  onCancel: () => void,
): boolean {
  if (key === "Escape") {
    onCancel();
    return true;
  }
  const step = STEPS[key];
  if (step && focusIsOnBoard()) {
    focusTarget(step);
    return true;
  }
  const picked = trains.find(({ target }) => target !== null && key === keyOf(target));
  if (picked) onLay(picked.name);
  return picked !== undefined;
}

const STEPS: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** Returns the key that picks a target: 1 to 9, then 0; none after the tenth, which arrows reach. */
export function keyOf(target: number): string | null {
  if (target > 10) return null;
  return String(target % 10);
}

/** Single keys mean something only to whoever is at the board or the hand. */
function isAtTable(target: EventTarget | null): boolean {
  return target instanceof Element && !!target.closest(".board, .hand-rack");
}
