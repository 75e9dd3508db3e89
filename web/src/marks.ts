// Pips or numerals on tiles: pips, unless it was chosen otherwise here.

import { signal } from "@preact/signals";
import type { Marks } from "./board/types";

const STORED = "mextrain.marks";

export const marks = signal<Marks>(
  localStorage.getItem(STORED) === "numerals" ? "numerals" : "pips",
);

export function setMarks(chosen: Marks): void {
  marks.value = chosen;
  localStorage.setItem(STORED, chosen);
}
