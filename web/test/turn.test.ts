import { describe, expect, test } from "vitest";
import { plainMove, playMove } from "../src/game/moves";
import type { Legal } from "../src/game/table";
import type { Move } from "../src/gen/mextrain/v1/move_pb";
import { Owed } from "../src/gen/mextrain/v1/round_pb";
import { Phase } from "../src/gen/mextrain/v1/view_pb";
import { en } from "../src/i18n/en";
import { translator } from "../src/i18n/translate";
import { turnText } from "../src/words/turn";
import { gameAt } from "./service";

const say = translator("en", en);
const NAMES = ["Ada", "Bea"];
const PLAY = playMove({ high: 12, low: 5 } as Parameters<typeof playMove>[0], 0);
const DRAW = plainMove("drawTile");
const PASS = plainMove("passTurn");

function legal(moves: Move[], version = 4): Legal {
  return { version, moves, unplayable: [], refusal: undefined };
}

function told(round: object, known: Legal): string {
  const game = gameAt(4, { round: { number: 1, turn: 0, owed: Owed.NOTHING, ...round } });
  return turnText(game, 0, known, NAMES, say);
}

describe("the turn", () => {
  test.each([
    [{}, legal([PLAY]), "Your turn"],
    [{ firstTurn: true }, legal([PLAY]), "Your first turn: start your train"],
    [{ firstTurn: true, laid: 2 }, legal([PASS]), "Extend your train, or press Done"],
    [{}, legal([DRAW]), "Nothing fits: draw"],
    [{ drawn: 1 }, legal([PASS]), "Nothing fits: pass"],
    [{}, legal([DRAW, PASS]), "Nothing fits"],
    [{ owed: Owed.COVER }, legal([PLAY]), "Cover your double"],
    [{ owed: Owed.COVER }, legal([DRAW]), "Nothing fits: draw"],
    [{ owed: Owed.FOLLOW_ANYWHERE }, legal([PLAY]), "Play one more tile after your double"],
    [{ owed: Owed.MAY_FOLLOW }, legal([PLAY, PASS]), "You may play one more tile"],
    [{ turn: 1 }, legal([]), "Bea’s turn"],
    [{ turn: 1, callDue: 0 }, legal([]), "One tile left: announce it!"],
  ])("with %o is told as it is", (round, known, text) => {
    expect(told(round, known)).toBe(text);
  });

  test("is told before the moves are known as it most often stays", () => {
    const unknown = legal([], -1);
    expect(told({ firstTurn: true }, unknown)).toBe("Your first turn: start your train");
    expect(told({}, unknown)).toBe("Your turn");
  });

  test("is told to those who watch by the name of whoever moves", () => {
    expect(turnText(gameAt(4), undefined, legal([], -1), NAMES, say)).toBe("Ada’s turn");
  });

  test("is nobody's when the match is over", () => {
    const game = gameAt(4, { phase: Phase.FINISHED });
    expect(turnText(game, 0, legal([]), NAMES, say)).toBe("The match is over");
  });
});
