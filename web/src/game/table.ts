// A table as one seat or a spectator lives it: what the service last said of it. The service's view is
// the truth; nothing is guessed ahead of it, and nothing is written from here.

import { batch, computed, signal } from "@preact/signals";
import type { Event } from "../gen/mextrain/v1/event_pb";
import type { Game } from "../gen/mextrain/v1/game_pb";
import type { ListLegalMovesResponse } from "../gen/mextrain/v1/game_service_pb";
import type { Move, Refusal, UnplayableTile } from "../gen/mextrain/v1/move_pb";
import type { Score } from "../gen/mextrain/v1/score_pb";
import { Phase, type View } from "../gen/mextrain/v1/view_pb";
import type { WatchEnd } from "../gen/mextrain/v1/watch_pb";
import type { Service } from "../net/client";
import { isFinal, type Problem, problemOf } from "../net/problem";
import { backoff } from "../net/waiting";
import { type Line, type Watcher, watch } from "../net/watching";
import type { Role } from "../routes";
import { milliseconds } from "./times";

/** How many versions back the story of the table begins. */
const STORY_BEFORE = 80;
/** Events of a page, as many as there may be; so many versions have fewer. */
const STORY_EVENTS = 500;
const STORY_KEPT = 500;

/** What the caller may do, at one version. */
export interface Legal {
  readonly version: number;
  readonly moves: readonly Move[];
  readonly unplayable: readonly UnplayableTile[];
  readonly refusal: Refusal | undefined;
}

const NOTHING: Legal = { version: -1, moves: [], unplayable: [], refusal: undefined };

export class Table {
  readonly gameId: string;
  readonly role: Role;
  /** The caller's seat, 0-based; undefined for a spectator. */
  readonly seat: number | undefined;
  readonly service: Service;
  readonly closed = new AbortController();

  readonly game = signal<Game | null>(null);
  readonly score = signal<Score | null>(null);
  readonly story = signal<readonly Event[]>([]);
  readonly line = signal<Line>("connecting");
  /** Why the service will never answer this caller again. */
  readonly lost = signal<Problem | null>(null);
  readonly end = signal<WatchEnd | null>(null);
  /** A write is on its way. */
  readonly busy = signal(false);
  /** How far the clock of the service is ahead of this machine's. */
  readonly clockAheadMs = signal(0);

  readonly view = computed(() => this.game.value?.view);
  /** The caller's moves at the very version that is shown; none while they are asked for. */
  readonly legal = computed(() =>
    this.listed.value.version === this.view.value?.version ? this.listed.value : NOTHING,
  );

  private readonly listed = signal<Legal>(NOTHING);
  private told = 0;
  private reading: Promise<void> | null = null;
  private readAgain = false;

  /** @param service as the bearer of this role's token meets it */
  constructor(gameId: string, role: Role, service: Service) {
    this.gameId = gameId;
    this.role = role;
    this.seat = typeof role === "number" ? role : undefined;
    this.service = service;
  }

  /** Follows the game until `close`. */
  async follow(): Promise<void> {
    await this.refresh();
    if (this.lost.value || this.closed.signal.aborted) return;
    const cursor = await this.readStory();
    await watch(this.service, this.gameId, cursor, this.watcher, this.closed.signal);
  }

  /** Tells what happened of late; returns the cursor to watch after, empty if that cannot be told. */
  private async readStory(): Promise<string> {
    const afterVersion = Math.max(0, this.version - STORY_BEFORE);
    const request = { gameId: this.gameId, afterVersion, pageSize: STORY_EVENTS };
    try {
      const page = await this.service.listEvents(request, { signal: this.closed.signal });
      if (!page.cursor) return "";
      this.tell(page.events);
      this.told = page.version;
      return page.cursor;
    } catch {
      return "";
    }
  }

  close(): void {
    this.closed.abort();
  }

  get version(): number {
    return this.view.value?.version ?? 0;
  }

