"""Use case: let a seat add to the chance of the next deal."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.access import Action, require_allowed, require_own_seat
from mextrain_service.application.answers import GameAnswer, TableEvent, game_answer, redacted
from mextrain_service.application.callers import Caller
from mextrain_service.application.draft import Draft
from mextrain_service.application.entropy import has_added, next_deal
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.refused import (
    ENTROPY_ADDED,
    NO_ROUND_NEXT,
    ROUND_NOT_NEXT,
    Refused,
)
from mextrain_service.application.seats import person_on
from mextrain_service.application.transactions import Change, Transactions


@dataclass(frozen=True, slots=True)
class AddEntropyCommand:
    """What is asked.

    Attributes:
        game_id: the game.
        seat: the seat, 0-based.
        entropy: what it adds, 1 to 32 bytes.
        number: the round that it is meant for, 1-based; 0 for whichever is dealt next.
        request_id: names the request, so that its repetition adds nothing more; or empty.
        expected_version: the version that the caller saw; None for whatever it is.
    """

    game_id: GameId
    seat: int
    entropy: bytes
    number: int = 0
    request_id: str = ""
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class EntropyAnswer:
    """What came of it.

    Attributes:
        game: the game after it.
        events: what happened, in order, redacted for the caller.
        number: the round that it was added to, 1-based.
    """

    game: GameAnswer
    events: tuple[TableEvent, ...]
    number: int


class AddEntropy:
    """Takes what players add, once for each seat and deal."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def __call__(self, caller: Caller, command: AddEntropyCommand) -> EntropyAnswer:
        """Add to the chance of the next deal.

        Raises:
            Refused: ``SEAT_NOT_YOURS``, the caller means another seat than its own.
            Refused: ``ROUND_NOT_NEXT``, no further round is dealt, or another one than was meant.
            Refused: ``ENTROPY_ADDED``, the seat has added to it before.
            Refused: ``SEAT_RESIGNED``, the person left the seat for good.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        require_allowed(caller, Action.ADD_ENTROPY)
        require_own_seat(caller, command.seat)

        def decide(game: HostedGame) -> Draft:
            person_on(game, command.seat)
            number = next_deal(game.state) or 0
            if not number:
                raise Refused(NO_ROUND_NEXT, round=command.number)
            if command.number not in (0, number):
                raise Refused(ROUND_NOT_NEXT, round=command.number, next=number)
            if has_added(game.entropy, number, command.seat):
                raise Refused(ENTROPY_ADDED, round=number)
            draft = Draft(game)
            draft.add_entropy(command.seat, command.entropy)
            return draft

        changed = await self._transactions.carry_out(
            Change(
                caller=caller,
                action=Action.ADD_ENTROPY,
                game_id=command.game_id,
                expected_version=command.expected_version,
                mark=mark_request(
                    caller,
                    command.request_id,
                    "add_entropy",
                    command,
                    expected_version=command.expected_version,
                ),
                decide=decide,
            )
        )
        return EntropyAnswer(
            game=game_answer(changed.game, caller, changed.at),
            events=redacted(changed.events, caller),
            number=next_deal(changed.game.state) or 0,
        )
