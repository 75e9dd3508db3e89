// What this browser keeps: the platform's key, links and invitations while the tab is open; the tokens of seats, because a
// seat whose token is lost is lost. Nothing of it goes anywhere but into the header of a call.

import type { Role } from "./routes";

const KEY = "mextrain.key";
const SEATS = "mextrain.seats";
const LINKS = "mextrain.links";
const INVITATIONS = "mextrain.invitations";
const MOST_GAMES = 30;

/** A seat, or a place to watch from, that this browser has the token of. */
export interface Held {
  readonly gameId: string;
  readonly role: Role;
  readonly token: string;
  /** Who plays, for a list. */
  readonly title: string;
  /** When it was last opened, in milliseconds of the epoch. */
  readonly openedAt: number;
}

/** An address that the creator of a table may hand to somebody. */
export interface Link {
  readonly role: Role;
  readonly url: string;
}

export const platformKey = {
  get: (): string => sessionStorage.getItem(KEY) ?? "",
  set: (key: string): void => sessionStorage.setItem(KEY, key),
};

export function heldSeats(): readonly Held[] {
  return read<Held[]>(localStorage, SEATS, []);
}

export function heldToken(gameId: string, role: Role): string | undefined {
  return heldSeats().find((each) => each.gameId === gameId && each.role === role)?.token;
}

/** Keeps a token, in front of all others. */
export function hold(gameId: string, role: Role, token: string, title = ""): void {
  const others = heldSeats().filter((each) => each.gameId !== gameId || each.role !== role);
  const before = heldSeats().find((each) => each.gameId === gameId && each.role === role);
  const held = { gameId, role, token, title: title || (before?.title ?? ""), openedAt: Date.now() };
  localStorage.setItem(SEATS, JSON.stringify([held, ...others].slice(0, MOST_GAMES)));
}

export function letGo(gameId: string, role: Role): void {
  const others = heldSeats().filter((each) => each.gameId !== gameId || each.role !== role);
  localStorage.setItem(SEATS, JSON.stringify(others));
}

/** The invitation to a seat that this tab was opened with, until the seat is taken. */
export function invitationTo(gameId: string, seat: number): string | undefined {
  return read<Record<string, string>>(sessionStorage, INVITATIONS, {})[`${gameId}/${seat}`];
}

export function keepInvitation(gameId: string, seat: number, invitation: string): void {
  const all = read<Record<string, string>>(sessionStorage, INVITATIONS, {});
  sessionStorage.setItem(
    INVITATIONS,
    JSON.stringify({ ...all, [`${gameId}/${seat}`]: invitation }),
  );
}

export function linksOf(gameId: string): readonly Link[] {
  return read<Record<string, Link[]>>(sessionStorage, LINKS, {})[gameId] ?? [];
}

export function keepLinks(gameId: string, links: readonly Link[]): void {
  const all = read<Record<string, readonly Link[]>>(sessionStorage, LINKS, {});
  sessionStorage.setItem(LINKS, JSON.stringify({ ...all, [gameId]: links }));
}

function read<T>(storage: Storage, name: string, otherwise: T): T {
  try {
    return (JSON.parse(storage.getItem(name) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}
