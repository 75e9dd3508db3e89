"""What use cases that change seats have in common: which seat, who is on it, who may be next."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mextrain_engine import Phase
from mextrain_service.application.answers import GameAnswer, IssuedToken, TableEvent
from mextrain_service.application.model import (
    HostedGame,
    LogEntry,
    PlayerId,
    SeatChange,
    SeatChanged,
    SeatHolder,
    SeatKind,
)
from mextrain_service.application.refused import (
    GAME_FINISHED,
    PLAYER_SEATED,
    SEAT_NOT_HELD,
    SEAT_RESIGNED,
    FieldViolation,
    InvalidRequestError,
    Refused,
)

_GREATEST_JUMP = 2**16
"""Of so many generations of a token, two histories share one by chance."""

_NEW_TOKEN = {SeatChange.CLAIMED, SeatChange.TOKEN_ROTATED, SeatChange.REASSIGNED}


@dataclass(frozen=True, slots=True)
class SeatChangeAnswer:
    """What became of a seat.

    Attributes:
        game: the game after it.
        events: what happened, in order, redacted for the caller.
        token: the credential of whoever holds the seat now; None when it stayed what it was.
    """

    game: GameAnswer
    events: tuple[TableEvent, ...]
    token: IssuedToken | None = None


@dataclass(frozen=True, slots=True)
class NewHolder:
    """A person who is to have a seat.

    Attributes:
        player_id: the account; empty for someone who came by invitation.
        display_name: what rivals may be shown; 0 to 64 characters.
    """

    player_id: PlayerId
    display_name: str

    def on(self, seat: SeatHolder) -> SeatHolder:
        """Return the seat with this person on it, and with a token of its own.

        The generation of the token jumps, so that it is not that of somebody who took the seat in a
        history that the store has lost: that token must not open this person's hand.
        """
        jump = 1 + secrets.randbelow(_GREATEST_JUMP)
        return SeatHolder(
            kind=SeatKind.PERSON,
            player_id=self.player_id,
            display_name=self.display_name,
            token_generation=seat.token_generation + jump,
        )


def holder_of(game: HostedGame, seat: int) -> SeatHolder:
    """Return who is on a seat.

    Raises:
        InvalidRequestError: the game has no such seat.
    """
    if not 0 <= seat < len(game.seats):
        last = len(game.seats) - 1
        raise InvalidRequestError(
            [FieldViolation("seat", "OUT_OF_RANGE", f"0 to {last}, not {seat}")]
        )
    return game.seats[seat]


def person_on(game: HostedGame, seat: int) -> SeatHolder:
    """Return the person on a seat.

    Raises:
        InvalidRequestError: the game has no such seat.
        Refused: ``SEAT_NOT_HELD``, no person holds it.
        Refused: ``SEAT_RESIGNED``, the person left it for good.
    """
    holder = holder_of(game, seat)
    if holder.kind is not SeatKind.PERSON:
        raise Refused(SEAT_NOT_HELD, seat=seat)
    if holder.resigned:
        raise Refused(SEAT_RESIGNED, seat=seat)
    return holder


def require_not_seated(game: HostedGame, player_id: PlayerId, seat: int) -> None:
    """Return unless the player sits on another seat: a credential must mean one seat.

    Raises:
        Refused: ``PLAYER_SEATED``, it does.
    """
    for other, holder in enumerate(game.seats):
        if other != seat and player_id and holder.player_id == player_id and not holder.resigned:
            raise Refused(PLAYER_SEATED, seat=other)


def require_match_goes_on(game: HostedGame) -> None:
    """Return unless the match is over.

    Raises:
        Refused: ``GAME_FINISHED``, it is.
    """
    if game.state.phase is Phase.FINISHED:
        raise Refused(GAME_FINISHED)


def with_new_token(holder: SeatHolder) -> SeatHolder:
    """Return the seat with another token; the one before is no longer good."""
    return replace(holder, token_generation=holder.token_generation + 1)


def tokens_issued(entries: Iterable[LogEntry], seat: int) -> int:
    """Return how often by these entries the token of a seat became another."""
    return sum(
        isinstance(entry, SeatChanged) and entry.seat == seat and entry.change in _NEW_TOKEN
        for entry in entries
    )
