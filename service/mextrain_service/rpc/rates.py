"""How many calls a second are admitted: a bucket of tokens for each key, in this worker's memory.

Buckets are not shared between workers: with so many workers behind one address, a caller whose
calls are spread over all of them has so many times the rate. That costs no round trip, and a limit
is there to protect a worker.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

MAX_KEYS = 65_536
"""Buckets that are kept; beyond that, the one used longest ago is forgotten and so full again."""

_ROUNDING_S = 1e-9


class Rates:
    """One bucket for each key, all of the same rate.

    A bucket is kept as the moment at which it will be full again (the generic cell rate algorithm),
    which is one number and needs nobody who fills it.
    """

    def __init__(
        self,
        per_s: float,
        burst_s: float,
        clock: Callable[[], float] = monotonic,
        max_keys: int = MAX_KEYS,
    ) -> None:
        """Take the rate, and how many seconds' worth of it a full bucket holds, at least one call.

        Args:
            per_s: calls a second; 0 admits all.
            burst_s: in seconds.
            clock: tells seconds.
            max_keys: buckets that are kept.
        """
        self._interval_s = 1 / per_s if per_s else 0.0
        self._depth_s = max(burst_s - self._interval_s, 0.0)
        self._clock = clock
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()
        self._max_keys = max_keys

    def wait_s(self, key: Hashable) -> float:
        """Take a token; return 0, or in how many seconds there will be one if there is none."""
        if not self._interval_s:
            return 0.0
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now)
        wait_s = full_at - now - self._depth_s
        if wait_s > _ROUNDING_S:
            return wait_s
        self._full_at[key] = full_at + self._interval_s
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._max_keys:
            self._full_at.popitem(last=False)
        return 0.0
