// Whether single keys make moves. They can be switched off, for those who speak to their browser.

import { signal } from "@preact/signals";

const STORED = "mextrain.shortcuts";

export const shortcuts = signal(localStorage.getItem(STORED) !== "off");

export function setShortcuts(on: boolean): void {
  shortcuts.value = on;
  localStorage.setItem(STORED, on ? "on" : "off");
}
