"""Log entries as one or two bytes each, one after another without a separator.

Knows the application's log entries; nothing of whether a move is legal or where the bytes lie.

| first byte | entry | second byte |
|------------|-------|-------------|
| 0 – 189    | the tile of that number was laid | train (high half) and seat (low half) |
| 190 – 203  | seat 0 – 13 drew                 | none |
| 204 – 217  | seat 0 – 13 passed               | none |
| 218 – 231  | seat 0 – 13 called its last tile | none |
| 232        | a round was dealt                | none |

A train is the number of the seat that owns it, or 15 for the Mexican Train. The other first bytes
are free for entries to come; a worker that does not know one refuses the log.
"""

from __future__ import annotations

from collections.abc import Iterable

from mextrain_engine import CALL, DRAW, MEXICAN, PASS, Move, MoveKind, play
from mextrain_service.application.model import Dealt, LogEntry, Moved
from mextrain_service.storage.errors import CorruptGameError

_TILES = 190
_SEATS = 14
_MEXICAN_HALF = 15
_FIRST_BYTE = {MoveKind.DRAW: 190, MoveKind.PASS: 204, MoveKind.CALL: 218}
_DEAL = 232
_DEALT = Dealt()

_ONE_BYTE: dict[int, LogEntry] = {
    _FIRST_BYTE[move.kind] + seat: Moved(seat, move)
    for move in (DRAW, PASS, CALL)
    for seat in range(_SEATS)
} | {_DEAL: _DEALT}


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
    entries: list[LogEntry] = []
    rest = iter(log)
    for first in rest:
        if first < _TILES:
            entries.append(_decode_play(first, next(rest, None)))
        elif first in _ONE_BYTE:
            entries.append(_ONE_BYTE[first])
        else:
            raise CorruptGameError(f"byte {first} begins no log entry that this release knows")
    return tuple(entries)


def _encode_entry(entry: LogEntry) -> bytes:
    match entry:
        case Dealt():
            return bytes((_DEAL,))
        case Moved(seat, Move(MoveKind.PLAY, train, tile)):
            half = _MEXICAN_HALF if train == MEXICAN else train
            return bytes((tile, half << 4 | seat))
        case Moved(seat, Move(kind)):
            return bytes((_FIRST_BYTE[kind] + seat,))


def _decode_play(tile: int, where: int | None) -> Moved:
    if where is None:
        raise CorruptGameError("the last entry of a log is cut off")
    half, seat = divmod(where, 16)
    if seat >= _SEATS or (half >= _SEATS and half != _MEXICAN_HALF):
        raise CorruptGameError(f"byte {where} names no train and seat")
    return Moved(seat, play(tile, MEXICAN if half == _MEXICAN_HALF else half))
