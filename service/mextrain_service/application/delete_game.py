"""Use case: remove a game for good."""

from __future__ import annotations

from mextrain_service.application.access import Action
from mextrain_service.application.answers import table_answer
from mextrain_service.application.callers import Caller, PlatformCaller
from mextrain_service.application.committing import UNKNOWN_VERSION, Committer
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import (
    Clock,
    DamagedGameError,
    GameIndex,
    GameNotFoundError,
    GameStore,
    VersionConflictError,
)
from mextrain_service.application.reading import read_game
from mextrain_service.application.receipts import IdempotencyKey, find_receipt, mark_request
from mextrain_service.application.refused import (
    CONTENTION,
    REQUEST_ID_REUSED,
    Refused,
    StaleVersionError,
)
from mextrain_service.application.transactions import MAX_ATTEMPTS


class DeleteGame:
    """Removes games; watchers are told that it was the last they hear."""

    def __init__(
        self, store: GameStore, index: GameIndex, clock: Clock, committer: Committer
    ) -> None:
        self._store = store
        self._index = index
        self._clock = clock
        self._committer = committer

    async def __call__(
        self,
        caller: Caller,
        game_id: GameId,
        request_id: str = "",
        expected_version: int | None = None,
    ) -> int:
        """Remove the game and return the last version that it had.

        A game that cannot be read is removed as well, for the platform on whose list it is.

        Args:
            caller: who asks.
            game_id: the game.
            request_id: names the request, so that its repetition is answered as it was; or empty.
            expected_version: the version that the caller saw; None removes whatever there is.

        Raises:
            DamagedGameError: it cannot be read, and the caller expects a version of it.
            StaleVersionError: the game moved on from ``expected_version``.
            Refused: ``REQUEST_ID_REUSED``, the request id was used for another request.
            Refused: ``CONTENTION``, others changed the game each time; nothing was removed.
            Refused, GameNotFoundError, StoreUnavailableError: as ``read_game`` says.
        """
        mark = mark_request(
            caller,
            request_id,
            "delete_game",
            game_id,
            expected_version,
            expected_version=expected_version,
        )
        for _ in range(MAX_ATTEMPTS):
            try:
                return await self._removed(caller, game_id, expected_version, mark)
            except GameNotFoundError:
                return await self._removed_before(game_id, request_id, mark)
            except VersionConflictError:
                continue
        raise Refused(CONTENTION, attempts=MAX_ATTEMPTS, retry_after_s=0.1)

    async def _removed(
        self, caller: Caller, game_id: GameId, expected: int | None, mark: IdempotencyKey | None
    ) -> int:
        try:
            game = await read_game(self._store, caller, Action.DELETE_GAME, game_id)
        except DamagedGameError:
            if expected is not None:
                raise
            return await self._discarded(caller, game_id, mark)
        find_receipt(game, mark)
        if expected is not None and expected != game.version:
            now = self._clock.moment(game.game_id)
            raise StaleVersionError(expected, table_answer(game, caller, now))
        receipt = None if mark is None else mark.receipt(game.version, game.version)
        await self._committer.delete(game, receipt)
        return game.version

    async def _discarded(self, caller: Caller, game_id: GameId, mark: IdempotencyKey | None) -> int:
        """Remove a game that cannot be read, so that only a list says whose it is."""
        if not isinstance(caller, PlatformCaller) or not await self._index.holds(
            caller.platform_id, game_id
        ):
            raise GameNotFoundError(game_id)
        receipt = None if mark is None else mark.receipt(UNKNOWN_VERSION, UNKNOWN_VERSION)
        await self._committer.discard(caller.platform_id, game_id, receipt)
        return UNKNOWN_VERSION

    async def _removed_before(
        self, game_id: GameId, request_id: str, mark: IdempotencyKey | None
    ) -> int:
        """Return what this very request was answered when it removed the game."""
        receipt = None if mark is None else await self._store.deletion(game_id)
        if mark is None or receipt is None or receipt.key != mark.key:
            raise GameNotFoundError(game_id)
        if receipt.body != mark.body:
            raise Refused(REQUEST_ID_REUSED, request_id=request_id)
        return receipt.after
