/** What the board and the hand say. */
export const board = {
  "board.draw": "Draw",
  "board.pass": "Pass",
  "board.call": "Call last tile",
} as const;
