"""Why a use case refuses, each with its facts as data.

The rules' own refusals are the engine's errors and the store's are in ``ports``. Nothing here
knows a status code; ``transport.error_table`` gives every one of them its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mextrain_service.application.answers import TableAnswer


class ApplicationError(Exception):
    """The base of what a use case raises on purpose. Nothing was changed."""


class NotAuthenticatedError(ApplicationError):
    """The call needs a credential and came with none."""

    def __init__(self) -> None:
        super().__init__("this call needs a credential: an API key or a token of a seat")


class CallerNotAllowedError(ApplicationError):
    """Such a caller never may do this, whatever the game.

    Attributes:
        action: what was asked.
        needed: who may, in words.
    """

    def __init__(self, action: str, needed: str) -> None:
        super().__init__(f"{action} is for {needed}")
        self.action = action
        self.needed = needed


class SeatNotYoursError(ApplicationError):
    """The request names a seat that the credential does not hold.

    Attributes:
        seat: the seat that was named, 0-based.
        your_seat: the seat that the credential holds.
    """

    def __init__(self, seat: int, your_seat: int) -> None:
        super().__init__(f"seat {seat} is not yours; your token is for seat {your_seat}")
        self.seat = seat
        self.your_seat = your_seat


class TokenSupersededError(ApplicationError):
    """The seat's token was issued anew since; this one is no longer good."""

    def __init__(self) -> None:
        super().__init__("this token was replaced by a newer one for the same seat")


class SpectatorsNotAllowedError(ApplicationError):
    """The table does not let anyone watch."""

    def __init__(self) -> None:
        super().__init__("this table has no spectators")


class StaleVersionError(ApplicationError):
    """The game moved on from the version that the caller decided on.

    Attributes:
        expected: the version that the caller named.
        current: the version of the game now.
        table: the table now, as this caller may see it.
    """

    def __init__(self, expected: int, table: TableAnswer) -> None:
        super().__init__(f"the game is at version {table.version}, not at {expected}")
        self.expected = expected
        self.current = table.version
        self.table = table


class RequestIdReusedError(ApplicationError):
    """The request id was used before, for something else.

    Attributes:
        request_id: the id.
    """

    def __init__(self, request_id: str) -> None:
        super().__init__("this request_id was already used for a different request")
        self.request_id = request_id


class RoundInProgressError(ApplicationError):
    """A round is live, so that none can be dealt.

    Attributes:
        number: the round, 1-based.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"round {number} is not over; the next is dealt after it")
        self.number = number


class SeatOpenError(ApplicationError):
    """A round cannot be dealt while nobody sits on a seat.

    Attributes:
        seat: the first such seat, 0-based.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is open; the round is dealt when somebody sits there")
        self.seat = seat


class SeatTakenError(ApplicationError):
    """Somebody sits on the seat already; whoever came first has it.

    Attributes:
        seat: the seat, 0-based.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is taken")
        self.seat = seat


class SeatResignedError(ApplicationError):
    """The person left the seat for good.

    Attributes:
        seat: the seat, 0-based.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} was resigned, and that is final")
        self.seat = seat


class SeatNotHeldError(ApplicationError):
    """No person holds the seat: it is open or a bot's.

    Attributes:
        seat: the seat, 0-based.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(f"no person holds seat {seat}")
        self.seat = seat


class PlayerSeatedError(ApplicationError):
    """The player sits on another seat of the game already.

    Attributes:
        seat: that seat, 0-based.
    """

    def __init__(self, seat: int) -> None:
        super().__init__(f"this player sits on seat {seat} of the game already")
        self.seat = seat


class GameOverError(ApplicationError):
    """The match is over, so nothing becomes of its seats any more."""

    def __init__(self) -> None:
        super().__init__("the match is over")


class RoundNotNextError(ApplicationError):
    """Nobody can add to the chance of that round: it is not the one that is dealt next.

    Attributes:
        number: the round that was meant, 1-based; 0 for whichever is next.
        next_number: the round that is dealt next; 0 when there is none.
    """

    def __init__(self, number: int, next_number: int) -> None:
        which = f"round {next_number} is dealt next" if next_number else "no further round is dealt"
        super().__init__(which if not number else f"{which}, not round {number}")
        self.number = number
        self.next_number = next_number


class EntropyAddedError(ApplicationError):
    """The seat has added to the chance of the next round already.

    Attributes:
        number: the round, 1-based.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"this seat has already added to the chance of round {number}")
        self.number = number


class HistoryGoneError(ApplicationError):
    """What happened in the game cannot be told any more; how it stands can.

    Attributes:
        version: the game's version now.
    """

    def __init__(self, version: int) -> None:
        super().__init__("the history of this game is gone; read the game as it stands")
        self.version = version


class HistoryChangedError(ApplicationError):
    """What the caller read is of a history that the game no longer has.

    Attributes:
        version: the game's version now.
    """

    def __init__(self, version: int) -> None:
        super().__init__("the store went back in time: the game has another history now")
        self.version = version


class ReaderTooSlowError(ApplicationError):
    """A watcher takes less than happens, and is not waited for; it may come back at once.

    Attributes:
        resume: the cursor up to which everything was sent.
        retry_after_s: when to come back, in seconds.
    """

    def __init__(self, resume: str) -> None:
        super().__init__("this stream is read too slowly; watch again from where it ended")
        self.resume = resume
        self.retry_after_s = 0.1


class TooManyWatchersError(ApplicationError):
    """This worker carries as many streams as it may.

    Attributes:
        retry_after_s: when to come back, in seconds.
    """

    def __init__(self) -> None:
        super().__init__("this server has no room for another stream; another one may")
        self.retry_after_s = 1.0


class ShuttingDownError(ApplicationError):
    """The server is about to stop; another one goes on.

    Attributes:
        retry_after_s: when to try again, in seconds.
    """

    def __init__(self) -> None:
        super().__init__("this server is stopping; another one takes the call")
        self.retry_after_s = 0.1


class PresetNotFoundError(ApplicationError):
    """There is no preset of that name.

    Attributes:
        preset: the name.
        nearest: a preset that exists and is written most like it.
    """

    def __init__(self, preset: str, nearest: str) -> None:
        super().__init__(f"there is no preset {preset[:40]!r}; did you mean {nearest!r}?")
        self.preset = preset
        self.nearest = nearest


class FixedSeedDisabledError(ApplicationError):
    """Games with a fixed seed are not fair, and this service does not host them."""

    def __init__(self) -> None:
        super().__init__("this service does not host games with a fixed seed")


class ContentionError(ApplicationError):
    """Other writers of the same game were faster each time; the request can simply be repeated.

    Attributes:
        attempts: how often it was tried.
        retry_after_s: when to try again, in seconds.
    """

    def __init__(self, attempts: int) -> None:
        super().__init__(f"the game was changed by others during {attempts} attempts")
        self.attempts = attempts
        self.retry_after_s = 0.1


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request that cannot be accepted.

    Attributes:
        field: its path in the request, like ``seats[2].player_id``.
        code: stable and machine-readable, like ``REQUIRED``.
        description: one sentence that says what is accepted.
    """

    field: str
    code: str
    description: str


class FieldInvalidError(ApplicationError):
    """A request is malformed. Carries every violation at once, in the order of the fields.

    Attributes:
        violations: at least one.
    """

    def __init__(self, violations: Sequence[FieldViolation]) -> None:
        told = ((each.field, each.description) for each in violations)
        super().__init__("; ".join(": ".join(filter(None, each)) for each in told))
        self.violations = tuple(violations)
