"""The level ``random``: any legal move, each as likely as the next."""

from __future__ import annotations

import random
from collections.abc import Sequence

from mextrain_engine import Move, View


def choose(_view: View, legal: Sequence[Move], seed: int) -> Move:
    """Return a legal move drawn by the seed."""
    return random.Random(seed).choice(legal)  # noqa: S311 - a bot's whim is no secret
