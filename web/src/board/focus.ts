// Moves the keyboard's focus between the hand and the board, which know nothing else of each other.

import { bringIntoSight } from "./sight";

/** Moves the focus to the train that the picked-up tile goes to: the next from the present one. */
export function focusTarget(step: 1 | -1 = 1): void {
  const targets = [...document.querySelectorAll<HTMLElement>("[data-target] .lane-pick")];
  const at = targets.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 && step < 0 ? targets.length - 1 : at + step;
  targets[(next + targets.length) % targets.length]?.focus();
}

/** Brings a train into sight that the picked-up tile goes to. */
export function showTarget(): void {
  bringIntoSight([...document.querySelectorAll("[data-target]")]);
}

/** Moves the focus to the tile of the hand that is next in order of the keyboard. */
export function focusHand(): void {
  document.querySelector<HTMLElement>('.hand-tile[tabindex="0"]')?.focus();
}

/** Whether the focus is on the board, or nowhere since what had it is gone. */
export function focusIsOnBoard(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || !!focused.closest(".board");
}
