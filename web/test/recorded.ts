// Rounds that a real service played, written down by tests/web/recorded.py.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Event, EventSchema } from "../src/gen/mextrain/v1/event_pb";
import { type Game, GameSchema } from "../src/gen/mextrain/v1/game_pb";
import { type View, ViewSchema } from "../src/gen/mextrain/v1/view_pb";

export interface Recorded {
  readonly name: string;
  /** The game after its only round, as seat 0 sees it. */
  readonly game: Game;
  /** All that happened, as seat 0 knows it. */
  readonly events: readonly Event[];
  /** What seat 0 was shown after each of its moves. */
  readonly views: readonly View[];
}

const FOLDER = join(import.meta.dirname, "data");

interface Written {
  readonly game: JsonValue;
  readonly events: readonly JsonValue[];
  readonly views: readonly JsonValue[];
}

export const ROUNDS: readonly Recorded[] = readdirSync(FOLDER).map((file) => {
  const written = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Written;
  return {
    name: file.replace(".json", ""),
    game: fromJson(GameSchema, written.game),
    events: written.events.map((each) => fromJson(EventSchema, each)),
    views: written.views.map((each) => fromJson(ViewSchema, each)),
  };
});
