"""A platform that reads the news of all its games, leaves at random and comes back."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import feed_pb2, game_service_pb2, watch_pb2

from tests.soak.tally import SoakFault
from tests.soak.wandering import Wanderer, wander

_HEARTBEAT: Final = Duration(seconds=1)
_CATCH_UP_S: Final = 60.0

Item = tuple[str, str, int]
"""A game, a kind of news and the number of a round; 0 where it is of none."""


class Newsreader:
    """Follows the feed of a platform by its cursor.

    Attributes:
        expected: what must be told at least once.
        told: what was told, as often as it was.
    """

    def __init__(self, who: Wanderer, expected: set[Item]) -> None:
        self.expected = expected
        self.told: list[Item] = []
        self._who = who
        self._cursor = ""
        self._missing: set[Item] | None = None

    async def read(self) -> None:
        """Read until ``finish`` was told all that is expected.

        Raises:
            SoakFault: news was lost.
        """
        await wander(
            lambda: self._who.caller.watch("WatchGames", self._request()),
            self._hear,
            lambda: self._missing is not None and not self._missing,
            self._who,
        )

    async def finish(self, reading: asyncio.Task[None]) -> None:
        """Wait until all that is expected was told.

        Raises:
            SoakFault: it was not, within a minute.
        """
        self._missing = self.expected - set(self.told)
        # A heartbeat comes each second, with which the reader sees that nothing is missing.
        await asyncio.wait([reading], timeout=_CATCH_UP_S)
        if not reading.done():
            message = f"{len(self._missing)} news were not told: {sorted(self._missing)[:5]}"
            raise SoakFault(message)
        await reading

    def _request(self) -> Any:
        return game_service_pb2.WatchGamesRequest(
            cursor=self._cursor, heartbeat_interval=_HEARTBEAT
        )

    def _hear(self, message: Any) -> None:
        match message.WhichOneof("update"):
            case "news":
                self._hear_news(message.news)
            case "heartbeat":
                self._cursor = message.heartbeat.cursor
            case "reset":
                reason = watch_pb2.ResetReason.Name(message.reset.reason)
                raise SoakFault(f"the feed was reset: {reason}")

    def _hear_news(self, batch: feed_pb2.NewsBatch) -> None:
        for news in batch.news:
            kind = feed_pb2.NewsKind.Name(news.kind).removeprefix("NEWS_KIND_")
            item = (news.game_id, kind, news.round)
            self.told.append(item)
            if self._missing is not None:
                self._missing.discard(item)
        self._cursor = batch.cursor
