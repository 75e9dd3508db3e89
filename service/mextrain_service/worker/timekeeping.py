"""Keeps a worker's time that of the store, and looks whether the store answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import structlog
from prometheus_client import CollectorRegistry, Gauge

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage.keys import BORDERS
from mextrain_service.storage.outages import PLACES, store_time_ms
from mextrain_service.worker.clock import GameClock, StoreClock, SystemClock
from mextrain_service.worker.recurring import recurring

if TYPE_CHECKING:
    from mextrain_service.application.outages import Span
    from mextrain_service.storage.connection import RedisCommands
    from mextrain_service.storage.outages import RedisOutages

_INTERVAL_S: Final = 0.5
"""The pause between two looks."""

_PATIENCE_S: Final = 30.0
"""How long the place that time is taken from may be away before another one is asked."""

_WRONG_S: Final = 2.0
"""How far the machine's clock may be from the store's before the log says so."""

_WARN_EVERY_S: Final = 60.0

_MS: Final = 1_000


class Timekeeper:
    """What knows the time of a worker.

    Attributes:
        store_clock: the store's time.
        clock: that, with the outages of each game.
    """

    def __init__(
        self, client: RedisCommands, outages: RedisOutages, registry: CollectorRegistry
    ) -> None:
        """Take the way to the store, what is known of its outages, and where metrics go."""
        self.store_clock = StoreClock(SystemClock())
        self.clock = GameClock(self.store_clock, outages)
        self._client = client
        self._outages = outages
        self._begun = False
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._found: set[Span] = set()
        self._warned_s = float("-inf")
        self._log = structlog.get_logger("mextrain.time")
        skew = Gauge(
            "mextrain_clock_skew_seconds",
            "How far this machine's clock is ahead of the store's; games go by the store's.",
            registry=registry,
        )
        skew.set_function(self.store_clock.skew_s)

    async def begin(self) -> None:
        """Learn the time and the outages, once; before that, no call is to be taken.

        Raises:
            StoreUnavailableError: the store does not tell the time.
        """
        if self._begun:
            return
        await self._learn_time()
        for _ in range(2):  # what the first one finds, the second one writes down
            looks = [self._look(border) for border in range(BORDERS)]
            await asyncio.gather(*looks)
        self._begun = True

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Keep time as long as the context is open."""
        try:
            async with recurring("time", _INTERVAL_S, self._round):
                yield
        finally:
            under_way = list(self._under_way.values())
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _round(self) -> None:
        """Ask for the time, and look at every border; one that is slow keeps no other waiting."""
        if not self._begun:
            return
        self._tell()
        self._start(-1, self._learn_time_if_it_can_be())
        for border in range(BORDERS):
            if border not in self._under_way:
                self._start(border, self._look(border))

    def _start(self, name: int, work: Coroutine[Any, Any, None]) -> None:
        if name in self._under_way:
            work.close()
            return
        task = asyncio.create_task(work)
        self._under_way[name] = task
        task.add_done_callback(lambda ended: self._end(name, ended))

    def _end(self, name: int, ended: asyncio.Task[None]) -> None:
        del self._under_way[name]
        if not ended.cancelled() and (fault := ended.exception()) is not None:
            self._log.error("the store cannot be looked at", exc_info=fault)

    async def _look(self, border: int) -> None:
        with suppress(StoreUnavailableError):  # that is what an outage is
            found = await self._outages.look(border, self.store_clock)
            if found is not None:
                self._found.add(found)

    async def _learn_time_if_it_can_be(self) -> None:
        with suppress(StoreUnavailableError):
            await self._learn_time()

    async def _learn_time(self) -> None:
        """Learn the time from the first place that answers.

        Raises:
            StoreUnavailableError: the first place is away, and may be so for a while yet; or all
                of them are.
        """
        places = PLACES if self.store_clock.age_s() > _PATIENCE_S else PLACES[:1]
        for place in places:
            sent_s = time.monotonic()
            try:
                store_ms = await store_time_ms(self._client, place)
            except StoreUnavailableError:
                if place == places[-1]:
                    raise
            else:
                self.store_clock.learn(sent_s, time.monotonic(), store_ms)
                return

    def _tell(self) -> None:
        """Write to the log what operators should know."""
        if self._found:
            begin_ms = min(begin for begin, _ in self._found)
            end_ms = max(end for _, end in self._found)
            self._found.clear()
            self._log.warning(
                "nobody could play for a while; that time does not count",
                seconds=(end_ms - begin_ms) / _MS,
            )
        skew_s, now_s = self.store_clock.skew_s(), time.monotonic()
        if abs(skew_s) > _WRONG_S and now_s - self._warned_s > _WARN_EVERY_S:
            self._warned_s = now_s
            self._log.warning("this machine's clock is wrong, or the store's is", seconds=skew_s)
