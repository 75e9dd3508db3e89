"""Why a call is refused: one exception, and the one table of its kinds.

Reasons and codes are those of the contract; ``error_reason.proto`` documents each and its facts.
Errors of the rules are in the engine, those of the store in ``ports``; ``rpc.error_status`` turns
all of them into a status.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mextrain_service.application.answers import TableAnswer

Fact = str | int | float


@dataclass(frozen=True, slots=True, eq=False)
class ErrorKind:
    """One row of the table; kinds that share a reason differ in their message.

    Attributes:
        reason: the stable name, without the contract's prefix.
        code: the canonical code of ``google.rpc.Code``.
        message: one sentence, with the facts in braces.
        facts: the facts that never vary.
    """

    reason: str
    code: str
    message: str
    facts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


_KINDS: list[ErrorKind] = []


def _kind(reason: str, code: str, message: str, **facts: str) -> ErrorKind:
    kind = ErrorKind(reason, code, message, facts)
    _KINDS.append(kind)
    return kind


ROUND_IN_PROGRESS: Final = _kind(
    "ROUND_IN_PROGRESS",
    "FAILED_PRECONDITION",
    "round {round} is not over, so the next cannot be dealt",
)
STALE_VERSION: Final = _kind(
    "STALE_VERSION", "ABORTED", "the game is at version {version}, not {expected_version}"
)
VERSION_NOT_SHOWN: Final = _kind(
    "STALE_VERSION", "ABORTED", "the game is not at version {expected_version}"
)
REQUEST_ID_REUSED: Final = _kind(
    "REQUEST_ID_REUSED",
    "ALREADY_EXISTS",
    "request_id was already used for a different request",
)
SEAT_OPEN: Final = _kind(
    "SEAT_OPEN",
    "FAILED_PRECONDITION",
    "seat {seat} is open, so the round cannot be dealt",
)
SEAT_TAKEN: Final = _kind("SEAT_TAKEN", "ALREADY_EXISTS", "seat {seat} is taken")
SEAT_RESIGNED: Final = _kind(
    "SEAT_RESIGNED", "FAILED_PRECONDITION", "seat {seat} has resigned, which is final"
)
SEAT_NOT_HELD: Final = _kind("SEAT_NOT_HELD", "FAILED_PRECONDITION", "no person holds seat {seat}")
PLAYER_SEATED: Final = _kind(
    "PLAYER_SEATED", "ALREADY_EXISTS", "this player already holds seat {seat} of the game"
)
ROUND_NOT_NEXT: Final = _kind(
    "ROUND_NOT_NEXT", "FAILED_PRECONDITION", "round {next} is dealt next, not round {round}"
)
NO_ROUND_NEXT: Final = _kind(
    "ROUND_NOT_NEXT", "FAILED_PRECONDITION", "no further round is dealt", next="0"
)
ENTROPY_ADDED: Final = _kind(
    "ENTROPY_ADDED",
    "ALREADY_EXISTS",
    "this seat has already added entropy to round {round}",
)
CONTENTION: Final = _kind(
    "CONTENTION", "ABORTED", "other writes changed the game during {attempts} attempts; retry"
)
GAME_NOT_FOUND: Final = _kind("GAME_NOT_FOUND", "NOT_FOUND", "unknown game")
HISTORY_CHANGED: Final = _kind(
    "HISTORY_CHANGED", "ABORTED", "the store lost writes, so the game has another history now"
)
GAME_DAMAGED: Final = _kind(
    "GAME_DAMAGED",
    "DATA_LOSS",
    "the stored game is damaged and cannot be changed",
)
HISTORY_GONE: Final = _kind(
    "HISTORY_GONE",
    "FAILED_PRECONDITION",
    "the events of this game are no longer available; read its current state",
)
PRESET_NOT_FOUND: Final = _kind(
    "PRESET_NOT_FOUND", "NOT_FOUND", "unknown preset '{preset:.40}'; did you mean '{nearest}'?"
)
UNAUTHENTICATED: Final = _kind(
    "UNAUTHENTICATED",
    "UNAUTHENTICATED",
    "this call needs a credential: an API key or the token of a seat",
)
CREDENTIAL_MALFORMED: Final = _kind(
    "TOKEN_INVALID",
    "UNAUTHENTICATED",
    "invalid credential; send 'authorization: Bearer <credential>'",
    cause="malformed",
)
TOKEN_FORGED: Final = _kind(
    "TOKEN_INVALID",
    "UNAUTHENTICATED",
    "invalid token signature",
    cause="forged",
)
API_KEY_UNKNOWN: Final = _kind(
    "TOKEN_INVALID",
    "UNAUTHENTICATED",
    "unknown API key",
    cause="unknown_key",
)
ISSUER_UNKNOWN: Final = _kind(
    "TOKEN_INVALID",
    "UNAUTHENTICATED",
    "unknown token issuer",
    cause="unknown_issuer",
)
AUDIENCE_WRONG: Final = _kind(
    "TOKEN_INVALID",
    "UNAUTHENTICATED",
    "the token is for another audience",
    cause="wrong_audience",
)
TOKEN_EARLY: Final = _kind(
    "TOKEN_INVALID", "UNAUTHENTICATED", "the token is not valid yet", cause="not_yet_valid"
)
TOKEN_EXPIRED: Final = _kind("TOKEN_EXPIRED", "UNAUTHENTICATED", "the token has expired")
TOKEN_SUPERSEDED: Final = _kind(
    "TOKEN_SUPERSEDED",
    "UNAUTHENTICATED",
    "this token was replaced by a newer token for the same seat",
)
PERMISSION_DENIED: Final = _kind(
    "PERMISSION_DENIED", "PERMISSION_DENIED", "{action} is only for {needed}"
)
SEAT_NOT_YOURS: Final = _kind(
    "SEAT_NOT_YOURS",
    "PERMISSION_DENIED",
    "seat {seat} is not yours; your token is for seat {your_seat}",
)
FIXED_SEED_DISABLED: Final = _kind(
    "FIXED_SEED_DISABLED",
    "PERMISSION_DENIED",
    "this service does not host games with a fixed seed",
)
SPECTATORS_NOT_ALLOWED: Final = _kind(
    "SPECTATORS_NOT_ALLOWED", "PERMISSION_DENIED", "this table does not allow spectators"
)
FIELD_INVALID: Final = _kind("FIELD_INVALID", "INVALID_ARGUMENT", "")
RULE_SET_INVALID: Final = _kind("RULE_SET_INVALID", "INVALID_ARGUMENT", "")
TILE_MALFORMED: Final = _kind("TILE_MALFORMED", "INVALID_ARGUMENT", "")
MOVE_MALFORMED: Final = _kind("MOVE_MALFORMED", "INVALID_ARGUMENT", "")
REQUEST_TOO_LARGE: Final = _kind(
    "REQUEST_TOO_LARGE",
    "RESOURCE_EXHAUSTED",
    "the request has {size_bytes} bytes, more than the limit of {limit_bytes}",
)
STORE_UNAVAILABLE: Final = _kind(
    "STORE_UNAVAILABLE",
    "UNAVAILABLE",
    "the store does not respond; retry with the same request_id",
)
SHUTTING_DOWN: Final = _kind(
    "SHUTTING_DOWN",
    "UNAVAILABLE",
    "this server is shutting down; retry, and another server takes the call",
)
DEADLINE_EXCEEDED: Final = _kind(
    "DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED", "the call took longer than {limit_s:g} s"
)
RATE_LIMITED: Final = {
    scope: _kind(
        "RATE_LIMITED",
        "RESOURCE_EXHAUSTED",
        f"too many {what}; try again later",
        scope=scope,
    )
    for scope, what in {
        "caller": "calls of this caller",
        "spectators": "calls of spectators of this game",
        "caller_streams": "open streams of this caller",
        "spectator_streams": "open streams of spectators of this game",
    }.items()
}
"""The kind for each scope of a limit."""
OVERLOADED: Final = _kind(
    "OVERLOADED",
    "UNAVAILABLE",
    "this server is overloaded; retry, and another server may take the call",
)
READER_TOO_SLOW: Final = _kind(
    "READER_TOO_SLOW",
    "RESOURCE_EXHAUSTED",
    "the stream was read too slowly; watch again after its last cursor",
)
TOO_MANY_WATCHERS: Final = _kind(
    "TOO_MANY_WATCHERS",
    "RESOURCE_EXHAUSTED",
    "this server has too many streams; try again over a new connection",
)
UNIMPLEMENTED: Final = _kind("UNIMPLEMENTED", "UNIMPLEMENTED", "unknown method {method}")
GAME_FINISHED: Final = _kind("GAME_FINISHED", "FAILED_PRECONDITION", "the match is over")
INTERNAL: Final = _kind(
    "INTERNAL",
    "INTERNAL",
    "internal error; the log of the service has the cause by this ID",
)
"""The kind of every unexpected exception: a caller gets no details."""

ERROR_KINDS: Final = tuple(_KINDS)
"""The table; the reasons for which the rules reject a move are the engine's ``Reason``."""


