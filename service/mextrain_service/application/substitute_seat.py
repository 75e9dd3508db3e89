"""Use case: hand a seat to a bot or to another person, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mextrain_service.application.access import Action, require_allowed, require_own_seat
from mextrain_service.application.answers import IssuedToken, game_answer, redacted
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller, PlatformCaller
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import (
    BotLevel,
    GameId,
    HostedGame,
    PlayerId,
    SeatChange,
    SeatHolder,
    SeatKind,
)
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.refused import PERMISSION_DENIED, SEAT_RESIGNED, Refused
from mextrain_service.application.seats import (
    NewHolder,
    SeatChangeAnswer,
    holder_of,
    person_on,
    require_match_goes_on,
    require_not_seated,
    tokens_issued,
)
from mextrain_service.application.tokens import TokenIssuer
from mextrain_service.application.transactions import Change, Changed, Transactions

_NOBODY = PlayerId("")


@dataclass(frozen=True, slots=True)
class HolderReturns:
    """The person who holds the seat plays again."""


Substitute = BotLevel | NewHolder | HolderReturns
"""Who is to play on: a bot for the time being, another person for good, or the holder again."""


@dataclass(frozen=True, slots=True)
class SubstituteSeatCommand:
    """What is asked.

    Attributes:
        game_id: the game.
        seat: the seat, 0-based.
        substitute: who is to play on.
        request_id: names the request, so that its repetition changes nothing more; or empty.
        expected_version: the version that the caller saw; None for whatever it is.
    """

    game_id: GameId
    seat: int
    substitute: Substitute
    request_id: str = ""
    expected_version: int | None = None


class SubstituteSeat:
    """Hands seats over."""

    def __init__(self, transactions: Transactions, bots: BotPlayer, issuer: TokenIssuer) -> None:
        self._transactions = transactions
        self._bots = bots
        self._issuer = issuer

    async def __call__(self, caller: Caller, command: SubstituteSeatCommand) -> SeatChangeAnswer:
        """Hand the seat over.

        A person whom a bot stands in for keeps the seat and its token, and is back at once when it
        says so. Another person gets a token of its own, and the one before is no longer good.

        Raises:
            Refused: ``SEAT_NOT_YOURS``, the caller means another seat than its own.
            Refused: ``PERMISSION_DENIED``, only a platform gives a seat to somebody else.
            Refused: ``SEAT_NOT_HELD``, no person is there to return.
            Refused: ``SEAT_RESIGNED``, the person left for good, so only somebody else can come.
            Refused: ``PLAYER_SEATED``, the player sits on another seat.
            Refused: ``GAME_FINISHED``, there is nothing left to play.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        require_allowed(caller, Action.SUBSTITUTE_SEAT)
        require_own_seat(caller, command.seat)
        if isinstance(command.substitute, NewHolder) and not isinstance(caller, PlatformCaller):
            raise Refused(
                PERMISSION_DENIED, action="SubstituteSeat with a person", needed="a platform"
            )

        def decide(game: HostedGame) -> Draft:
            require_match_goes_on(game)
            draft = Draft(game)
            _substitute(caller, command, game, draft)
            play_on(draft, self._bots)
            return draft

        changed = await self._transactions.carry_out(
            Change(
                caller=caller,
                action=Action.SUBSTITUTE_SEAT,
                game_id=command.game_id,
                expected_version=command.expected_version,
                mark=mark_request(
                    caller,
                    command.request_id,
                    "substitute_seat",
                    command,
                    expected_version=command.expected_version,
                ),
                decide=decide,
            )
        )
        return SeatChangeAnswer(
            game=game_answer(changed.game, caller, changed.at),
            events=redacted(changed.events, caller),
            token=self._token(command, changed),
        )

    def _token(self, command: SubstituteSeatCommand, changed: Changed) -> IssuedToken | None:
        if not isinstance(command.substitute, NewHolder):
            return None
        seat, game = command.seat, changed.game
        generation = game.seats[seat].token_generation - tokens_issued(changed.since, seat)
        return self._issuer.seat_token(game.game_id, seat, generation, changed.at.now_ms)


def _substitute(
    caller: Caller, command: SubstituteSeatCommand, game: HostedGame, draft: Draft
) -> None:
    seat, holder = command.seat, holder_of(game, command.seat)
    match command.substitute:
        case NewHolder() as person:
            require_not_seated(game, person.player_id, seat)
            draft.change_seat(seat, SeatChange.REASSIGNED, person.on(holder))
        case HolderReturns():
            person_on(game, seat)
            if holder.stand_in is not None:
                draft.change_seat(seat, SeatChange.RETURNED, replace(holder, stand_in=None))
        case BotLevel() as level:
            if holder.resigned and not isinstance(caller, PlatformCaller):
                raise Refused(SEAT_RESIGNED, seat=seat)
            draft.change_seat(seat, SeatChange.STOOD_IN, _played_by_bot(holder, level))


def _played_by_bot(holder: SeatHolder, level: BotLevel) -> SeatHolder:
    """Return the seat as a bot plays it on; an open one becomes the bot's own."""
    match holder.kind:
        case SeatKind.PERSON:
            return replace(holder, stand_in=level)
        case SeatKind.BOT:
            return replace(holder, bot_level=level)
        case SeatKind.OPEN:
            return SeatHolder(SeatKind.BOT, _NOBODY, bot_level=level, token_generation=0)
