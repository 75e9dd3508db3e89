"""The streams that a worker carries: how many there may be, and when all of them end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mextrain_service.application.model import PlatformId
from mextrain_service.application.refused import (
    SHUTTING_DOWN,
    TOO_MANY_WATCHERS,
    Refused,
    invalid_field,
)

_Key = TypeVar("_Key", bound=Hashable)

_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole parts, lie evenly apart however many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """What the host allows its streams. Times are in seconds.

    Attributes:
        heartbeat_s: how long a stream is silent at most, unless the watcher asks otherwise.
        least_heartbeat_s: the shortest interval that a watcher may ask for.
        greatest_heartbeat_s: the longest one.
        reread_s: how often at least what is watched is read again without a hint; so long a lost
            one delays.
        patience_s: how long the store may be away until the streams end.
        backlog: versions of a watched game that are kept for watchers who are behind.
        most_streams: streams that a worker carries at once, channels counted.
    """

    heartbeat_s: float = 15.0
    least_heartbeat_s: float = 1.0
    greatest_heartbeat_s: float = 300.0
    reread_s: float = 3.0
    patience_s: float = 10.0
    backlog: int = 512
    most_streams: int = 10_000


class StreamMeter(Protocol):
    """Hears of streams, for whoever looks after the service."""

    def opened(self, method: str) -> None:
        """One more is open."""
        ...

    def closed(self, method: str) -> None:
        """One of them has ended."""
        ...

    def delivered(self, method: str, lag_s: float) -> None:
        """Something that happened ``lag_s`` seconds ago is about to be sent, live."""
        ...


@contextmanager
def counted(counter: Counter[_Key], key: _Key) -> Iterator[None]:
    """Count one more under a key while the context is open; a key without any is forgotten."""
    counter[key] += 1
    try:
        yield
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


class OpenStreams:
    """Admits streams, and ends them when the worker stops.

    Attributes:
        settings: what they may do.
        meter: hears of them.
        closing: the worker is about to stop; every stream ends with ``Refused``.
    """

    def __init__(self, settings: StreamSettings, meter: StreamMeter) -> None:
        self.settings = settings
        self.meter = meter
        self.closing = False
        self._open = 0
        self._by_platform: Counter[PlatformId] = Counter()
        self._spread = 0.0
        self._wakers: dict[object, Callable[[], object]] = {}

    @contextmanager
    def admitted(self, method: str) -> Iterator[None]:
        """Count a stream while it is open.

        Raises:
            Refused: ``SHUTTING_DOWN``, the worker is about to stop.
            Refused: ``TOO_MANY_WATCHERS``, there are as many as there may be.
        """
        self.require_open()
        if self._open >= self.settings.most_streams:
            raise Refused(TOO_MANY_WATCHERS, retry_after_s=1.0)
        self._open += 1
        self.meter.opened(method)
        try:
            yield
        finally:
            self._open -= 1
            self.meter.closed(method)

    @contextmanager
    def counted_for(self, platform_id: PlatformId) -> Iterator[None]:
        """Count a stream, or a channel of one, for the platform of its game while it is open.

        The last tenth of the room is kept for platforms that have less than a tenth of it.

        Raises:
            Refused: ``TOO_MANY_WATCHERS``, only that is left, and this platform has its tenth.
        """
        tenth = self.settings.most_streams / 10
        crowded = self._by_platform.total() >= self.settings.most_streams - tenth
        if crowded and self._by_platform[platform_id] >= tenth:
            raise Refused(TOO_MANY_WATCHERS, retry_after_s=1.0)
        with counted(self._by_platform, platform_id):
            yield

    @contextmanager
    def woken(self, wake: Callable[[], object]) -> Iterator[None]:
        """Call ``wake`` when the streams are to end, as long as the context is open."""
        own = object()  # the same may be asked for by several
        self._wakers[own] = wake
        try:
            yield
        finally:
            del self._wakers[own]

    def heartbeat_s(self, asked: float | None) -> float:
        """Return how long a stream may be silent, in seconds.

        Raises:
            InvalidRequestError: the watcher asks for less or more than there is.
        """
        if asked is None:
            return self.settings.heartbeat_s
        least, greatest = self.settings.least_heartbeat_s, self.settings.greatest_heartbeat_s
        if not least <= asked <= greatest:
            message = f"{least:g} to {greatest:g} seconds, not {asked:g}"
            raise invalid_field("heartbeat_interval", "OUT_OF_RANGE", message)
        return asked

    def jittered(self, interval_s: float) -> float:
        """Return from three quarters of an interval up to all of it, in seconds: another each time.

        What begins at the same time and recurs would else fall due together, again and again.
        """
        self._spread = (self._spread + _GOLDEN) % 1
        return interval_s * (3 + self._spread) / 4

    def require_open(self) -> None:
        """Return unless streams are to end.

        Raises:
            Refused: ``SHUTTING_DOWN``, they are.
        """
        if self.closing:
            raise Refused(SHUTTING_DOWN, retry_after_s=0.1)

    def close(self) -> None:
        """End all streams, and admit no more."""
        self.closing = True
        for wake in tuple(self._wakers.values()):
            wake()
