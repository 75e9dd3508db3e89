// A table to try the board and the hand at: keeps what is picked up, writes down what is asked for.

import { cleanup, configure, render } from "@testing-library/preact";
import { useState } from "preact/hooks";
import { movesOf, played, type SceneName, sceneOf } from "../../../gallery/scenes";
import { en } from "../../i18n/en";
import { translator } from "../../i18n/translate";
import { Board } from "../Board";
import { Hand } from "../Hand";
import { tileKey } from "../tiles";
import type { Selection, TrainName } from "../types";

// A machine that is busy with other things is no reason to fail.
configure({ asyncUtilTimeout: 20_000 });

/** What the table asked its page for, in order: `play 12-5 0`, `refused 3-1 null`, `draw`. */
export type Asked = string[];

/** Puts a scene on the page; whatever was there before is gone. */
export function stage(name: SceneName, manner: Manner = {}): Asked {
  cleanup();
  const asked: Asked = [];
  render(<Table name={name} asked={asked} {...manner} />);
  return asked;
}

interface Manner {
  /** A move is on its way. */
  readonly busy?: boolean;
  /** Tiles that are laid are then there. */
  readonly plays?: boolean;
}

interface TableProps extends Manner {
  readonly name: SceneName;
  readonly asked: Asked;
}

function Table({ name, asked, busy = false, plays = false }: TableProps) {
  const [{ game: dealt, names, recent }] = useState(() => sceneOf(name));
  const [game, setGame] = useState(dealt);
  const { moves, unplayable } = movesOf(game);
  const [selection, select] = useState<Selection>(null);
  const props = {
    game,
    names,
    moves,
    busy,
    selection,
    suggestion: null,
    t: translator("en", en),
    onSelect: select,
    onPlay: (tile: NonNullable<Selection>, train: TrainName) => {
      asked.push(`play ${tileKey(tile)} ${train}`);
      select(null);
      if (plays) setGame(played(game, tile, train));
    },
    onRefused: (tile: NonNullable<Selection>, train: unknown) => {
      asked.push(`refused ${tileKey(tile)} ${train}`);
    },
  };
  return (
    <>
      <Board {...props} recent={recent} onDraw={() => asked.push("draw")} />
      <Hand {...props} unplayable={unplayable} />
    </>
  );
}
