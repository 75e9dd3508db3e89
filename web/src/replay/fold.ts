// Makes the table at every version out of what happened, as everyone may know it. Knows no rule: what
// an event does not tell, such as what a double still asks of its layer, is left at nothing.

import { create } from "@bufbuild/protobuf";
import type { TrainName } from "../board/types";
import { trainOf } from "../game/moves";
import type { Event } from "../gen/mextrain/v1/event_pb";
import { Owed, type Round, RoundSchema } from "../gen/mextrain/v1/round_pb";
import { type Train, type TrainReference, TrainSchema } from "../gen/mextrain/v1/train_pb";
import { Phase, type View, ViewSchema } from "../gen/mextrain/v1/view_pb";

/** The table before anything happened. */
export function beginning(seats: number, totalRounds: number): View {
  return create(ViewSchema, {
    phase: Phase.AWAITING_DEAL,
    totalRounds,
    totals: Array.from({ length: seats }, () => 0),
  });
}

/** The table after one more event. Neither the view nor anything in it is changed. */
export function after(view: View, event: Event): View {
  const { fact } = event;
  const next = { ...view, version: event.version };
  switch (fact.case) {
    case "roundDealt":
      return { ...next, phase: Phase.PLAYING, round: dealt(view.totals.length, fact.value) };
    case "hubLaid":
      return inRound(next, (round) => hubLaid(round, fact.value.tile?.high ?? 0, fact.value.seat));
    case "hubSought":
      return fact.value.returned ? next : inRound(next, (round) => drawn(round, fact.value.seat));
    case "turnStarted":
      return inRound(next, (round) => turnStarted(round, fact.value.seat, fact.value.first));
    case "tilePlayed":
      return inRound(next, (round) => tilePlayed(round, fact.value));
    case "tileDrawn":
      return inRound(next, (round) => drawn(round, fact.value.seat));
    case "markerPlaced":
      return inRound(next, (round) => onTrain(round, fact.value.seat, { marked: true }));
    case "markerRemoved":
      return inRound(next, (round) => onTrain(round, fact.value.seat, { marked: false }));
    case "doubleOpened":
      return inRound(next, (round) => doubleOpened(round, fact.value.train));
    case "doubleCovered":
    case "doubleReleased":
      return inRound(next, (round) => doubleClosed(round, fact.value.train));
    case "lastTileCalled":
      return inRound(next, (round) => ({ ...round, called: [...round.called, fact.value.seat] }));
    case "roundEnded":
      return inRound(
        { ...next, phase: Phase.AWAITING_DEAL, totals: added(view.totals, fact.value.points) },
        ({ turn: _, ...round }) => round,
      );
    case "gameEnded":
      return { ...next, phase: Phase.FINISHED };
    default:
      return next;
  }
}

function inRound(view: View, change: (round: Round) => Round): View {
  return view.round ? { ...view, round: change(view.round) } : view;
}

interface Dealt {
  readonly number: number;
  readonly handSize: number;
  readonly boneyardCount: number;
}

function dealt(seats: number, { number, handSize, boneyardCount }: Dealt): Round {
  return create(RoundSchema, {
    number,
    boneyardCount,
    owed: Owed.NOTHING,
    handCounts: Array.from({ length: seats }, () => handSize),
  });
}

function hubLaid(round: Round, hub: number, seat: number | undefined): Round {
  const seats = round.handCounts.length;
  const trains = Array.from({ length: seats + 1 }, (_, index) =>
    create(TrainSchema, { train: referenceTo(index < seats ? index : "mexican"), pips: [hub] }),
  );
  const held = seat === undefined ? round : { ...round, handCounts: changed(round, seat, -1) };
  return { ...held, hub, trains };
}

function turnStarted(round: Round, seat: number, first: boolean): Round {
  const starter = round.turn === undefined ? seat : round.starter;
  return { ...round, starter, turn: seat, firstTurn: first, drawn: 0, laid: 0 };
}

interface Played {
  readonly seat: number;
  readonly train?: TrainReference | undefined;
  readonly end: number;
}

function tilePlayed(round: Round, { seat, train, end }: Played): Round {
  const name = trainOf(train);
  const pips = trainAt(round, name)?.pips ?? [];
  const laid = onTrain(round, name, { pips: [...pips, end] });
  return { ...laid, laid: round.laid + 1, handCounts: changed(round, seat, -1) };
}

function drawn(round: Round, seat: number): Round {
  return {
    ...round,
    drawn: round.drawn + 1,
    boneyardCount: Math.max(0, round.boneyardCount - 1),
    handCounts: changed(round, seat, +1),
    called: round.called.filter((each) => each !== seat),
  };
}

function doubleOpened(round: Round, train: TrainReference | undefined): Round {
  const opened = onTrain(round, trainOf(train), { openDouble: true });
  return train ? { ...opened, openDoubles: [...round.openDoubles, train] } : opened;
}

function doubleClosed(round: Round, train: TrainReference | undefined): Round {
  const name = trainOf(train);
  const closed = onTrain(round, name, { openDouble: false });
  return { ...closed, openDoubles: round.openDoubles.filter((each) => trainOf(each) !== name) };
}

function onTrain(round: Round, name: TrainName, change: Partial<Train>): Round {
  const index = name === "mexican" ? round.trains.length - 1 : name;
  const train = round.trains[index];
  return train ? { ...round, trains: round.trains.with(index, { ...train, ...change }) } : round;
}

function trainAt(round: Round, name: TrainName): Train | undefined {
  return name === "mexican" ? round.trains.at(-1) : round.trains[name];
}

function referenceTo(name: TrainName) {
  return name === "mexican"
    ? { train: { case: "mexican" as const, value: true } }
    : { train: { case: "seat" as const, value: name } };
}

function changed(round: Round, seat: number, by: number): number[] {
  return round.handCounts.with(seat, (round.handCounts[seat] ?? 0) + by);
}

function added(totals: readonly number[], points: readonly number[]): number[] {
  return totals.map((total, seat) => total + (points[seat] ?? 0));
}
