// Plays rounds that it reads, one JSON object a line, and writes the legal moves before each move:
// what the test of the rules compares with the engine. Knows no framework.

import { createInterface } from 'node:readline';
import { MEXICAN, SEATS, dealt, legalMoves, makeMove } from './rules.mjs';

for await (const line of createInterface({ input: process.stdin })) {
  const { permutation, moves } = JSON.parse(line);
  const { hub, hands, boneyard } = dealt(permutation);
  const table = {
    hands,
    boneyard,
    trains: Array.from({ length: MEXICAN + 1 }, () => [hub]),
    markers: Array(SEATS).fill(false),
    turn: 0,
    drawn: false,
    owes: false,
    over: false,
  };
  const legal = [];
  for (const { seat, ...move } of moves) {
    legal.push(legalMoves(table));
    if (!makeMove(table, seat, move)) throw new Error(`refused: ${JSON.stringify(move)}`);
  }
  process.stdout.write(`${JSON.stringify({ legal, over: table.over })}\n`);
}
