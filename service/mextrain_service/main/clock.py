"""The clock of the machine, as the application's ``Clock``.

Knows nothing of who asks.
"""

from __future__ import annotations

import time


class SystemClock:
    """Wall-clock time. May step when the machine's clock is set; never use it for durations."""

    def now_ms(self) -> int:
        """Return milliseconds since the epoch."""
        return time.time_ns() // 1_000_000
