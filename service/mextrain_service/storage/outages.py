"""Outages in Redis: when nobody could look at the store, found out by looking at it all the time.

Every worker looks at every border again and again. Where the answers to two looks in a row are too
far apart, from whichever worker, the time between is an outage of the partitions on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mextrain_service.application.model import MAX_CLOCK_MS, GameId
from mextrain_service.application.outages import NO_OUTAGES, Outages, Span
from mextrain_service.application.ports import WallClock
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.failures import ask_once
from mextrain_service.storage.keys import BORDERS, PARTITIONS, outages_key, partition_of
from mextrain_service.storage.lua import Script
from mextrain_service.storage.redis_store import Retention

AWAY_MS: Final = 3_000
"""The longest time between two looks that is no outage: several times what a sound worker pauses
between them, and less than a turn that anyone plays by."""

NOTED_MS: Final = 400
"""The shortest time between two looks that are written down, however many workers look."""

OUTAGES_KEPT: Final = 100
"""Outages that a border holds; beyond them, those that are the closest together become one."""

PLACES: Final = (0, 8, 16, 4, 12)
"""Borders whose masters are asked, in this order. Every worker asks the first as long as that one
answers, so that all of them go by one clock in a Cluster, too."""

_US: Final = 1_000

_LOOK = Script("look")
_TIME = Script("time")


@dataclass(slots=True)
class _Border:
    """What this worker knows of a border."""

    sent_ms: str = ""
    answered_ms: str = ""
    seen_ms: int = 0
    put_back: bool = False
    latest: str = ""
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Partition:
    """What this worker knows of a partition: of the borders on both sides."""

    seen_ms: int = 0
    outages: Outages = NO_OUTAGES


class RedisOutages:
    """When games could not be played, as far as this worker knows.

    At first it knows nothing, and no time counts.
    """

    def __init__(self, client: RedisCommands, retention: Retention | None = None) -> None:
        """Look through a client, which stays the caller's to close."""
        self._client = client
        self._kept_ms = MAX_CLOCK_MS + 1_000 * (retention or Retention()).live_ttl_s
        self._borders = [_Border() for _ in range(BORDERS)]
        self._partitions = [_Partition() for _ in range(PARTITIONS)]

    def of(self, game_id: GameId, now_ms: int) -> Outages:
        """Return when a game could not be played.

        Since the store was last seen to answer, no time counts as soon as that is too long ago.
        """
        known = self._partitions[partition_of(game_id)]
        if now_ms - known.seen_ms <= AWAY_MS:
            return known.outages
        return Outages.of((*known.outages.spans, (known.seen_ms, now_ms)))

    async def look(self, border: int, clock: WallClock) -> Span | None:
        """Look at the store once; what is found counts with the next look.

        Args:
            border: where, from 0.
            clock: the store's time.

        Returns:
            the latest outage if this worker has not known it; None else, and at its first look.

        Raises:
            StoreUnavailableError: it does not answer soon.
        """
        own, sent_ms = self._borders[border], clock.now_ms()
        bounds = (AWAY_MS, NOTED_MS, self._kept_ms, OUTAGES_KEPT)
        arguments = (own.sent_ms, own.answered_ms, *bounds, own.latest, int(own.put_back))
        keys, is_first = (outages_key(border),), not own.sent_ms
        seen, *spans = await ask_once(lambda: _LOOK.run(self._client, keys, arguments))
        answered_ms = clock.now_ms()
        own.sent_ms, own.answered_ms = str(sent_ms), str(answered_ms)
        own.seen_ms = int(seen or 0)
        own.put_back = own.seen_ms > answered_ms + AWAY_MS
        if spans:
            own.spans = _read(bytes(spans[0]).decode())
            own.latest = "-".join(map(str, own.spans[-1])) if own.spans else ""
        for partition in (border - 1, border):
            if 0 <= partition < PARTITIONS:
                self._partitions[partition] = self._between(partition, changed=bool(spans))
        return own.spans[-1] if spans and own.spans and not is_first else None

    def _between(self, partition: int, *, changed: bool) -> _Partition:
        sides = self._borders[partition : partition + 2]
        outages = self._partitions[partition].outages
        if changed:
            outages = Outages.of(span for side in sides for span in side.spans)
        return _Partition(min(side.seen_ms for side in sides), outages)


async def store_time_ms(client: RedisCommands, place: int) -> float:
    """Return milliseconds since the epoch, to the microsecond, by the clock of a server.

    Args:
        client: leads to the store.
        place: whose server, as a border.

    Raises:
        StoreUnavailableError: it does not answer soon.
    """
    seconds, rest_us = await ask_once(lambda: _TIME.run(client, (outages_key(place),)))
    return int(seconds) * 1_000 + int(rest_us) / _US


def _read(text: str) -> tuple[Span, ...]:
    pairs: list[Sequence[str]] = [span.split("-") for span in text.split(",") if span]
    return tuple((int(begin), int(end)) for begin, end in pairs)
