"""Use case: make one or more moves of a seat."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_engine import Move
from mextrain_service.application.access import Action, require_allowed, viewer_seat
from mextrain_service.application.answers import ChangeAnswer
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller
from mextrain_service.application.changing import Change, GameChanger
from mextrain_service.application.errors import NotAuthenticatedError
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.table import Table


@dataclass(frozen=True, slots=True)
class PlayMoveCommand:
    """What is asked.

    Attributes:
        game_id: the game.
        moves: at least one; all are made or none.
        request_id: names the request, so that its repetition moves nothing again; or empty.
        expected_version: the version that the caller decided on; None for whatever it is.
    """

    game_id: GameId
    moves: tuple[Move, ...]
    request_id: str = ""
    expected_version: int | None = None


class PlayMove:
    """Makes a seat's moves, then plays on for bots and forced moves."""

    def __init__(self, changer: GameChanger, bots: BotPlayer) -> None:
        self._changer = changer
        self._bots = bots

    async def __call__(self, caller: Caller, command: PlayMoveCommand) -> ChangeAnswer:
        """Make the moves of the caller's seat.

        Raises:
            IllegalMoveError: the rules refuse one; it says which and why.
            StaleVersionError: the game moved on from ``expected_version``.
            ApplicationError, GameNotFoundError, StoreUnavailableError: as ``GameChanger`` says.
        """
        require_allowed(caller, Action.PLAY_MOVE)
        seat = viewer_seat(caller)
        if seat is None:
            raise NotAuthenticatedError

        def decide(game: HostedGame) -> Table:
            table = Table(game)
            table.play(seat, command.moves)
            table.play_on(self._bots)
            return table

        mark = mark_request(
            caller,
            command.request_id,
            "play_move",
            command.game_id,
            [str(move) for move in command.moves],
            command.expected_version,
        )
        return await self._changer.carry_out(
            Change(
                caller=caller,
                action=Action.PLAY_MOVE,
                game_id=command.game_id,
                expected_version=command.expected_version,
                mark=mark,
                decide=decide,
            )
        )
