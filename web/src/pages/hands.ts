// What the player has in hand beside the tiles: the picked tile, the hint, and what was said of the last
// try. Sends moves; draws nothing.

import { useEffect, useState } from "preact/hooks";
import type { Selection, TrainName } from "../board/types";
import { deal, play } from "../game/acting";
import { allows, plainMove, playMove, sameTile } from "../game/moves";
import type { Table } from "../game/table";
import type { Move, Refusal } from "../gen/mextrain/v1/move_pb";
import type { Tile } from "../gen/mextrain/v1/tile_pb";
import { say } from "../i18n";
import { type Problem, problemOf } from "../net/problem";
import { namesOf } from "../words/names";
import { problemText, refusalText } from "../words/problems";

export type Hands = ReturnType<typeof useHands>;

export function useHands(table: Table) {
  const [selection, select] = useState<Selection>(null);
  const [suggestion, suggest] = useState<Move | null>(null);
  const [callAlong, setCallAlong] = useState(false);
  const { note, clear, tell, tellRefusal } = useNote(table);

  const version = table.version;
  useEffect(() => {
    suggest(null);
    clear();
    if (!holds(table, selection)) select(null);
  }, [version]);

  async function make(...moves: Move[]) {
    clear();
    select(null);
    tell(await play(table, moves));
  }

  function lay(tile: Tile, train: TrainName) {
    const along = callAlong && table.view.value?.hand.length === 2;
    void make(playMove(tile, train), ...(along ? [plainMove("callLastTile")] : []));
  }

  function plain(kind: Parameters<typeof plainMove>[0]) {
    if (allows(table.legal.value.moves, kind)) void make(plainMove(kind));
  }

  /** Says why a tile cannot go there: as the service listed it, or by asking it. */
  function refuse(tile: Tile, train: TrainName | null) {
    const { unplayable, refusal } = table.legal.value;
    const listed = unplayable.find((each) => sameTile(each.tile, tile))?.refusal ?? refusal;
    if (listed) tellRefusal(listed);
    else if (train !== null) void make(playMove(tile, train));
  }

  async function hint() {
    try {
      const { move, refusal } = await table.service.suggestMove({ gameId: table.gameId });
      suggest(move ?? null);
      if (refusal) tellRefusal(refusal);
    } catch (error) {
      tell(problemOf(error));
    }
  }

  return {
    selection,
    suggestion,
    note,
    clear,
    tell,
    callAlong,
    setCallAlong,
    select,
    lay,
    refuse,
    hint,
    draw: () => plain("drawTile"),
    pass: () => plain("passTurn"),
    call: () => plain("callLastTile"),
    deal: async () => tell(await deal(table)),
  };
}

/** What was said of the last try, in words. */
function useNote(table: Table) {
  const [note, setNote] = useState("");
  const names = () => (table.game.value ? namesOf(table.game.value, say) : []);
  return {
    note,
    clear: () => setNote(""),
    tell: (problem: Problem | undefined) =>
      setNote(problem ? problemText(problem, names(), say, table.seat) : ""),
    tellRefusal: (refusal: Refusal) => setNote(refusalText(refusal, names(), say, table.seat)),
  };
}

function holds(table: Table, tile: Selection): boolean {
  return tile !== null && (table.view.value?.hand ?? []).some((held) => sameTile(held, tile));
}
