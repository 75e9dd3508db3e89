// Why something did not work, in words: from the reason and the facts that the service gives. Its own
// sentence, in English, is the last resort.

import { ErrorReason } from "../gen/mextrain/v1/error_reason_pb";
import type { Refusal } from "../gen/mextrain/v1/move_pb";
import { en } from "../i18n/en";
import type { Key, Translate } from "../i18n/translate";
import type { Problem } from "../net/problem";
import { trainName } from "./names";

type Loose = (key: Key, values: Readonly<Record<string, string | number>>) => string;

/** Says why a call failed; `names` are those of the seats, if there is a table, `me` its reader's. */
export function problemText(
  problem: Problem,
  names: readonly string[],
  t: Translate,
  me?: number,
): string {
  const { reason, facts, message, fields } = problem;
  const told = known(`problem.${reason}`) ?? known(`refusal.${reason}`);
  if (!told) return t("problem.other", { message });
  const text = (t as Loose)(told, valuesOf(facts, names, t, me));
  return [text, ...fields.map(({ description }) => description)].join(" ");
}

/** Says why the rules refuse a move. */
export function refusalText(
  refusal: Refusal,
  names: readonly string[],
  t: Translate,
  me?: number,
): string {
  const told = known(`refusal.${ErrorReason[refusal.reason]}`);
  return told ? (t as Loose)(told, valuesOf(refusal.facts, names, t, me)) : refusal.message;
}

function known(key: string): Key | undefined {
  return key in en ? (key as Key) : undefined;
}

/** The facts under the names that the texts use. */
function valuesOf(
  facts: Readonly<Record<string, string>>,
  names: readonly string[],
  t: Translate,
  me: number | undefined,
): Record<string, string | number> {
  const { train, turn, plays } = facts;
  return {
    ...facts,
    ...(train === undefined ? {} : { train: trainName(seatOf(train), names, t, me) }),
    ...(turn === undefined ? {} : { name: names[Number(turn)] ?? "" }),
    ...(plays === undefined ? {} : { n: Number(plays) }),
  };
}

function seatOf(train: string) {
  return train === "M" ? "mexican" : Number(train);
}
