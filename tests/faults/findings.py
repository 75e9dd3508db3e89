"""What a check of a history found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

MOST_DETAILS: Final = 12

ANOMALIES: Final = (
    "lost",
    "false",
    "doubled",
    "stale",
    "gaps",
    "splices",
    "corrupt",
    "early",
)
"""What must never be, under any fault."""


@dataclass(slots=True)
class Findings:
    """What was found, by kind.

    Attributes:
        acknowledged: writes that were answered with OK.
        below_promise: of them, those that are missing at the end, and were acknowledged when the
            configuration promised no more.
        lost: those that are missing at the end though they were promised to be kept.
        false: those that were never made, by the answer itself or by a read right after.
        doubled: those that were made twice, and tiles that one viewer was told were laid twice.
        stale: reads that lack a write acknowledged before, or differ between workers.
        gaps: places in streams where something is missing.
        splices: places where streams pass into another history without a reset.
        corrupt: games that cannot be read, or that their own record does not lead to.
        early: turns that were ended before their time was up.
        resets: of streams, beside those at their beginning.
        silence_s: the longest time that a watcher heard nothing, beyond the heartbeat.
        resumed_s: the longest time from the end of a fault to the next acknowledgement.
        errors: attempts that failed, by reason.
        details: the first anomalies in words.
    """

    acknowledged: int = 0
    below_promise: int = 0
    lost: int = 0
    false: int = 0
    doubled: int = 0
    stale: int = 0
    gaps: int = 0
    splices: int = 0
    corrupt: int = 0
    early: int = 0
    resets: int = 0
    silence_s: float = 0.0
    resumed_s: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    details: list[str] = field(default_factory=list)
    _corrupt_games: set[str] = field(default_factory=set)

    def add(self, kind: str, detail: str) -> None:
        """Count an anomaly."""
        setattr(self, kind, getattr(self, kind) + 1)
        if len(self.details) < MOST_DETAILS:
            self.details.append(f"{kind}: {detail}")

    def add_corrupt(self, game: str, detail: str) -> None:
        """Count a corrupt game, once."""
        if game not in self._corrupt_games:
            self._corrupt_games.add(game)
            self.add("corrupt", f"game {game}: {detail}")

    def anomalies(self) -> dict[str, int]:
        """Return what must not be, by kind; empty if all is well."""
        return {kind: count for kind in ANOMALIES if (count := getattr(self, kind))}