class Refused(Exception):  # noqa: N818 - it is no error of the service
    """The service refuses a call on purpose. Nothing was changed.

    Attributes:
        kind: the row of the table.
        facts: the facts of the message; ``retry_after_s`` says when the same call may succeed,
            in seconds.
    """

    def __init__(self, kind: ErrorKind, /, **facts: Fact) -> None:
        self.kind = kind
        self.facts: Mapping[str, Fact] = {**kind.facts, **facts}
        super().__init__(kind.message.format_map(self.facts))


class TokenSupersededError(Refused):
    """A newer token was issued for the seat; this one is invalid."""

    def __init__(self) -> None:
        super().__init__(TOKEN_SUPERSEDED)


class HistoryGoneError(Refused):
    """The events of the game are no longer available; its current state is."""

    def __init__(self, version: int) -> None:
        super().__init__(HISTORY_GONE, version=version)


class StaleVersionError(Refused):
    """The game is no longer at the version that the caller expects.

    Attributes:
        table: the table now, as this caller may see it; None for one who may not look at the game.
    """

    def __init__(self, expected: int, table: TableAnswer | None) -> None:
        if table is None:
            super().__init__(VERSION_NOT_SHOWN, expected_version=expected)
        else:
            super().__init__(STALE_VERSION, version=table.version, expected_version=expected)
        self.table = table


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One invalid field of a request.

    Attributes:
        field: its path in the request, like ``seats[2].player_id``.
        code: stable and machine-readable, like ``REQUIRED``.
        description: what is accepted, in a few words.
    """

    field: str
    code: str
    description: str


class InvalidRequestError(Refused):
    """A request has invalid fields.

    Attributes:
        violations: all of them, in the order of the fields; at least one.
    """

    def __init__(
        self,
        violations: Sequence[FieldViolation],
        kind: ErrorKind = FIELD_INVALID,
        **facts: Fact,
    ) -> None:
        super().__init__(kind, **{"field": violations[0].field, **facts})
        self.violations = tuple(violations)

    def __str__(self) -> str:
        parts = ((each.field, each.description) for each in self.violations)
        return "; ".join(": ".join(filter(None, each)) for each in parts)


def token_expired(expired_ms: int) -> Refused:
    """Return the refusal of a token that expired, in milliseconds since the epoch."""
    moment = datetime.fromtimestamp(expired_ms / 1000, tz=UTC)
    return Refused(TOKEN_EXPIRED, expire_time=moment.strftime("%Y-%m-%dT%H:%M:%SZ"))


def invalid_field(field: str, code: str, description: str) -> InvalidRequestError:
    """Return the refusal of a request for one field."""
    return InvalidRequestError([FieldViolation(field, code, description)])
