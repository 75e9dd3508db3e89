"""Idempotency: the proof, kept inside the game, that a request was carried out.

Since receipts are part of what compare-and-set replaces, a request and its receipt are written
together or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from mextrain_service.application.callers import (
    Caller,
    InvitedCaller,
    PlayerCaller,
    SeatCaller,
    caller_label,
)
from mextrain_service.application.model import (
    RECEIPTS_KEPT,
    UNGUARDED_RECEIPTS_KEPT,
    HostedGame,
    Receipt,
)
from mextrain_service.application.refused import REQUEST_ID_REUSED, Refused

_KEY_BYTES = 5
_EXPECTS_VERSION = 1
_BODY_BYTES = 4
_PLATFORM = 255
_PLAYERS = 254


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """What tells one request from another.

    Attributes:
        request_id: as the caller gave it.
        key: 6 bytes: the seat of the caller (255 for a platform, 254 for its players as such), then
            a digest of the caller and the request id.
        body: 4 bytes, a digest of all that the request asks; its last bit is 1 if the request says
            which version it expects.
    """

    request_id: str
    key: bytes
    body: bytes

    def receipt(self, before: int, after: int) -> Receipt:
        """Return the receipt of this request, carried out between two versions."""
        return Receipt(key=self.key, body=self.body, before=before, after=after)


def mark_request(
    caller: Caller, request_id: str, method: str, *body: object, expected_version: int | None
) -> IdempotencyKey | None:
    """Return what identifies a request; None when it came without a request id.

    Args:
        caller: who asks; the same id of two callers is two requests.
        request_id: chosen by the caller; empty for a request that is not to be remembered.
        method: what is asked.
        body: every argument that matters, as values whose ``repr`` is their content.
        expected_version: the version that it was decided on; None if it does not say.
    """
    if not request_id:
        return None
    digest = _digest(caller_label(caller), request_id.encode())[:_KEY_BYTES]
    content = _digest(method.encode(), repr(body).encode())[:_BODY_BYTES]
    last = content[-1] & ~_EXPECTS_VERSION
    if expected_version is not None:
        last |= _EXPECTS_VERSION
    return IdempotencyKey(
        request_id=request_id,
        key=bytes((_drawer(caller),)) + digest,
        body=content[:-1] + bytes((last,)),
    )


def find_receipt(game: HostedGame, mark: IdempotencyKey | None) -> Receipt | None:
    """Return the receipt of this very request, or None if the game has none.

    Raises:
        Refused: ``REQUEST_ID_REUSED``, the id was used for another request.
    """
    if mark is None:
        return None
    kept = game.receipts if game.creation is None else (*game.receipts, game.creation)
    for receipt in kept:
        if receipt.key == mark.key:
            if receipt.body != mark.body:
                raise Refused(REQUEST_ID_REUSED, request_id=mark.request_id)
            return receipt
    return None


def with_receipt(
    receipts: tuple[Receipt, ...], mark: IdempotencyKey | None, before: int, after: int
) -> tuple[Receipt, ...]:
    """Return the receipts with one more; its caller's oldest is forgotten when there are too many.

    Each caller has its own, so that a slow phone's are not crowded out by the quick ones of others.
    """
    if mark is None:
        return receipts
    made = mark.receipt(before, after)
    drawer, guarded = made.key[0], made.body[-1] & _EXPECTS_VERSION
    alike = [
        each
        for each in receipts
        if each.key[0] == drawer and each.body[-1] & _EXPECTS_VERSION == guarded
    ]
    kept = RECEIPTS_KEPT if guarded else UNGUARDED_RECEIPTS_KEPT
    forgotten = alike[: max(0, len(alike) + 1 - kept)]
    if forgotten:
        oldest = set(map(id, forgotten))
        receipts = tuple([each for each in receipts if id(each) not in oldest])
    return (*receipts, made)


def without_seats(receipts: tuple[Receipt, ...], seats: Collection[int]) -> tuple[Receipt, ...]:
    """Return the receipts without those of seats that somebody else takes."""
    if not seats:
        return receipts
    return tuple([receipt for receipt in receipts if receipt.key[0] not in seats])


def _drawer(caller: Caller) -> int:
    """Return with whom a caller shares the number of receipts that are kept."""
    match caller:
        case SeatCaller(seat=seat) | InvitedCaller(seat=seat):
            return seat
        case PlayerCaller():
            return _PLAYERS
        case _:
            return _PLATFORM


def _digest(first: bytes, second: bytes) -> bytes:
    """Hash two texts, each with its length before it, so that no others give the same bytes."""
    lengths = len(first).to_bytes(4, "big"), len(second).to_bytes(4, "big")
    return hashlib.sha256(b"".join((lengths[0], first, lengths[1], second))).digest()
