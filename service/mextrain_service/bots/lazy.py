"""The level ``pass``: does as little as the rules allow. Good for tests of everything but play."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain_engine import PASS, Move, View


def choose(_view: View, legal: Sequence[Move], _seed: int) -> Move:
    """Return the pass if there is one, else the first legal move."""
    return PASS if PASS in legal else legal[0]
