"""Log entries as a few bytes each, mostly one or two, one after another without a separator.

| first byte | entry | second byte |
|------------|-------|-------------|
| 0 – 189    | the tile of that number was laid | train (high half) and seat (low half) |
| 190 – 203  | seat 0 – 13 drew                 | none |
| 204 – 217  | seat 0 – 13 passed               | none |
| 218 – 231  | seat 0 – 13 called its last tile | none |
| 232        | a round was dealt                | none |
| 233 – 246  | the turn of seat 0 – 13 was ended for it | none |
| 247        | something became of a seat       | what (high half), seat (low half), then a face |
| 248        | a seat added entropy             | seat, then a byte of length, then the entropy |

A face has 3 bytes. A train is the number of the seat that owns it, or 15 for the Mexican Train. The
other first bytes are free for entries to come; a worker that does not know one refuses the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from mextrain_engine import CALL, DRAW, MEXICAN, PASS, Move, MoveKind, play
from mextrain_service.application.model import (
    FACE_BYTES,
    MAX_ENTROPY_BYTES,
    Dealt,
    EntropyAdded,
    LogEntry,
    Moved,
    SeatChange,
    SeatChanged,
    Skipped,
)
from mextrain_service.storage.errors import CorruptGameError

_TILES = 190
_SEATS = 14
_MEXICAN_HALF = 15
_FIRST_BYTE = {MoveKind.DRAW: 190, MoveKind.PASS: 204, MoveKind.CALL: 218}
_DEAL = 232
_SKIP = 233
_SEAT_CHANGE = 247
_ENTROPY = 248
_DEALT = Dealt()

_ONE_BYTE: dict[int, LogEntry] = {
    _DEAL: _DEALT,
    **{
        _FIRST_BYTE[move.kind] + seat: Moved(seat, move)
        for move in (DRAW, PASS, CALL)
        for seat in range(_SEATS)
    },
    **{_SKIP + seat: Skipped(seat) for seat in range(_SEATS)},
}

_CHANGE_HALF = {
    SeatChange.CLAIMED: 0,
    SeatChange.TOKEN_ROTATED: 1,
    SeatChange.RESIGNED: 2,
    SeatChange.STOOD_IN: 3,
    SeatChange.RETURNED: 4,
    SeatChange.REASSIGNED: 5,
    SeatChange.TIMED_OUT: 6,
}
_CHANGE_OF = {half: change for change, half in _CHANGE_HALF.items()}


def encode_log(entries: Iterable[LogEntry]) -> bytes:
    """Return entries as they are appended to a log.

    >>> encode_log([Dealt(), Moved(2, DRAW)]).hex()
    'e8c0'
    """
    return b"".join(map(_encode_entry, entries))


def decode_log(log: bytes) -> tuple[LogEntry, ...]:
    """Return all entries of a log, oldest first; cost O(entries).

    >>> decode_log(bytes.fromhex("e8c0"))[0]
    Dealt()

    Raises:
        CorruptGameError: a byte stands for no entry, or the last entry is cut off.
    """
    rest = iter(log)
    return tuple([_decode_entry(first, rest) for first in rest])


def count_readable(log: bytes) -> int:
    """Return how many entries of a log can be read before the first one that cannot.

    >>> count_readable(bytes.fromhex("e8c0ff"))
    2
    """
    count, rest = 0, iter(log)
    with suppress(CorruptGameError):
        for first in rest:
            _decode_entry(first, rest)
            count += 1
    return count


def _encode_entry(entry: LogEntry) -> bytes:
    match entry:
        case Dealt():
            return bytes((_DEAL,))
        case Moved(seat, Move(MoveKind.PLAY, train, tile)):
            half = _MEXICAN_HALF if train == MEXICAN else train
            return bytes((tile, half << 4 | seat))
        case Moved(seat, Move(kind)):
            return bytes((_FIRST_BYTE[kind] + seat,))
        case Skipped(seat):
            return bytes((_SKIP + seat,))
        case SeatChanged(seat, change, face):
            return bytes((_SEAT_CHANGE, _CHANGE_HALF[change] << 4 | seat)) + face
        case EntropyAdded(seat, entropy):
            return bytes((_ENTROPY, seat, len(entropy))) + entropy


def _decode_entry(first: int, rest: Iterator[int]) -> LogEntry:
    if first < _TILES:
        return _decode_play(first, _next(rest))
    if first in _ONE_BYTE:
        return _ONE_BYTE[first]
    if first == _SEAT_CHANGE:
        return _decode_seat_change(rest)
    if first == _ENTROPY:
        return _decode_entropy(rest)
    raise CorruptGameError(f"byte {first} begins no log entry that this release knows")


def _decode_play(tile: int, where: int) -> Moved:
    half, seat = divmod(where, 16)
    if seat >= _SEATS or (half >= _SEATS and half != _MEXICAN_HALF):
        raise CorruptGameError(f"byte {where} names no train and seat")
    return Moved(seat, play(tile, MEXICAN if half == _MEXICAN_HALF else half))


def _decode_seat_change(rest: Iterator[int]) -> SeatChanged:
    what = _next(rest)
    half, seat = divmod(what, 16)
    change = _CHANGE_OF.get(half)
    if seat >= _SEATS or change is None:
        raise CorruptGameError(f"byte {what} names no seat and what became of it")
    return SeatChanged(seat, change, bytes(_next(rest) for _ in range(FACE_BYTES)))


def _decode_entropy(rest: Iterator[int]) -> EntropyAdded:
    seat, length = _next(rest), _next(rest)
    if seat >= _SEATS or not 1 <= length <= MAX_ENTROPY_BYTES:
        raise CorruptGameError(f"bytes {seat} and {length} name no seat and length of entropy")
    return EntropyAdded(seat, bytes(_next(rest) for _ in range(length)))


def _next(rest: Iterator[int]) -> int:
    """Return the next byte of an entry that has one.

    Raises:
        CorruptGameError: the log ends before it.
    """
    byte = next(rest, None)
    if byte is None:
        raise CorruptGameError("the last entry of a log is cut off")
    return byte
