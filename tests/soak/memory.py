"""How much memory processes take over time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

_KIB_PER_MIB = 1_024
_WARM_AFTER = 1 / 3
"""Caches fill in the first third of a run; growth is judged from there on."""


def rss_mib(pid: int) -> float | None:
    """Return the resident memory of a process in MiB; None if there is no such process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / _KIB_PER_MIB
    return None


@dataclass(slots=True)
class Memory:
    """The memory of one process, as it was looked at.

    Attributes:
        pid: the process.
        samples: when, in seconds of the monotonic clock, and how many MiB.
    """

    pid: int
    samples: list[tuple[float, float]] = field(default_factory=list)

    def look(self) -> None:
        """Take a sample, if the process is there."""
        size = rss_mib(self.pid)
        if size is not None:
            self.samples.append((time.monotonic(), size))

    @property
    def first(self) -> float:
        """The first sample, in MiB; 0 without any."""
        return self.samples[0][1] if self.samples else 0.0

    @property
    def last(self) -> float:
        """The last sample, in MiB; 0 without any."""
        return self.samples[-1][1] if self.samples else 0.0

    @property
    def growth(self) -> float:
        """How much it grew since it was warm, in MiB."""
        warm = self._warm()
        return warm[-1][1] - warm[0][1] if warm else 0.0

    @property
    def slope(self) -> float:
        """The straight line through the samples since it was warm, in MiB a minute."""
        warm = self._warm()
        if not warm:
            return 0.0
        mean_at = sum(at for at, _ in warm) / len(warm)
        mean_size = sum(size for _, size in warm) / len(warm)
        spread = sum((at - mean_at) ** 2 for at, _ in warm)
        return 60 * sum((at - mean_at) * (size - mean_size) for at, size in warm) / (spread or 1.0)

    def _warm(self) -> list[tuple[float, float]]:
        if not self.samples:
            return []
        begin, end = self.samples[0][0], self.samples[-1][0]
        return [each for each in self.samples if each[0] >= begin + (end - begin) * _WARM_AFTER]
