"""How a game is changed: decide on what is known of it, commit by compare-and-set, or look again.

Every change of a game goes through here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mextrain_engine import EngineError
from mextrain_service.application.access import (
    Action,
    may_view,
    require_access,
    require_allowed,
    require_names_own_game,
    was_latest_token,
)
from mextrain_service.application.answers import TableEvent, table_answer
from mextrain_service.application.callers import Caller
from mextrain_service.application.committing import Committer
from mextrain_service.application.draft import Draft
from mextrain_service.application.history import change_between
from mextrain_service.application.model import GameId, HostedGame, LogEntry, Receipt
from mextrain_service.application.outages import Moment
from mextrain_service.application.ports import (
    Clock,
    GameNotFoundError,
    GameStore,
    LogReading,
    StoreUnavailableError,
    VersionConflictError,
)
from mextrain_service.application.receipts import (
    IdempotencyKey,
    find_receipt,
    with_receipt,
    without_seats,
)
from mextrain_service.application.refused import (
    CONTENTION,
    Refused,
    StaleVersionError,
    TokenSupersededError,
)

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
        decide: returns the changed table, or raises why not; called again on newer states. A table
            without an entry says that there is nothing to change.
        outlives_token: it replaces the caller's token, so that its repetition comes with the one
            before.
    """

    caller: Caller
    action: Action
    game_id: GameId
    expected_version: int | None
    mark: IdempotencyKey | None
    decide: Callable[[HostedGame], Draft]
    outlives_token: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """What came of a change. Holds every secret; a use case makes an answer of it.

    Attributes:
        game: the game right after the change, even if it was made earlier.
        events: what happened, in order, unredacted.
        at: when it was committed, or when it was found to be made earlier.
        since: what others entered after it, if it was made earlier.
    """

    game: HostedGame
    events: tuple[TableEvent, ...]
    at: Moment
    since: tuple[LogEntry, ...] = ()


class Transactions:
    """Carries out changes."""

    def __init__(self, store: GameStore, clock: Clock, committer: Committer) -> None:
        self._store = store
        self._clock = clock
        self._committer = committer

    async def carry_out(self, change: Change) -> Changed:
        """Make the change once, however often it is asked for under its request id.

        It is decided on what this worker last saw of the game. A refusal counts only when it was
        decided on the game as stored; a change counts only when the game was still the same; and
        that a request was carried out before, only the store can prove.

        Raises:
            Refused: the request is refused; nothing changed.
            EngineError: the rules refuse it; nothing changed.
            GameNotFoundError: for this caller, there is no such game.
            StoreUnavailableError: the store does not answer; whether it was made shows when the
                request is repeated.
        """
        require_allowed(change.caller, change.action)
        require_names_own_game(change.caller, change.game_id)
        game = await self._store.cached(change.game_id)
        stored = False
        for _ in range(MAX_ATTEMPTS):
            try:
                if self._earlier_receipt(change, game) is not None:
                    settled = await self._store.settle(change.game_id)
                    game, stored = settled.game, True
                    repeated = await self._repeated(change, settled)
                    if repeated is not None:
                        return repeated
                draft = self._decided(change, game)
            except (Refused, EngineError, GameNotFoundError):
                if stored:
                    raise
            else:
                if not draft.entries and stored:
                    return Changed(game, (), self._clock.moment(game.game_id))
                if draft.entries:
                    changed = await self._committed(change, game, draft)
                    if changed is not None:
                        return changed
            game, stored = await self._store.load(change.game_id), True
        raise Refused(CONTENTION, attempts=MAX_ATTEMPTS, retry_after_s=0.1)

    async def act(
        self, game_id: GameId, decide: Callable[[HostedGame], Draft | None]
    ) -> HostedGame:
        """Make a change that nobody asks for: one that the game itself has come to.

        Args:
            game_id: the game.
            decide: returns the changed table, or None when there is nothing to do; called again on
                newer states.

        Returns:
            The game after it, as it is stored.

        Raises:
            Refused: ``CONTENTION``, others were faster each time; nothing changed.
            GameNotFoundError: there is no such game.
            StoreUnavailableError: it is not known whether it was made.
        """
        for _ in range(MAX_ATTEMPTS):
            game = await self._store.load(game_id)
            draft = decide(game)
            if draft is None:
                return game
            changed = draft.changed_game(self._clock.moment(game_id))
            try:
                await self._committer.commit(game, changed, draft)
            except VersionConflictError:
                continue
            return changed
        raise Refused(CONTENTION, attempts=MAX_ATTEMPTS, retry_after_s=0.1)

    def _earlier_receipt(self, change: Change, game: HostedGame) -> Receipt | None:
        try:
            require_access(change.caller, change.action, game)
        except TokenSupersededError:
            if not change.outlives_token or not was_latest_token(change.caller, game):
                raise
            receipt = find_receipt(game, change.mark)
            if receipt is None:
                raise
            return receipt
        return find_receipt(game, change.mark)

    def _decided(self, change: Change, game: HostedGame) -> Draft:
        expected = change.expected_version
        if expected is None or expected == game.version:
            return change.decide(game)
        if may_view(change.caller, game):
            now = self._clock.moment(game.game_id)
            raise StaleVersionError(expected, table_answer(game, change.caller, now))
        change.decide(game)  # what else refuses it does not depend on the version
        raise StaleVersionError(expected, None)

    async def _committed(self, change: Change, game: HostedGame, draft: Draft) -> Changed | None:
        """Commit a change; return None if another commit came first."""
        kept = game.receipts
        if draft.renewed:
            kept = without_seats(kept, draft.renewed)
        receipts = with_receipt(kept, change.mark, game.version, draft.version)
        now = self._clock.moment(game.game_id)
        changed = draft.changed_game(now, receipts)
        try:
            await self._committer.commit(game, changed, draft)
        except VersionConflictError:
            return None
        except StoreUnavailableError as lost:
            return await self._answer_after_loss(change, lost)
        return Changed(changed, tuple(draft.events), now)

    async def _answer_after_loss(self, change: Change, lost: StoreUnavailableError) -> Changed:
        """Look whether a commit went through whose answer was lost; only a receipt can tell."""
        if change.mark is None:
            raise lost
        try:
            repeated = await self._repeated(change, await self._store.settle(change.game_id))
        except (GameNotFoundError, StoreUnavailableError):
            raise lost from None
        if repeated is None:
            raise lost
        return repeated

    async def _repeated(self, change: Change, settled: LogReading) -> Changed | None:
        """Return what came of the change when it was made earlier; None if the store has it not."""
        game, entries = settled.game, settled.entries
        receipt = self._earlier_receipt(change, game)
        if receipt is None:
            return None
        assert entries is not None, "a game is settled with its log"
        draft = await change_between(game, entries, receipt.before, receipt.after)
        then = replace(
            game,
            version=receipt.after,
            link=draft.link,
            state=draft.state,
            entropy=draft.entropy,
            clock=game.clock if receipt.after == game.version else None,
        )
        now = self._clock.moment(game.game_id)
        return Changed(then, tuple(draft.events), now, tuple(entries[receipt.after :]))
