"""Who sits where, as stored messages, and back."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from mextrain.store.v1 import game_pb2 as pb

from mextrain_service.application.model import BotLevel, PlayerId, SeatHolder, SeatKind
from mextrain_service.storage.errors import CorruptGameError

_LEVELS = {
    None: pb.BOT_LEVEL_UNSPECIFIED,
    BotLevel.PASS: pb.BOT_LEVEL_PASS,
    BotLevel.RANDOM: pb.BOT_LEVEL_RANDOM,
    BotLevel.GREEDY: pb.BOT_LEVEL_GREEDY,
    BotLevel.PLANNER: pb.BOT_LEVEL_PLANNER,
}
_LEVEL_OF = {stored: level for level, stored in _LEVELS.items()}

_UUID_BYTES = 16
_NOTHING_TO_SAY = pb.Seat()


def encode_seats(seats: Sequence[SeatHolder]) -> tuple[list[pb.Seat], bytes]:
    """Return seats as they are stored, and their accounts beside them if those are UUIDs."""
    accounts = b"".join(_uuid_of(seat.player_id) for seat in seats)
    apart = len(accounts) == _UUID_BYTES * len(seats)
    stored = [_encode_seat(seat, "" if apart else seat.player_id) for seat in seats]
    if not apart:
        return stored, b""
    return ([] if all(seat == _NOTHING_TO_SAY for seat in stored) else stored), accounts


def decode_seats(stored: pb.Game) -> tuple[SeatHolder, ...]:
    """Return the seats of a stored game.

    Raises:
        CorruptGameError: there are not as many accounts as seats.
        KeyError: a seat holds what none can have.
    """
    if not stored.accounts:
        return tuple(_decode_seat(seat, seat.player_id) for seat in stored.seats)
    starts = range(0, len(stored.accounts), _UUID_BYTES)
    uuids = [stored.accounts[start : start + _UUID_BYTES] for start in starts]
    seats = list(stored.seats) or [_NOTHING_TO_SAY] * len(uuids)
    if len(seats) != len(uuids) or len(uuids[-1]) != _UUID_BYTES:
        raise CorruptGameError("a snapshot does not have an account for each seat")
    return tuple(
        _decode_seat(seat, str(UUID(bytes=uuid))) for seat, uuid in zip(seats, uuids, strict=True)
    )


def _uuid_of(account: str) -> bytes:
    """Return the bytes of an account that is a UUID in its usual form, else nothing."""
    try:
        uuid = UUID(account)
    except ValueError:
        return b""
    return uuid.bytes if str(uuid) == account else b""


def _encode_seat(seat: SeatHolder, player_id: str) -> pb.Seat:
    return pb.Seat(
        player_id=player_id,
        display_name=seat.display_name,
        bot_level=_LEVELS[seat.bot_level],
        open=seat.kind is SeatKind.OPEN,
        token_reissues=seat.token_generation - 1,
        stand_in=_LEVELS[seat.stand_in],
        resigned=seat.resigned,
    )


def _decode_seat(stored: pb.Seat, player_id: str) -> SeatHolder:
    level = _LEVEL_OF[stored.bot_level]
    return SeatHolder(
        kind=SeatKind.OPEN if stored.open else SeatKind.BOT if level else SeatKind.PERSON,
        player_id=PlayerId(player_id),
        display_name=stored.display_name,
        bot_level=level,
        token_generation=stored.token_reissues + 1,
        stand_in=_LEVEL_OF[stored.stand_in],
        resigned=stored.resigned,
    )
