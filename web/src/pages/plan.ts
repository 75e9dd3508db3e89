// What the form of a new table begins with and remembers. Knows no field of it.

import { create } from "@bufbuild/protobuf";
import type { Chair, Plan, Sitter } from "../game/creating";
import { BotLevel } from "../gen/mextrain/v1/game_pb";
import { type RuleSet, RuleSetSchema } from "../gen/mextrain/v1/rule_set_pb";

const STORED_NAME = "mextrain.name";
const STORED_PLAN = "mextrain.plan";

export const SITTERS: readonly Sitter[] = [
  "me",
  "friend",
  BotLevel.RANDOM,
  BotLevel.GREEDY,
  BotLevel.PLANNER,
];

const BOT_NAMES = [
  "Bea",
  "Carl",
  "Dora",
  "Emil",
  "Frida",
  "Gus",
  "Hanna",
  "Ivo",
  "Jule",
  "Karl",
  "Lotte",
  "Mats",
  "Nell",
  "Otto",
];

/** The plan of the last table that this tab opened, or one to play at once. */
export function firstPlan(): Plan {
  try {
    const plan = JSON.parse(sessionStorage.getItem(STORED_PLAN) ?? "null") as Plan | null;
    if (Array.isArray(plan?.chairs))
      return { ...plan, overrides: create(RuleSetSchema, plan.overrides) };
  } catch {
    // What is stored is of another page, or of an older one.
  }
  return quickPlan();
}

export function storePlan(plan: Plan): void {
  sessionStorage.setItem(STORED_PLAN, JSON.stringify(plan));
}

function quickPlan(): Plan {
  return {
    preset: "modern",
    overrides: create(RuleSetSchema),
    chairs: [{ sitter: "me", name: storedName() }, ...[1, 2].map((index) => botChair(index))],
    turnSeconds: 0,
    automaticDeals: false,
    spectators: true,
    forcedMoves: false,
    announce: true,
  };
}

export function botChair(index: number): Chair {
  return { sitter: BotLevel.GREEDY, name: botName(index) };
}

export function botName(index: number): string {
  return BOT_NAMES[(index + BOT_NAMES.length - 1) % BOT_NAMES.length] ?? "";
}

/** The chairs, as many as there are to be. */
export function withPlayers(chairs: readonly Chair[], players: number): readonly Chair[] {
  return Array.from({ length: players }, (_, index) => chairs[index] ?? botChair(index));
}

/** The chairs after somebody else sits on one; there is one of me at most. */
export function withSitter(
  chairs: readonly Chair[],
  index: number,
  sitter: Sitter,
): readonly Chair[] {
  return chairs.map((chair, at) => {
    if (at === index) return { sitter, name: nameFor(sitter, index) };
    return sitter === "me" && chair.sitter === "me" ? botChair(at || 1) : chair;
  });
}

function nameFor(sitter: Sitter, index: number): string {
  if (sitter === "me") return storedName();
  return sitter === "friend" ? "" : botName(index || BOT_NAMES.length);
}

export function withOverride(plan: Plan, change: Partial<RuleSet>): Plan {
  return { ...plan, overrides: { ...plan.overrides, ...change } };
}

export function storedName(): string {
  return localStorage.getItem(STORED_NAME) ?? "";
}

export function storeName(name: string): void {
  localStorage.setItem(STORED_NAME, name);
}
