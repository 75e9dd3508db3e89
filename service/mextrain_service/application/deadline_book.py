"""Sees to it that a game is looked at when it is due, before it is stored as due."""

from __future__ import annotations

from mextrain_service.application.clocks import due_ms
from mextrain_service.application.delta import Delta
from mextrain_service.application.model import HostedGame
from mextrain_service.application.outages import Moment
from mextrain_service.application.ports import Deadlines

OVERDUE_MS = 30_000
"""A deadline that was not acted on for so long is not about to be."""


class DeadlineBook:
    """Schedules games."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    async def note(self, delta: Delta) -> None:
        """Schedule a game that is about to be stored, if its deadline is a new one.

        Raises:
            StoreUnavailableError: it may not be scheduled, so it must not be stored either.
        """
        due = delta.due_ms
        if due is None or (delta.before is not None and due_ms(delta.before) == due):
            return
        await self._deadlines.schedule(delta.after.game_id, due, delta.after.updated_ms)

    async def remind(self, game: HostedGame, now: Moment) -> None:
        """Schedule a game anew that is overdue by more than any worker takes.

        Its entry was lost, with a Redis that failed over before it had passed it on for instance;
        whoever looks at the game, puts that right.

        Raises:
            StoreUnavailableError: it is not known whether it was scheduled.
        """
        due = due_ms(game, now.outages)
        if due is not None and due + OVERDUE_MS <= now.now_ms:
            await self._deadlines.schedule(game.game_id, due, now.now_ms)
