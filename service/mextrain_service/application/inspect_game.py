"""Use case: show an operator how a game is, without its hands unless those are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mextrain_engine import TileId, tiles_in
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.answers import GameAnswer, game_answer
from mextrain_service.application.callers import Caller, OperatorCaller
from mextrain_service.application.model import GameId, HostedGame, PlatformId
from mextrain_service.application.operator_ports import (
    Audit,
    GameInspector,
    Inspection,
    RecentError,
    RecentErrors,
)
from mextrain_service.application.ports import Clock
from mextrain_service.application.refused import PERMISSION_DENIED, UNAUTHENTICATED, Refused


@dataclass(frozen=True, slots=True)
class InspectionAnswer:
    """A game as an operator sees it.

    Attributes:
        game: the game; None when what is stored cannot be read.
        platform_id: whose it is; empty likewise.
        token_generations: how often each seat's token was issued; empty likewise.
        receipts: how many are kept.
        stored: what is stored, as such.
        recent_errors: calls for it that failed here, the latest first.
        hands: of the live round, by seat; empty unless they were asked for.
    """

    game: GameAnswer | None
    platform_id: PlatformId
    token_generations: tuple[int, ...]
    receipts: int
    stored: Inspection
    recent_errors: Sequence[RecentError]
    hands: tuple[tuple[TileId, ...], ...]


class InspectGame:
    """Shows versions, clocks, seats, sizes and errors of any game."""

    def __init__(
        self, inspector: GameInspector, errors: RecentErrors, audit: Audit, clock: Clock
    ) -> None:
        self._inspector = inspector
        self._errors = errors
        self._audit = audit
        self._clock = clock

    async def __call__(
        self, caller: Caller, game_id: GameId, call_id: str, *, reveal_hands: bool
    ) -> InspectionAnswer:
        """Return what an operator may see of a game.

        Args:
            caller: who asks.
            game_id: the game.
            call_id: what the log calls the call.
            reveal_hands: whether the hands of the live round are asked for.

        Raises:
            Refused: ``PERMISSION_DENIED`` or ``UNAUTHENTICATED``, the caller is no operator,
                or one who may not see hands.
            GameNotFoundError: nothing is stored under that name.
            StoreUnavailableError: the store does not answer.
        """
        require_allowed(caller, Action.INSPECT_GAME)
        if not isinstance(caller, OperatorCaller):
            raise Refused(UNAUTHENTICATED)
        if reveal_hands and not caller.reveals:
            self._audit.hands_refused(caller.operator, game_id, call_id)
            raise Refused(
                PERMISSION_DENIED,
                action="InspectGame with hands",
                needed="an operator who may reveal them",
            )
        stored = await self._inspector.inspect(game_id)
        game = stored.game
        if reveal_hands and game is not None:
            self._audit.hands_revealed(caller.operator, game_id, game.version, call_id)
        receipts = 0 if game is None else len(game.receipts) + (game.creation is not None)
        return InspectionAnswer(
            game=None if game is None else game_answer(game, caller, self._clock.moment(game_id)),
            platform_id=PlatformId("") if game is None else game.platform_id,
            token_generations=() if game is None else _generations(game),
            receipts=receipts,
            stored=stored,
            recent_errors=self._errors.of_game(game_id),
            hands=_hands(game) if reveal_hands else (),
        )


def _generations(game: HostedGame) -> tuple[int, ...]:
    return tuple(holder.token_generation for holder in game.seats)


def _hands(game: HostedGame | None) -> tuple[tuple[TileId, ...], ...]:
    if game is None or game.state.round is None:
        return ()
    return tuple(tuple(tiles_in(hand)) for hand in game.state.round.hands)
