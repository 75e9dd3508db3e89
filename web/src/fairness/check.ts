// Checks the deal of a round: the seed against its commitment, and every tile that was seen against
// the deal that follows from the seed. Trusts nothing that the service says of it.

import type { Event } from "../gen/mextrain/v1/event_pb";
import type { RoundCommitment } from "../gen/mextrain/v1/fairness_pb";
import type { Game } from "../gen/mextrain/v1/game_pb";
import { HubSource } from "../gen/mextrain/v1/rule_options_pb";
import { commitment, permutation, roundSeed } from "./deal";
import { Hands, numberOf, type Stray } from "./hands";

export type Verdict =
  | { readonly is: "pending" }
  | { readonly is: "sound"; readonly followed: number }
  | { readonly is: "wrong seed" }
  | { readonly is: "wrong tile"; readonly stray: Stray };

/** Checks one round by its commitment and the events of the whole game, as the caller knows them. */
export async function checkRound(
  game: Game,
  promised: RoundCommitment,
  events: readonly Event[],
): Promise<Verdict> {
  if (promised.seed.length === 0) return { is: "pending" };
  if (!same(await commitment(own(promised.seed)), promised.commitment)) return { is: "wrong seed" };
  const happened = eventsOfRound(events, promised.number);
  const hands = await handsOf(game, promised, happened);
  for (const event of happened) {
    const stray = hands?.follow(event);
    if (stray) return { is: "wrong tile", stray };
  }
  return { is: "sound", followed: hands?.followed ?? 0 };
}

/** The hands of a round as they were dealt; undefined while its seed or its deal is not shown. */
export async function handsOf(
  game: Game,
  promised: RoundCommitment,
  happened: readonly Event[],
): Promise<Hands | undefined> {
  const dealt = happened.find(({ fact }) => fact.case === "roundDealt")?.fact;
  if (dealt?.case !== "roundDealt" || promised.seed.length === 0) return undefined;
  const voided = happened.filter(({ fact }) => fact.case === "dealVoided").length;
  const seats = game.seats.length;
  const parts = promised.entropy.map(({ entropy }) => own(entropy));
  const seed = own(promised.seed);
  const size = setSize(game, seats);
  const order =
    voided === 0
      ? await permutation(seed, size, parts)
      : await permutation(await roundSeed(seed, voided), size);
  return new Hands(order, seats, dealt.value.handSize, hubSetAside(game, happened));
}

/** What happened from a round's first deal to the next one's. */
export function eventsOfRound(events: readonly Event[], number: number): readonly Event[] {
  const begins = ({ fact }: Event, round: number) =>
    (fact.case === "roundDealt" || fact.case === "dealVoided") && fact.value.number === round;
  const first = events.findIndex((event) => begins(event, number));
  const next = events.findIndex((event) => begins(event, number + 1));
  return first < 0 ? [] : events.slice(first, next < 0 ? undefined : next);
}

function hubSetAside({ rules }: Game, happened: readonly Event[]): number | undefined {
  if (rules?.hubSource !== HubSource.SET_ASIDE) return undefined;
  for (const { fact } of happened) {
    if (fact.case === "hubLaid" && fact.value.tile) return numberOf(fact.value.tile);
  }
  return undefined;
}

function setSize({ rules }: Game, seats: number): number {
  const step = rules?.maxPipByPlayers.find(
    ({ minPlayers, maxPlayers }) => minPlayers <= seats && seats <= maxPlayers,
  );
  const values = (step?.value ?? 12) + 1;
  return (values * (values + 1)) / 2;
}

/** The bytes alone, apart from the message that they came in. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
