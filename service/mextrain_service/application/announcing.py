"""How news gets into the feed of a platform, also when the worker dies that made it.

Before a change that brings news is committed, a promise to tell of it is written down; when it has
been told, the promise is taken back. What is promised and not told in time, any worker looks up in
the game's log and tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from mextrain_service.application.answers import TableEvent
from mextrain_service.application.delta import Delta
from mextrain_service.application.feeds import Feed, OutboxEntry
from mextrain_service.application.history import replayed
from mextrain_service.application.model import HostedGame
from mextrain_service.application.news import GameNews, NewsKind, news_of
from mextrain_service.application.ports import (
    Clock,
    GameNotFoundError,
    GameStore,
    LogPosition,
    StoreError,
    StoreUnavailableError,
)
from mextrain_service.application.refused import HistoryGoneError

PROMISES_AT_ONCE = 50
"""Promises that are claimed together; a worker that dies with them leaves them to the others."""


class Announcer:
    """Tells the feed what happens to games."""

    def __init__(self, store: GameStore, feed: Feed, clock: Clock) -> None:
        self._store = store
        self._feed = feed
        self._clock = clock
        self._telling: set[asyncio.Task[None]] = set()

    async def note(self, delta: Delta) -> None:
        """Promise to tell what a commit brings, before it is made.

        Raises:
            StoreUnavailableError: it may not be promised, so the game must not be stored either.
        """
        await self._feed.promise(_promise(delta), self._clock.now_ms())

    def committed(self, delta: Delta, events: Iterable[TableEvent]) -> None:
        """Tell what a commit brought, beside all that the caller goes on with.

        Args:
            delta: what it changed.
            events: what happened, in order, unredacted.
        """
        after = delta.after
        news = [] if delta.before is not None else [_created(after)]
        news += news_of(after.game_id, events, after.updated_ms)
        self._tell(_promise(delta), news)

    async def note_deletion(self, promise: OutboxEntry) -> None:
        """Promise to tell that a game was deleted, before it is."""
        await self._feed.promise(promise, self._clock.now_ms())

    def deleted(self, promise: OutboxEntry) -> None:
        """Tell that a game was deleted."""
        self._tell(promise, [self._deletion(promise)])

    async def keep_promises(self, first_partition: int = 0) -> int:
        """Tell everything that is promised and overdue; return how many promises that were.

        Args:
            first_partition: where to begin, so that workers do not all go the same way.

        Raises:
            StoreUnavailableError: the promises cannot be read.
        """
        kept = 0
        for at in range(self._feed.partitions):
            partition = (first_partition + at) % self._feed.partitions
            now_ms = self._clock.now_ms()
            for promise in await self._feed.overdue(partition, now_ms, PROMISES_AT_ONCE):
                await self._feed.tell(promise, await self._found(promise))
                kept += 1
        return kept

    async def finish(self) -> None:
        """Return when everything was told, or is left to others."""
        while self._telling:
            await asyncio.wait(self._telling)

    def _tell(self, promise: OutboxEntry, news: Sequence[GameNews]) -> None:
        telling = asyncio.create_task(self._tell_if_it_can_be(promise, news))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _tell_if_it_can_be(self, promise: OutboxEntry, news: Sequence[GameNews]) -> None:
        try:
            await self._feed.tell(promise, news)
        except StoreUnavailableError:
            return  # the promise stands, and somebody keeps it

    async def _found(self, promise: OutboxEntry) -> Sequence[GameNews]:
        """Return what became of a change, as the game's log tells it."""
        deletes = promise.before == promise.after
        try:
            reading = await self._store.read_on(promise.game_id, LogPosition())
        except GameNotFoundError:
            return [self._deletion(promise)] if deletes else []
        except StoreUnavailableError:
            raise
        except StoreError:
            return []
        if deletes or reading is None or reading.entries is None:
            return []
        try:
            events = await replayed(reading.game, reading.entries[: promise.after])
        except HistoryGoneError:
            return []
        fresh = [each for each in events if each.version > max(0, promise.before)]
        news = [_created(reading.game)] if promise.before < 0 else []
        return [*news, *news_of(promise.game_id, fresh, reading.game.updated_ms)]

    def _deletion(self, promise: OutboxEntry) -> GameNews:
        now_ms = self._clock.now_ms()
        return GameNews(NewsKind.DELETED, promise.game_id, promise.after, now_ms)


def _promise(delta: Delta) -> OutboxEntry:
    before, after = delta.before, delta.after
    reached = _NOT_YET if before is None else before.version
    return OutboxEntry(after.platform_id, after.game_id, reached, after.version)


def _created(game: HostedGame) -> GameNews:
    return GameNews(NewsKind.CREATED, game.game_id, 0, game.created_ms)


_NOT_YET = -1
"""The version of a game before it is created."""
