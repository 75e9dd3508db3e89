"""Use case: make one or more moves of a seat."""

from __future__ import annotations

from mextrain_engine import Move
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.answers import (
    TableAnswer,
    TableEvent,
    redacted,
    table_answer,
)
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller, SeatCaller
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.refused import (
    SEAT_NOT_YOURS,
    UNAUTHENTICATED,
    Refused,
)
from mextrain_service.application.seats import person_on
from mextrain_service.application.transactions import Change, Changed, Transactions


class PlayMove:
    """Makes a seat's moves, then plays on for bots and forced moves."""

    def __init__(self, transactions: Transactions, bots: BotPlayer) -> None:
        self._transactions = transactions
        self._bots = bots

    async def __call__(
        self,
        caller: Caller,
        game_id: GameId,
        moves: tuple[Move, ...],
        request_id: str = "",
        expected_version: int | None = None,
        seat: int | None = None,
    ) -> Changed:
        """Make moves of the caller's seat.

        Args:
            caller: who asks.
            game_id: the game.
            moves: at least one; all are made or none.
            request_id: names the request, so that its repetition moves nothing again; or empty.
            expected_version: the version that the caller decided on; None for whatever it is.
            seat: the seat that the caller means to move; None for that of its token.

        Returns:
            What came of it, with every secret in it.

        Raises:
            Refused: ``SEAT_NOT_YOURS``, the caller means another seat than its own.
            Refused: ``SEAT_RESIGNED``, the person left the seat for good.
            IllegalMoveError: the rules refuse one; it says which and why.
            StaleVersionError: the game moved on from ``expected_version``.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        own = _own_seat(caller, seat)

        def decide(game: HostedGame) -> Draft:
            person_on(game, own)
            draft = Draft(game)
            draft.play(own, moves)
            play_on(draft, self._bots)
            return draft

        body = [str(move) for move in moves], expected_version
        mark = mark_request(
            caller, request_id, "play_move", game_id, *body, expected_version=expected_version
        )
        change = Change(caller, Action.PLAY_MOVE, game_id, expected_version, mark, decide)
        return await self._transactions.carry_out(change)

    def answer(self, caller: Caller, made: Changed) -> tuple[TableAnswer, tuple[TableEvent, ...]]:
        """Return what the caller may know of the table after its moves, and of what happened."""
        return table_answer(made.game, caller, made.at), redacted(made.events, caller)


def _own_seat(caller: Caller, meant: int | None) -> int:
    """Return the seat that the caller's token holds, which is also the one that was meant."""
    if not isinstance(caller, SeatCaller):
        require_allowed(caller, Action.PLAY_MOVE)
        raise Refused(UNAUTHENTICATED)
    if meant is not None and meant != caller.seat:
        raise Refused(SEAT_NOT_YOURS, seat=meant, your_seat=caller.seat)
    return caller.seat
