// The small pictures of the board, in the colour of the text around them. None says anything alone:
// whoever uses one gives the words.

import type { Order } from "./order";

/** The locomotive that marks a train as open to all. */
export function Locomotive() {
  return (
    <svg class="glyph glyph-marker" viewBox="0 0 24 24" aria-hidden>
      <path d="M2 6h8v2H9v3h5V7h-1V5h6v2h-1v4h.5A3.5 3.5 0 0 1 22 14.5V17H2v-6h1V8H2z" />
      <circle cx="6.5" cy="18.5" r="2.5" />
      <circle cx="13" cy="18.5" r="2.5" />
      <circle cx="19" cy="18.5" r="2.5" />
    </svg>
  );
}

/** A tile face down: how many are in a hand. */
export function HandIcon() {
  return (
    <svg class="glyph" viewBox="0 0 16 16" aria-hidden>
      <rect x="4" y="1" width="8" height="14" rx="1.8" />
      <path d="M5.5 8h5" stroke="var(--felt)" stroke-width="1.2" />
    </svg>
  );
}

/** Whose turn it is. */
export function TurnIcon() {
  return (
    <svg class="glyph glyph-turn" viewBox="0 0 16 16" aria-hidden>
      <path d="M3.5 1.8 13 8l-9.5 6.200z" />
    </svg>
  );
}

/** How the hand is arranged: from high to low, joined, or by hand. */
export function OrderIcon({ order }: { readonly order: Order }) {
  return (
    <svg class="glyph" viewBox="0 0 16 16" aria-hidden>
      <path d={ORDER_PATHS[order]} />
    </svg>
  );
}

const ORDER_PATHS: Readonly<Record<Order, string>> = {
  value: "M1 14V2h3v12zM6.5 14V6h3v8zM12 14v-4h3v4z",
  train: "M1 5.5h6v5H1zM9 5.5h6v5H9zM7 7h2v2H7z",
  own: "M8 0l3 3.5H9v3.5h3.5V5L16 8l-3.5 3V9H9v3.5h2L8 16l-3-3.5h2V9H3.5v2L0 8l3.5-3v2H7V3.5H5z",
};
