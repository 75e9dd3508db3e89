"""Sees to it that a game is looked at when it is due, before it is stored as due.

Knows when a game is due and where that is kept; nothing of what is done about it.
"""

from __future__ import annotations

from mextrain_service.application.clocks import due_ms
from mextrain_service.application.model import HostedGame
from mextrain_service.application.outages import Moment
from mextrain_service.application.ports import Deadlines

OVERDUE_MS = 30_000
"""A deadline that was not acted on for so long is not about to be."""


class DeadlineBook:
    """A ``BeforeCommit``; costs nothing for a game whose deadline stays what it was."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    async def note(self, before: HostedGame | None, after: HostedGame) -> None:
        """Schedule the game if its deadline is a new one; see ``BeforeCommit``."""
        due = due_ms(after)
        if due is None or (before is not None and due_ms(before) == due):
            return
        await self._deadlines.schedule(after.game_id, due, after.updated_ms)

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
