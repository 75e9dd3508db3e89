/** What the board and the hand say. */
export const board = {
  "board.boneyard": "Boneyard",
} as const;
