"""Bots that think one slice at a time, so that all other calls of the worker have their turns."""

from __future__ import annotations

import asyncio

from mextrain_engine import Move
from mextrain_service.application.bots import Thinking

WORK_PER_SLICE = 2_000
"""What is thought at a time, in units of about a microsecond on an idle core."""


class Slices:
    """The thoughts of a worker: in each turn of the event loop, one of them is carried on."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def concluded(self, thinking: Thinking) -> Move:
        """Return what a choice comes to; other calls go on meanwhile."""
        while True:
            async with self._turn:
                move = _thought_on(thinking)
                if move is not None:
                    return move
                await asyncio.sleep(0)


def _thought_on(thinking: Thinking) -> Move | None:
    """Carry a thought on by a slice; return the move that it comes to, if it does."""
    work = 0
    while work < WORK_PER_SLICE:
        try:
            work += next(thinking)
        except StopIteration as end:
            move: Move = end.value
            return move
    return None
