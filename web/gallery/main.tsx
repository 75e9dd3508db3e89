// The gallery: every scene of the board on a page of its own, to be looked at. For development only, no
// part of what is built. Choose by the address: ?scene=four-mid&theme=dark&pick=12-5&lang=fi

import { render } from "preact";
import { useState } from "preact/hooks";
import { Board } from "../src/board/Board";
import { Hand } from "../src/board/Hand";
import type { Selection } from "../src/board/types";
import { en } from "../src/i18n/en";
import { translator } from "../src/i18n/translate";
import { movesOf, played, SCENES, type SceneName, sceneOf } from "./scenes";
import "../src/styles/tokens.css";
import "./gallery.css";

const asked = new URLSearchParams(location.search);
const t = translator("en", en);

function Gallery() {
  return (
    <ul>
      {SCENES.map((name) => (
        <li key={name}>
          <a href={`?scene=${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

function Table({ name }: { readonly name: SceneName }) {
  const [scene] = useState(() => sceneOf(name));
  const [game, setGame] = useState(scene.game);
  const [selection, select] = useState<Selection>(() => picked(scene.game));
  const [said, say] = useState("");
  const { moves, unplayable } = movesOf(game);
  const props = {
    game,
    moves,
    names: scene.names,
    selection,
    busy: false,
    marks: asked.has("numerals") ? ("numerals" as const) : ("pips" as const),
    suggestion: asked.has("hint") ? (moves[0] ?? null) : null,
    t,
    onSelect: select,
    onPlay: (
      ...[tile, train]: Parameters<typeof played> extends [unknown, ...infer Rest] ? Rest : never
    ) => {
      setGame(played(game, tile, train));
      select(null);
      say("");
    },
    onRefused: () => say("That tile does not go there."),
  };
  return (
    <main class="gallery">
      <header>
        Mextrain · {name} <output>{said}</output>
      </header>
      <Board {...props} recent={scene.recent} onDraw={() => say("Drawn.")} />
      <div class="gallery-hand">
        <Hand {...props} unplayable={unplayable} />
      </div>
    </main>
  );
}

function picked({ view }: ReturnType<typeof sceneOf>["game"]): Selection {
  const pick = asked.get("pick");
  if (pick === "first") {
    const first = view && movesOf({ view } as Parameters<typeof movesOf>[0]).moves[0]?.action;
    return first?.case === "playTile" ? (first.value.tile ?? null) : null;
  }
  return view?.hand.find(({ high, low }) => `${high}-${low}` === pick) ?? null;
}

const root = document.getElementById("app");
const scene = SCENES.find((name) => name === asked.get("scene"));
const theme = asked.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
if (root) render(scene ? <Table name={scene} /> : <Gallery />, root);
