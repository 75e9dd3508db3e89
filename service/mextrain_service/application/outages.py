"""Time that nobody could use: spans in which the service or its store was away.

Arithmetic on moments that are handed in; knows neither how an outage is found out nor where it is
kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]
"""Where an outage begins and ends, in milliseconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Outages:
    """When a game could not be played.

    Attributes:
        spans: in order, none of them touching another; see ``Outages.of``.
    """

    spans: tuple[Span, ...] = ()

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Outages:
        """Return outages of spans in any order, which may overlap.

        >>> Outages.of([(50, 60), (10, 30), (20, 40)]).spans
        ((10, 40), (50, 60))
        """
        joined: list[Span] = []
        for begin, end in sorted(spans):
            if joined and begin <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            elif begin < end:
                joined.append((begin, end))
        return cls(tuple(joined))

    def counted_ms(self, since_ms: int, until_ms: int) -> int:
        """Return how much of the time between two moments counts, in milliseconds; 0 at least.

        >>> Outages.of([(10, 40)]).counted_ms(0, 50)
        20
        """
        counted_ms = max(0, until_ms - since_ms)
        for begin, end in self._after(since_ms):
            if begin >= until_ms:
                break
            counted_ms -= min(end, until_ms) - max(begin, since_ms)
        return counted_ms

    def end_ms(self, since_ms: int, allowed_ms: int) -> int:
        """Return the earliest moment at which so much time has counted since another moment.

        >>> Outages.of([(10, 40)]).end_ms(0, 20)
        50
        """
        end_ms = since_ms + allowed_ms
        for begin, end in self._after(since_ms):
            if begin >= end_ms:
                break
            end_ms += end - max(begin, since_ms)
        return end_ms

    def _after(self, since_ms: int) -> Iterable[Span]:
        """Return the spans that end later; those of most turns are none."""
        if not self.spans or self.spans[-1][1] <= since_ms:
            return ()
        return (span for span in self.spans if span[1] > since_ms)


NO_OUTAGES = Outages()
"""All time counts."""


class Moment(NamedTuple):
    """What time it is for a game.

    Attributes:
        now_ms: milliseconds since the epoch, by the store's clock.
        outages: when that game could not be played; one that is still on ends now.
    """

    now_ms: int
    outages: Outages = NO_OUTAGES

    @property
    def is_out(self) -> bool:
        """Whether an outage is on, so that nobody knows yet how much of the latest time counts."""
        spans = self.outages.spans
        return bool(spans) and spans[-1][1] >= self.now_ms
