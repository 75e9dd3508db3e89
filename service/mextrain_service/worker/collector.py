"""How often Python looks for garbage that holds on to itself.

Almost all that a call leaves is freed by counting. The collector, as it is set by default, looks at
what is under way after every 700 new objects, and so again and again at calls and streams that only
wait: a fifth of a worker's time with some hundred asks under way (`docs/performance.md`).
"""

from __future__ import annotations

import gc
from typing import Final

_YOUNG: Final = 50_000
"""New objects until it looks at them, some megabytes."""

_LOOKS_UNTIL_OLDER: Final = 20
"""Looks at new objects until it looks at what survived one."""

_LOOKS_UNTIL_ALL: Final = 10
"""Looks at those until it looks at all, if there are a quarter more than the last time."""


def freeze() -> None:
    """Leave all that there is now alone, and look at what comes less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _LOOKS_UNTIL_OLDER, _LOOKS_UNTIL_ALL)
