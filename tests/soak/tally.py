"""What a soak counts while it runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


class SoakFault(Exception):  # noqa: N818 - it is a finding
    """The service broke a promise; the message says which one, where."""


@dataclass(slots=True)
class Tally:
    """The counts of a soak.

    Attributes:
        begun: matches that were created.
        finished: matches that were played to their end; others stood when the time was up.
        acknowledged: deals and moves that were answered with OK.
        retried: attempts that were made again because it was not known what became of one before.
        repeated: acknowledged moves that were asked for once more, and answered the same.
        failures: attempts that failed, by reason.
        killed: workers that were ended with SIGKILL.
        stopped: workers that were asked to stop.
        drops: streams that their watcher left.
        cut_off: streams that ended without their watcher's doing.
        streams: streams that were opened.
        events: events that were compared with the history of their viewer.
        facts: events that were compared with the replayed record.
        news: what the platform's feed told.
        move_s: how long each attempt at PlayMove took that was answered with OK, in seconds.
    """

    begun: int = 0
    finished: int = 0
    acknowledged: int = 0
    retried: int = 0
    repeated: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    stopped: int = 0
    drops: int = 0
    cut_off: int = 0
    streams: int = 0
    events: int = 0
    facts: int = 0
    news: int = 0
    move_s: list[float] = field(default_factory=list)

    def percentile_ms(self, percent: float) -> float:
        """Return how long this share of the moves took at most, in milliseconds; 0 without any."""
        if not self.move_s:
            return 0.0
        ordered = sorted(self.move_s)
        return 1_000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
