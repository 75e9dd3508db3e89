"""Use case: take an open seat, or get a new token for one's own."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from mextrain_service.application.access import Action, require_allowed, require_own_seat
from mextrain_service.application.answers import game_answer, redacted
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import (
    Caller,
    InvitedCaller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
)
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    PlayerId,
    SeatChange,
    SeatHolder,
    SeatKind,
)
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.refused import (
    PERMISSION_DENIED,
    SEAT_TAKEN,
    Refused,
    TokenSupersededError,
    invalid_field,
)
from mextrain_service.application.seats import (
    NewHolder,
    SeatChangeAnswer,
    holder_of,
    person_on,
    require_not_seated,
    tokens_issued,
    with_new_token,
)
from mextrain_service.application.tokens import TokenIssuer
from mextrain_service.application.transactions import Change, Changed, Transactions

SECRET_REQUEST_ID = 16
"""Characters of a request id from which on it also proves who asked. A repeated rotation comes with
a token that is no longer good, and its request id is all that tells its sender from a thief."""


@dataclass(frozen=True, slots=True)
class ClaimSeatCommand:
    """What is asked.

    Attributes:
        game_id: the game.
        seat: the seat, 0-based.
        player_id: for whom a platform takes the seat; None from everyone else, and when it asks
            for a new token of whoever sits there.
        display_name: what the others are shown of whoever takes an open seat.
        request_id: names the request, so that its repetition changes nothing more; or empty.
        expected_version: the version that the caller saw; None for whatever it is.
    """

    game_id: GameId
    seat: int
    player_id: PlayerId | None = None
    display_name: str = ""
    request_id: str = ""
    expected_version: int | None = None


class ClaimSeat:
    """Puts people on open seats, and replaces tokens."""

    def __init__(self, transactions: Transactions, bots: BotPlayer, issuer: TokenIssuer) -> None:
        self._transactions = transactions
        self._bots = bots
        self._issuer = issuer

    async def __call__(self, caller: Caller, command: ClaimSeatCommand) -> SeatChangeAnswer:
        """Take the open seat, or replace the token of a person's seat.

        Who is invited takes the seat of the invitation. A platform takes an open seat for a player
        that it names, or replaces the token of a seat when it names none. A player takes any open
        seat, with that account. A seat replaces its own token, and so does a player with the seat
        that is bound to the account; they have the seat back if a bot stood in.

        Raises:
            Refused: ``SEAT_NOT_YOURS``, the caller means another seat than its own.
            Refused: ``SEAT_TAKEN``, somebody was faster.
            Refused: ``PLAYER_SEATED``, the player sits on another seat.
            Refused: ``SEAT_NOT_HELD`` or ``SEAT_RESIGNED``, there is nobody to have a new token.
            InvalidRequestError: a player chose the name of somebody at the table.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        require_allowed(caller, Action.CLAIM_SEAT)
        require_own_seat(caller, command.seat)
        if command.player_id is not None and not isinstance(caller, PlatformCaller):
            raise Refused(
                PERMISSION_DENIED, action="ClaimSeat with a player_id", needed="a platform"
            )

        def decide(game: HostedGame) -> Draft:
            draft = Draft(game)
            self._claim(caller, command, game, draft)
            play_on(draft, self._bots)
            return draft

        mark = mark_request(
            caller,
            command.request_id,
            "claim_seat",
            command,
            expected_version=command.expected_version,
        )
        changed = await self._transactions.carry_out(
            Change(
                caller=caller,
                action=Action.CLAIM_SEAT,
                game_id=command.game_id,
                expected_version=command.expected_version,
                mark=mark,
                decide=decide,
                outlives_token=len(command.request_id) >= SECRET_REQUEST_ID,
            )
        )
        return self._answer(caller, command.seat, changed)

    def _claim(
        self, caller: Caller, command: ClaimSeatCommand, game: HostedGame, draft: Draft
    ) -> None:
        seat, holder = command.seat, holder_of(game, command.seat)
        person = _newcomer(caller, command, holder)
        if person is not None:
            by_player = not isinstance(caller, PlatformCaller)
            taken = _taken(game, seat, person, chosen_by_player=by_player)
            draft.change_seat(seat, SeatChange.CLAIMED, taken)
            return
        if holder.kind is SeatKind.OPEN:
            found = "the player who takes the open seat"
            raise invalid_field("player_id", "REQUIRED", found)
        person_on(game, seat)
        renewed = with_new_token(holder)
        draft.change_seat(seat, SeatChange.TOKEN_ROTATED, renewed)
        if not isinstance(caller, PlatformCaller) and holder.stand_in is not None:
            draft.change_seat(seat, SeatChange.RETURNED, replace(renewed, stand_in=None))

    def _answer(self, caller: Caller, seat: int, changed: Changed) -> SeatChangeAnswer:
        latest = changed.game.seats[seat].token_generation
        generation = latest - tokens_issued(changed.since, seat)
        if isinstance(caller, SeatCaller) and caller.generation < latest != generation:
            raise TokenSupersededError
        game_id = changed.game.game_id
        viewer = caller
        if isinstance(caller, InvitedCaller | PlayerCaller):
            viewer = SeatCaller(game_id, seat, generation)
        return SeatChangeAnswer(
            game=game_answer(changed.game, viewer, changed.at),
            events=redacted(changed.events, viewer),
            token=self._issuer.seat_token(game_id, seat, generation, changed.at.now_ms),
        )


def _newcomer(caller: Caller, command: ClaimSeatCommand, holder: SeatHolder) -> NewHolder | None:
    """Return who is to sit down; None when whoever sits there is to have a new token.

    Raises:
        Refused: ``SEAT_TAKEN``, a player means the seat of somebody else.
    """
    match caller:
        case InvitedCaller():
            return NewHolder(PlayerId(""), command.display_name)
        case PlayerCaller(player_id=player_id):
            if holder.kind is SeatKind.OPEN:
                return NewHolder(player_id, command.display_name)
            if holder.player_id != player_id:
                raise Refused(SEAT_TAKEN, seat=command.seat)
            return None
        case _ if command.player_id is not None:
            return NewHolder(command.player_id, command.display_name)
        case _:
            return None


def _taken(game: HostedGame, seat: int, person: NewHolder, *, chosen_by_player: bool) -> SeatHolder:
    """Return the open seat with the person on it.

    Raises:
        Refused: ``SEAT_TAKEN``, it is not open.
        Refused: ``PLAYER_SEATED``, the person sits on another one.
        InvalidRequestError: the person chose the name of somebody at the table.
    """
    holder = holder_of(game, seat)
    if holder.kind is not SeatKind.OPEN:
        raise Refused(SEAT_TAKEN, seat=seat)
    require_not_seated(game, person.player_id, seat)
    if chosen_by_player and person.display_name:
        _require_name_free(game, person.display_name)
    return person.on(holder)


def _require_name_free(game: HostedGame, name: str) -> None:
    """Return unless somebody at the table has a name that looks the same.

    Raises:
        InvalidRequestError: somebody has.
    """
    if any(_folded(name) == _folded(holder.display_name) for holder in game.seats):
        raise invalid_field("display_name", "DUPLICATE", "somebody at the table has this name")


def _folded(name: str) -> str:
    """Return what all names have in common that look the same but for case, width and spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