  /** Reads the table and the caller's moves anew; returns when what is shown is as late as the call. */
  refresh(): Promise<void> {
    if (this.reading) {
      this.readAgain = true;
      return this.reading;
    }
    this.reading = this.readUntilDone().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /** Takes over a game that the service answered with, unless a later one is shown already. */
  show(next: Game | undefined): void {
    if (!next || (next.view?.version ?? 0) < this.version) return;
    batch(() => {
      const now = next.view?.serverTime;
      if (now) this.clockAheadMs.value = milliseconds(now) - Date.now();
      this.game.value = next;
    });
  }

  /** As `show`, for an answer that has the view alone. */
  showView(view: View | undefined): void {
    if (this.game.value && view) this.show({ ...this.game.value, view });
  }

  /** Adds the events of an answer to the story, if nothing between was missed; else the watch will. */
  tellAfter(version: number, events: readonly Event[]): void {
    if (this.told === version) this.tell(events);
  }

  private tell(events: readonly Event[]): void {
    const news = events.filter((event) => event.version > this.told);
    const last = news.at(-1);
    if (!last) return;
    this.told = last.version;
    this.story.value = [...this.story.value, ...news].slice(-STORY_KEPT);
  }

  private async readUntilDone(): Promise<void> {
    for (let tries = 0; !this.closed.signal.aborted; ) {
      this.readAgain = false;
      try {
        await this.read();
        if (!this.readAgain) return;
        tries = 0;
      } catch (error) {
        const problem = problemOf(error);
        if (this.closed.signal.aborted) return;
        if (isFinal(problem) || !problem.passes) {
          this.lost.value = problem;
          return;
        }
        if (this.line.value !== "live")
          this.line.value = navigator.onLine ? "connecting" : "offline";
        await backoff(tries, problem.retryAfterMs, this.closed.signal);
        tries += 1;
      }
    }
  }

  private async read(): Promise<void> {
    const options = { signal: this.closed.signal };
    const request = { gameId: this.gameId };
    // Both at once where it is likely to be the caller's turn, to spare it a round trip.
    const listing = mayAct(this.view.value, this.seat)
      ? this.service.listLegalMoves(request, options)
      : undefined;
    const [{ game }, early] = await Promise.all([this.service.getGame(request, options), listing]);
    this.show(game);
    if (
      game &&
      game.results.length > 0 &&
      this.score.value?.rounds.length !== game.results.length
    ) {
      this.score.value = (await this.service.getScore(request, options)).score ?? null;
    }
    if (!mayAct(game?.view, this.seat)) return;
    this.list(early ?? (await this.service.listLegalMoves(request, options)));
  }

  private list(answer: ListLegalMovesResponse): void {
    const { version, moves, unplayableTiles: unplayable, refusal } = answer;
    this.listed.value = { version, moves, unplayable, refusal };
    if (version !== this.version) this.readAgain = true;
  }

  private readonly watcher: Watcher = {
    onBatch: (news) => {
      this.tell(news.events);
      this.told = Math.max(this.told, news.version);
      if (news.version > this.version) void this.refresh();
    },
    onReset: ({ game }) => {
      batch(() => {
        this.game.value = null;
        this.story.value = [];
        this.told = game?.view?.version ?? 0;
        this.show(game);
      });
      void this.refresh();
    },
    onHeartbeat: ({ version }) => {
      if (version > this.version) void this.refresh();
    },
    onEnd: (end) => {
      this.end.value = end;
      void this.refresh();
    },
    onLine: (line, problem) => {
      batch(() => {
        this.line.value = line;
        if (problem) this.lost.value = problem;
      });
    },
  };
}

function mayAct(view: View | undefined, seat: number | undefined): boolean {
  if (seat === undefined || view?.phase !== Phase.PLAYING) return false;
  return view.round?.turn === seat || view.round?.callDue === seat;
}
