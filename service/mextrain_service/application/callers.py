"""Who is asking: the closed set of identities that a request can have."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.model import GameId, PlatformId, PlayerId


@dataclass(frozen=True, slots=True)
class PlatformCaller:
    """A platform's server, proved by an API key.

    Attributes:
        platform_id: which platform.
    """

    platform_id: PlatformId


@dataclass(frozen=True, slots=True)
class SeatCaller:
    """The holder of a seat of one game, proved by a seat token.

    Attributes:
        game_id: the only game that exists for this caller.
        seat: the seat, 0-based.
        generation: which issue of the seat's token it is; only the latest is good.
    """

    game_id: GameId
    seat: int
    generation: int


@dataclass(frozen=True, slots=True)
class SpectatorCaller:
    """Someone who may watch one game, proved by a spectator token.

    Attributes:
        game_id: the only game that exists for this caller.
    """

    game_id: GameId


@dataclass(frozen=True, slots=True)
class InvitedCaller:
    """Someone who may take one open seat of one game, proved by an invitation.

    Attributes:
        game_id: the only game that exists for this caller.
        seat: the seat, 0-based.
    """

    game_id: GameId
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerCaller:
    """A player of a platform, proved by the platform's own token; has the seats bound to it.

    In a game where the player has a seat this is a ``SeatCaller`` before a use case sees it; see
    ``PlayerSeats``.

    Attributes:
        platform_id: whose player.
        player_id: the account.
    """

    platform_id: PlatformId
    player_id: PlayerId


@dataclass(frozen=True, slots=True)
class OperatorCaller:
    """Somebody who runs the service, proved by an operator's key.

    Attributes:
        operator: who, for the audit log.
        reveals: may see what is hidden in live games.
    """

    operator: str
    reveals: bool


@dataclass(frozen=True, slots=True)
class Anonymous:
    """Someone who proved nothing."""


Caller = (
    PlatformCaller
    | SeatCaller
    | SpectatorCaller
    | InvitedCaller
    | PlayerCaller
    | OperatorCaller
    | Anonymous
)
"""Anyone who can ask."""


def caller_label(caller: Caller) -> bytes:
    """Return a text that tells this caller from any other of the same game.

    A seat stays the same caller when its token is renewed.
    """
    match caller:
        case PlatformCaller(platform_id):
            return b"platform " + platform_id.encode()
        case SeatCaller(seat=seat):
            return b"seat %d" % seat
        case SpectatorCaller():
            return b"spectator"
        case InvitedCaller(seat=seat):
            return b"invited %d" % seat
        case PlayerCaller(player_id=player_id):
            return b"player " + player_id.encode()
        case OperatorCaller(operator):
            return b"operator " + operator.encode()
        case Anonymous():
            return b"anonymous"


def viewer_seat(caller: Caller) -> int | None:
    """Return the seat whose hand the caller may see; None for callers who see only the table."""
    return caller.seat if isinstance(caller, SeatCaller) else None
