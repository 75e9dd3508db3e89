"""How a game is changed: decide on what is known of it, commit by compare-and-set, or look again.

Every change of a game goes through here. Knows stores and callers; nothing of what is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mextrain_engine import EngineError
from mextrain_service.application.access import (
    Action,
    require_access,
    require_allowed,
    require_names_own_game,
)
from mextrain_service.application.answers import TableEvent, table_answer
from mextrain_service.application.callers import Caller
from mextrain_service.application.errors import (
    ApplicationError,
    ContentionError,
    StaleVersionError,
)
from mextrain_service.application.model import GameId, HostedGame, Receipt
from mextrain_service.application.ports import (
    Clock,
    GameNotFoundError,
    GameStore,
    StoreError,
    StoreUnavailableError,
    VersionConflictError,
)
from mextrain_service.application.receipts import RequestMark, find_receipt, with_receipt
from mextrain_service.application.table import Table, replay

MAX_ATTEMPTS = 5
"""How often a change is decided before it gives way to other writers of the same game."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change that someone asks for.

    Attributes:
        caller: who asks.
        action: what it is, for the access table.
        game_id: the game to change.
        expected_version: the version that the caller decided on; None for whatever it is.
        mark: identifies the request; None when it came without a request id.
        decide: returns the changed table, or raises why not; called again on newer states.
    """

    caller: Caller
    action: Action
    game_id: GameId
    expected_version: int | None
    mark: RequestMark | None
    decide: Callable[[HostedGame], Table]


@dataclass(frozen=True, slots=True)
class Changed:
    """What came of a change. Holds every secret; a use case makes an answer of it.

    Attributes:
        game: the game right after the change, even if it was made earlier.
        events: what happened, in order, unredacted.
    """

    game: HostedGame
    events: tuple[TableEvent, ...]


class GameChanger:
    """Carries out changes."""

    def __init__(self, store: GameStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def carry_out(self, change: Change) -> Changed:
        """Make the change once, however often it is asked for under its request id.

        It is decided on what this worker last saw of the game. A refusal counts only when it was
        decided on the game as stored; a change counts only when the game was still the same.

        Raises:
            ApplicationError: the request is refused; nothing changed.
            EngineError: the rules refuse it; nothing changed.
            GameNotFoundError: for this caller, there is no such game.
            StoreUnavailableError: the store does not answer; whether it was made shows when the
                request is repeated.
        """
        require_allowed(change.caller, change.action)
        require_names_own_game(change.caller, change.game_id)
        game = await self._store.recall(change.game_id)
        stored = False
        for _ in range(MAX_ATTEMPTS):
            try:
                receipt = self._earlier_receipt(change, game)
                if receipt is not None:
                    return await self._repeated(change, game, receipt)
                table = self._decided(change, game)
            except (ApplicationError, EngineError, GameNotFoundError):
                if stored:
                    raise
            else:
                try:
                    return await self._committed(change, game, table)
                except VersionConflictError:
                    pass
            game, stored = await self._store.load(change.game_id), True
        raise ContentionError(MAX_ATTEMPTS)

    def _earlier_receipt(self, change: Change, game: HostedGame) -> Receipt | None:
        require_access(change.caller, change.action, game)
        return find_receipt(game, change.mark)

    def _decided(self, change: Change, game: HostedGame) -> Table:
        expected = change.expected_version
        if expected is not None and expected != game.version:
            now_ms = self._clock.now_ms()
            raise StaleVersionError(expected, table_answer(game, change.caller, now_ms))
        return change.decide(game)

    async def _committed(self, change: Change, game: HostedGame, table: Table) -> Changed:
        receipts = with_receipt(game.receipts, change.mark, game.version, table.version)
        changed = replace(table.changed_game(self._clock.now_ms()), receipts=receipts)
        try:
            await self._store.commit(changed, base_version=game.version, entries=table.entries)
        except StoreUnavailableError as lost:
            return await self._answer_after_loss(change, lost)
        return Changed(changed, tuple(table.events))

    async def _answer_after_loss(self, change: Change, lost: StoreUnavailableError) -> Changed:
        """Look whether a commit went through whose answer was lost; only a receipt can tell."""
        if change.mark is None:
            raise lost
        try:
            game = await self._store.load(change.game_id)
            receipt = find_receipt(game, change.mark)
            if receipt is None:
                raise lost
            return await self._repeated(change, game, receipt)
        except StoreError:
            raise lost from None

    async def _repeated(self, change: Change, game: HostedGame, receipt: Receipt) -> Changed:
        entries = await self._store.history(change.game_id)
        table = replay(game, entries, receipt.before, receipt.after)
        then = replace(game, version=receipt.after, state=table.state)
        return Changed(then, tuple(table.events))
