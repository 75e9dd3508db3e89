// What happened at a table, in words. Knows the contract's events; nothing of a page.

import { tileText, trainOf } from "../game/moves";
import { type Event, PassCause, SeatChange } from "../gen/mextrain/v1/event_pb";
import { RoundEnd } from "../gen/mextrain/v1/round_pb";
import type { TrainReference } from "../gen/mextrain/v1/train_pb";
import type { Translate } from "../i18n/translate";
import { listed, trainName } from "./names";

/** What a sentence needs beside its event. */
export interface Telling {
  readonly names: readonly string[];
  readonly t: Translate;
  readonly language: string;
  /** The seat of whoever reads it, if it has one. */
  readonly me: number | undefined;
}

/** Returns the sentence of an event; undefined for one that needs none. */
export function sentence({ fact }: Event, { names, t, language, me }: Telling): string | undefined {
  const name = (seat: number) => names[seat] ?? "";
  const train = (reference: TrainReference | undefined) =>
    trainName(trainOf(reference), names, t, me);
  switch (fact.case) {
    case "roundDealt":
      return t("story.dealt", { number: fact.value.number, n: fact.value.handSize });
    case "hubSought": {
      const { seat, tile } = fact.value;
      const known = { name: name(seat), tile: tileText(tile) };
      return tile ? t("story.soughtTile", known) : t("story.sought", known);
    }
    case "dealVoided":
      return t("story.voided", { number: fact.value.number });
    case "hubLaid": {
      const { seat, tile } = fact.value;
      if (seat === undefined) return t("story.hub", { tile: tileText(tile) });
      return t("story.hubBy", { name: name(seat), tile: tileText(tile) });
    }
    case "tilePlayed": {
      const { seat, tile, train: where } = fact.value;
      return t("story.laid", { name: name(seat), tile: tileText(tile), train: train(where) });
    }
    case "tileDrawn": {
      const { seat, tile, penalty } = fact.value;
      if (penalty) return t("story.penalty", { name: name(seat) });
      if (!tile) return t("story.drew", { name: name(seat) });
      return t("story.drewTile", { name: name(seat), tile: tileText(tile) });
    }
    case "turnPassed":
      return t(PASSED[fact.value.cause] ?? "story.passed", { name: name(fact.value.seat) });
    case "markerPlaced":
      return t("story.marked", { train: trainName(fact.value.seat, names, t, me) });
    case "markerRemoved":
      return t("story.unmarked", { train: trainName(fact.value.seat, names, t, me) });
    case "doubleOpened":
      return t("story.opened", { pip: fact.value.pip, train: train(fact.value.train) });
    case "doubleCovered":
      return t("story.covered", { pip: fact.value.pip, train: train(fact.value.train) });
    case "doubleReleased":
      return t("story.released", { pip: fact.value.pip, train: train(fact.value.train) });
    case "lastTileCalled":
      return t("story.called", { name: name(fact.value.seat) });
    case "lastTileMissed":
      return t("story.missed", { name: name(fact.value.seat) });
    case "wentOut":
      return t("story.out", { name: name(fact.value.seat) });
    case "roundEnded": {
      const blocked = fact.value.end === RoundEnd.BLOCKED;
      return t(blocked ? "story.blocked" : "story.roundOver", { number: fact.value.number });
    }
    case "gameEnded":
      return t("story.gameOver", { names: listed(fact.value.winners, names, language) });
    case "seatChanged": {
      const key = CHANGED[fact.value.change];
      return key && t(key, { name: name(fact.value.seat) });
    }
    case "entropyAdded":
      return t("story.entropy", { name: name(fact.value.seat) });
    default:
      // Whose turn it is stands above the table.
      return undefined;
  }
}

/** The texts that name a seat and nothing else. */
type NamedKey =
  | "story.passed"
  | "story.passedDuty"
  | "story.passedFollow"
  | "story.openingDone"
  | "story.skipped"
  | "story.claimed"
  | "story.rotated"
  | "story.resigned"
  | "story.stoodIn"
  | "story.returned"
  | "story.reassigned"
  | "story.timedOut";

const PASSED: { readonly [cause in PassCause]?: NamedKey } = {
  [PassCause.DUTY_FAILED]: "story.passedDuty",
  [PassCause.FOLLOWUP_FAILED]: "story.passedFollow",
  [PassCause.OPENING_DONE]: "story.openingDone",
  [PassCause.SKIPPED]: "story.skipped",
};

const CHANGED: { readonly [change in SeatChange]?: NamedKey } = {
  [SeatChange.CLAIMED]: "story.claimed",
  [SeatChange.TOKEN_ROTATED]: "story.rotated",
  [SeatChange.RESIGNED]: "story.resigned",
  [SeatChange.STOOD_IN]: "story.stoodIn",
  [SeatChange.RETURNED]: "story.returned",
  [SeatChange.REASSIGNED]: "story.reassigned",
  [SeatChange.TIMED_OUT]: "story.timedOut",
};
