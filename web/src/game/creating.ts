// Creates a table from what the form says, and takes a seat by an invitation. Knows no page.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  type BotLevel,
  DealBy,
  type Game,
  OnTimeout,
  type SeatSchema,
} from "../gen/mextrain/v1/game_pb";
import type { CreateGameResponse } from "../gen/mextrain/v1/game_service_pb";
import type { RuleSet } from "../gen/mextrain/v1/rule_set_pb";
import { hold, keepLinks, type Link } from "../keeping";
import { serviceFor } from "../net/client";
import type { Problem } from "../net/problem";
import { written } from "../net/writing";
import { linkTo, type Role } from "../routes";

/** Who is to sit on a seat: the one at this browser, somebody by a link, a bot. */
export type Sitter = "me" | "friend" | BotLevel.RANDOM | BotLevel.GREEDY | BotLevel.PLANNER;

export interface Chair {
  readonly sitter: Sitter;
  readonly name: string;
}

export interface Plan {
  readonly preset: string;
  readonly overrides: RuleSet;
  readonly chairs: readonly Chair[];
  /** Seconds for each turn of a person; 0 for as long as they like. */
  readonly turnSeconds: number;
  readonly automaticDeals: boolean;
  readonly spectators: boolean;
  readonly forcedMoves: boolean;
  readonly announce: boolean;
}

/** Where the creator goes, or why there is no table. */
export type Created =
  | { readonly gameId: string; readonly role: Role }
  | { readonly problem: Problem };

export async function createTable(key: string, plan: Plan): Promise<Created> {
  const service = serviceFor(key);
  const outcome = await written((requestId) =>
    service.createGame({
      preset: plan.preset,
      overrides: plan.overrides,
      seats: plan.chairs.map(seatFor),
      policy: policyOf(plan),
      requestId,
    }),
  );
  if ("problem" in outcome) return outcome;
  const { game } = outcome.answer;
  if (!game) throw new Error("a game was created and not told");
  return { gameId: game.gameId, role: keep(game, outcome.answer, plan) };
}

function seatFor({ sitter, name }: Chair): MessageInitShape<typeof SeatSchema> {
  switch (sitter) {
    case "me":
      return {
        holder: { case: "person" as const, value: { playerId: playerId(), displayName: name } },
      };
    case "friend":
      return { holder: { case: "open" as const, value: {} } };
    default:
      return { holder: { case: "bot" as const, value: { level: sitter, displayName: name } } };
  }
}

function policyOf(plan: Plan) {
  const watched = !plan.chairs.some(({ sitter }) => sitter === "me" || sitter === "friend");
  const clock = {
    time: {
      case: "perTurn" as const,
      value: create(DurationSchema, { seconds: BigInt(plan.turnSeconds) }),
    },
    onTimeout: OnTimeout.BOT,
  };
  return {
    dealBy: plan.automaticDeals || watched ? DealBy.AUTOMATIC : DealBy.SEATS,
    autoForcedMoves: plan.forcedMoves,
    autoCall: plan.announce,
    spectators: plan.spectators || watched,
    ...(plan.turnSeconds > 0 ? { clock } : {}),
  };
}

/** Keeps the tokens of the answer, and the links that the creator may hand out. */
function keep(game: Game, answer: CreateGameResponse, plan: Plan): Role {
  const { gameId } = game;
  const title = plan.chairs
    .map(({ name }) => name)
    .filter(Boolean)
    .join(", ");
  const links: Link[] = answer.invitations.map(({ seat = 0, token }) => ({
    role: seat,
    url: linkTo(gameId, seat, { invitation: token }),
  }));
  const spectator = answer.spectatorToken?.token;
  const seated = answer.seatTokens.length > 0;
  if (spectator) {
    if (!seated) hold(gameId, "watch", spectator, title);
    links.push({ role: "watch", url: linkTo(gameId, "watch", { token: spectator }) });
  }
  for (const { seat = 0, token } of answer.seatTokens) hold(gameId, seat, token, title);
  keepLinks(gameId, links);
  return answer.seatTokens[0]?.seat ?? "watch";
}

/** Takes the open seat of an invitation. Returns why not. */
export async function takeSeat(
  gameId: string,
  seat: number,
  invitation: string,
  displayName: string,
): Promise<Problem | undefined> {
  const service = serviceFor(invitation);
  const outcome = await written((requestId) =>
    service.claimSeat({ gameId, seat, displayName, requestId }),
  );
  if ("problem" in outcome) return outcome.problem;
  hold(gameId, seat, outcome.answer.seatToken?.token ?? "");
  return undefined;
}

/** An account of its own for each table: this page knows no accounts. */
function playerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `web-${btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")}`;
}
