"""Use case: leave a seat for good."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mextrain_service.application.access import Action, require_allowed, require_own_seat
from mextrain_service.application.answers import game_answer, redacted
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import GameId, HostedGame, SeatChange
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.seats import (
    SeatChangeAnswer,
    person_on,
    require_match_goes_on,
)
from mextrain_service.application.transactions import Change, Transactions


@dataclass(frozen=True, slots=True)
class ResignSeatCommand:
    """What is asked.

    Attributes:
        game_id: the game.
        seat: the seat, 0-based.
        request_id: names the request, so that its repetition is answered the same; or empty.
        expected_version: the version that the caller saw; None for whatever it is.
    """

    game_id: GameId
    seat: int
    request_id: str = ""
    expected_version: int | None = None


class ResignSeat:
    """Takes people off their seats; the table's policy says how the seat is played on."""

    def __init__(self, transactions: Transactions, bots: BotPlayer) -> None:
        self._transactions = transactions
        self._bots = bots

    async def __call__(self, caller: Caller, command: ResignSeatCommand) -> SeatChangeAnswer:
        """Resign the seat.

        Raises:
            Refused: ``SEAT_NOT_YOURS``, the caller means another seat than its own.
            Refused: ``SEAT_NOT_HELD``, no person holds it.
            Refused: ``SEAT_RESIGNED``, that has happened before.
            Refused: ``GAME_FINISHED``, there is nothing left to resign.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        require_allowed(caller, Action.RESIGN_SEAT)
        require_own_seat(caller, command.seat)

        def decide(game: HostedGame) -> Draft:
            holder = person_on(game, command.seat)
            require_match_goes_on(game)
            draft = Draft(game)
            gone = replace(holder, resigned=True, stand_in=None)
            draft.change_seat(command.seat, SeatChange.RESIGNED, gone)
            play_on(draft, self._bots)
            return draft

        changed = await self._transactions.carry_out(
            Change(
                caller=caller,
                action=Action.RESIGN_SEAT,
                game_id=command.game_id,
                expected_version=command.expected_version,
                mark=mark_request(
                    caller,
                    command.request_id,
                    "resign_seat",
                    command,
                    expected_version=command.expected_version,
                ),
                decide=decide,
            )
        )
        return SeatChangeAnswer(
            game=game_answer(changed.game, caller, changed.at),
            events=redacted(changed.events, caller),
        )
