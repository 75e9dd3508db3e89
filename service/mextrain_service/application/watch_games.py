"""Use case: hear what happens to all games of a platform, from any cursor on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.callers import Caller, PlatformCaller
from mextrain_service.application.feeds import CursorMalformedError, Feed, FeedPage
from mextrain_service.application.model import PlatformId
from mextrain_service.application.news import GameNews
from mextrain_service.application.ports import ChangeNotifier, Clock, StoreUnavailableError
from mextrain_service.application.refused import (
    UNAUTHENTICATED,
    FieldViolation,
    InvalidRequestError,
    Refused,
)
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.watching import ResetReason

_NEWS_OF_A_MESSAGE = 200
_PAUSE_S = 0.5
_MS = 1_000


@dataclass(frozen=True, slots=True)
class WatchGamesQuery:
    """What is asked.

    Attributes:
        cursor: what the watcher has heard up to; empty to begin with the oldest that is kept.
        heartbeat_s: how long the stream may be silent, in seconds; None leaves it to the host.
    """

    cursor: str = ""
    heartbeat_s: float | None = None


@dataclass(frozen=True, slots=True)
class NewsTold:
    """What happened up to a cursor.

    Attributes:
        news: what happened.
        cursor: what to resume after.
    """

    news: tuple[GameNews, ...]
    cursor: str


@dataclass(frozen=True, slots=True)
class FeedReset:
    """News was lost; what is still kept of it follows.

    Attributes:
        reason: why.
        cursor: what to resume after.
    """

    reason: ResetReason
    cursor: str


@dataclass(frozen=True, slots=True)
class FeedHeartbeat:
    """A sign that nothing has happened.

    Attributes:
        cursor: what to resume after.
        server_time_ms: when it was sent, in milliseconds since the epoch.
    """

    cursor: str
    server_time_ms: int


FeedUpdate = NewsTold | FeedReset | FeedHeartbeat
"""One message of the feed."""


class WatchGames:
    """Lets platforms hear of their games."""

    def __init__(
        self, feed: Feed, clock: Clock, notifier: ChangeNotifier, streams: OpenStreams
    ) -> None:
        self._feed = feed
        self._clock = clock
        self._notifier = notifier
        self._streams = streams

    @asynccontextmanager
    async def __call__(self, caller: Caller, query: WatchGamesQuery) -> AsyncIterator[FeedWatch]:
        """Open a watch; it is over when the context closes, and never by itself.

        Raises:
            Refused: ``PERMISSION_DENIED`` or ``UNAUTHENTICATED``, the caller is no platform.
            InvalidRequestError: the cursor is none, or there are no heartbeats at such intervals.
            Refused: ``TOO_MANY_WATCHERS`` or ``SHUTTING_DOWN``, this worker takes no more.
        """
        require_allowed(caller, Action.WATCH_GAMES)
        if not isinstance(caller, PlatformCaller):
            raise Refused(UNAUTHENTICATED)
        heartbeat_s = self._streams.heartbeat_s(query.heartbeat_s)
        watch = FeedWatch(
            caller.platform_id, query.cursor, self._feed, self._clock, self._streams, heartbeat_s
        )
        with (
            self._streams.admitted(Action.WATCH_GAMES.value),
            self._streams.counted_for(caller.platform_id),
            self._streams.woken(watch.wake),
            self._notifier.of_feed(caller.platform_id, watch.wake),
        ):
            yield watch


class FeedWatch:
    """One watcher of a platform's feed."""

    def __init__(
        self,
        platform_id: PlatformId,
        cursor: str,
        feed: Feed,
        clock: Clock,
        streams: OpenStreams,
        heartbeat_s: float,
    ) -> None:
        self._platform_id = platform_id
        self._cursor = cursor
        self._feed = feed
        self._clock = clock
        self._streams = streams
        self._heartbeat_s = heartbeat_s
        self._woken = asyncio.Event()
        self._begun = False

    def wake(self) -> None:
        """Look for news: there may be some."""
        self._woken.set()

    async def more(self) -> Sequence[FeedUpdate]:
        """Return what is next, at least one update; wait for it if need be.

        Raises:
            InvalidRequestError: the cursor is none of this feed.
            Refused: ``SHUTTING_DOWN``, this worker is about to stop.
            StoreUnavailableError: the store is away, and stays away.
        """
        heartbeat_due = asyncio.get_running_loop().time() + self._heartbeat_s
        while True:
            self._streams.require_open()
            self._woken.clear()
            page = await self._read()
            begun, self._begun = self._begun, True
            self._cursor = page.cursor
            found = self._told(page)
            if found:
                return found
            if not begun or not await self._woken_by(heartbeat_due):
                return (FeedHeartbeat(self._cursor, self._clock.now_ms()),)

    async def _read(self) -> FeedPage:
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._streams.settings.patience_s
        while True:
            try:
                return await self._feed.read(
                    self._platform_id, self._cursor, _NEWS_OF_A_MESSAGE, resumes=not self._begun
                )
            except CursorMalformedError:
                accepted = "invalid cursor; use the cursor of a message of this feed"
                violation = FieldViolation("cursor", "MALFORMED", accepted)
                raise InvalidRequestError([violation]) from None
            except StoreUnavailableError:
                if not self._begun or loop.time() > give_up:
                    raise
                await asyncio.sleep(_PAUSE_S)

    def _told(self, page: FeedPage) -> Sequence[FeedUpdate]:
        updates: list[FeedUpdate] = []
        if page.gap:
            updates.append(FeedReset(ResetReason.HISTORY_GONE, page.begun_at))
        if page.news:
            self._measure(page.news)
            updates.append(NewsTold(page.news, page.cursor))
        return updates

    def _measure(self, news: Sequence[GameNews]) -> None:
        if self._begun:
            lag_ms = self._clock.now_ms() - min(each.time_ms for each in news)
            self._streams.meter.delivered(Action.WATCH_GAMES.value, max(0, lag_ms) / _MS)

    async def _woken_by(self, heartbeat_due: float) -> bool:
        """Wait for a hint, or until it is time to look without one; false when silence is over."""
        loop = asyncio.get_running_loop()
        reread = loop.time() + self._streams.settings.reread_s
        try:
            async with asyncio.timeout_at(min(heartbeat_due, reread)):
                await self._woken.wait()
        except TimeoutError:
            return reread < heartbeat_due
        return True
