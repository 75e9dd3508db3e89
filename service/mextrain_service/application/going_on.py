"""Goes on with tables that still have something to do by themselves, in further commits.

One change does a bounded amount of work, and other calls have their turns between two changes. The
worker that made the last commit goes on with the table; if it dies, the game is due all the same,
and any worker takes it up (``enforce_deadlines``). Of two that go on at once, the version check
lets one make each change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mextrain_service.application.autoplay import Autoplay, Thought, choice_ahead
from mextrain_service.application.bots import BotPlayer, bot_thinking
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.own_actions import goes_on
from mextrain_service.application.thinking import Slices
from mextrain_service.application.transactions import Transactions
from mextrain_service.application.unfinished import Unfinished


class GoingOn:
    """Goes on with the tables of this worker, one change of one table at a time."""

    def __init__(
        self, unfinished: Unfinished, transactions: Transactions, bots: BotPlayer, slices: Slices
    ) -> None:
        self._unfinished = unfinished
        self._transactions = transactions
        self._bots = bots
        self._slices = slices
        self._stopped = False
        self._task: asyncio.Task[None] | None = None
        unfinished.listener = self._begin

    async def act(
        self, game_id: GameId, decide: Callable[[HostedGame, Thought | None], Draft | None]
    ) -> HostedGame:
        """Make a change that a game itself has come to; see ``Transactions.act``.

        Where a bot's choice takes more work than a change may, it is made ahead, in slices.

        Args:
            game_id: the game.
            decide: returns the changed table, one without an entry if it needs a choice made
                ahead, or None when there is nothing to do. It is given the choice if there is one.

        Returns:
            The game after it, as it is stored.

        Raises:
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions.act`` does.
        """
        ahead: Thought | None = None
        while True:
            waits: list[HostedGame] = []

            def decided(
                game: HostedGame,
                ahead: Thought | None = ahead,
                waits: list[HostedGame] = waits,
            ) -> Draft | None:
                waits.clear()
                draft = decide(game, ahead)
                if draft is None or draft.entries:
                    return draft
                waits.append(game)
                return None

            game = await self._transactions.act(game_id, decided)
            if not waits:
                return game
            ahead = await self._thought_ahead(game)
            if ahead is None:
                return game

    async def finish(self) -> None:
        """Go on with nothing more; return when the change under way is made.

        Other workers take up what is left.
        """
        self._stopped = True
        if self._task is not None:
            await asyncio.wait([self._task])

    def _begin(self) -> None:
        if self._task is None and not self._stopped:
            self._task = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        try:
            while not self._stopped and (left := self._unfinished.take()) is not None:
                await self._go_on_with(*left)
        finally:
            self._task = None

    async def _go_on_with(self, game_id: GameId, version: int) -> None:
        """Make the next change of a table, unless somebody else has made it."""

        def decide(game: HostedGame, ahead: Thought | None) -> Draft | None:
            if game.version != version or not goes_on(game):
                return None
            draft = Draft(game)
            Autoplay(draft, self._bots, ahead).play_on()
            return draft

        try:
            await self.act(game_id, decide)
        except Exception:  # noqa: BLE001 - it stays due: a sweep tries again, and logs what fails
            return

    async def _thought_ahead(self, game: HostedGame) -> Thought | None:
        choice = choice_ahead(game)
        if choice is None:
            return None
        thinking = bot_thinking(
            self._bots, game.state, choice.seat, choice.level, game.secret, game.version
        )
        return Thought(game.version, game.state, await self._slices.concluded(thinking))
