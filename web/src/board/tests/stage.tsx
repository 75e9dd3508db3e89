// A table to try the board and the hand at: keeps what is picked up, writes down what is asked for.

import { cleanup, configure, render } from "@testing-library/preact";
import { useState } from "preact/hooks";
import { movesOf, type SceneName, sceneOf } from "../../../gallery/scenes";
import { en } from "../../i18n/en";
import { translator } from "../../i18n/translate";
import { Board } from "../Board";
import { Hand } from "../Hand";
import { tileKey } from "../tiles";
import type { Selection } from "../types";

// A machine that is busy with other things is no reason to fail.
configure({ asyncUtilTimeout: 20_000 });

/** What the table asked its page for, in order: `play 12-5 0`, `refused 3-1 null`, `draw`. */
export type Asked = string[];

/** Puts a scene on the page; whatever was there before is gone. */
export function stage(name: SceneName, options: { readonly busy?: boolean } = {}): Asked {
  cleanup();
  const asked: Asked = [];
  render(<Table name={name} asked={asked} busy={options.busy ?? false} />);
  return asked;
}

interface TableProps {
  readonly name: SceneName;
  readonly asked: Asked;
  readonly busy: boolean;
}

function Table({ name, asked, busy }: TableProps) {
  const { game, names, recent } = sceneOf(name);
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
    onPlay: (tile: NonNullable<Selection>, train: unknown) => {
      asked.push(`play ${tileKey(tile)} ${train}`);
      select(null);
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
