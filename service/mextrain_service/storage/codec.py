"""A hosted game as the body of its snapshot, and back: pure, and the same for every store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from google.protobuf.message import DecodeError
from mextrain.store.v1 import game_pb2 as pb

from mextrain_engine import EngineError
from mextrain_service.application.model import (
    ClockState,
    GameId,
    HostedGame,
    PlatformId,
    Receipt,
    RoundEntropy,
    TablePolicy,
)
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.record import Header
from mextrain_service.storage.rules_codec import decode_rules, encode_rules
from mextrain_service.storage.state_codec import (
    encode_phase,
    encode_result,
    encode_round,
    read_state,
)
from mextrain_service.storage.table_codec import (
    decode_clock,
    decode_policy,
    decode_seats,
    encode_clock,
    encode_policy,
    encode_seats,
)

_DEFAULT_POLICY = TablePolicy()
_KEY_BYTES = 6
_MARK_BYTES = _KEY_BYTES + 4
_STEP = 8
"""Entries from which on a receipt tells their number separately."""


class GameEncoder:
    """Writes bodies of snapshots, and remembers the parts of them that few changes touch.

    A message may come in pieces, one after another; that is what lets a part be kept as bytes.
    """

    def __init__(self, kept: int = 0) -> None:
        """Remember those parts of so many games."""
        self._kept = kept
        self._lasting: OrderedDict[GameId, tuple[tuple[object, ...], bytes]] = OrderedDict()

    def encode(self, game: HostedGame) -> bytes:
        """Return the body of a game's snapshot; its id and version are kept beside it."""
        return self._lasting_part(game) + _encode_passing(game)

    def _lasting_part(self, game: HostedGame) -> bytes:
        state = game.state
        parts = (
            *(game.platform_id, game.seats, game.secret, game.created_ms, game.policy),
            *(game.creation, game.entropy, state.rules, state.results),
        )
        kept = self._lasting.get(game.game_id)
        if kept is not None and kept[0] == parts:  # mostly the same objects, which costs nothing
            self._lasting[game.game_id] = parts, kept[1]
            self._lasting.move_to_end(game.game_id)
            return kept[1]
        encoded = _encode_lasting(game)
        self._lasting[game.game_id] = parts, encoded
        if len(self._lasting) > self._kept:
            self._lasting.popitem(last=False)
        return encoded


def encode_game(game: HostedGame) -> bytes:
    """Return the body of a game's snapshot; its id and version are kept beside it."""
    return GameEncoder().encode(game)


def decode_game(body: bytes, *, game_id: GameId, header: Header) -> HostedGame:
    """Return the game whose snapshot has this body.

    Args:
        body: what follows the header.
        game_id: the id under which it was found.
        header: the header of the snapshot.

    Raises:
        CorruptGameError: the bytes are not a game.
        NewerSchemaError: it is played by rules that this release does not know.
    """
    try:
        return _decode(pb.Game.FromString(body), game_id, header)
    except (DecodeError, EngineError, ValueError, KeyError, IndexError) as error:
        raise CorruptGameError("a snapshot cannot be read") from error


def encode_receipt(receipt: Receipt) -> bytes:
    """Return a receipt as it is kept on its own."""
    return _encode_receipt(receipt).SerializeToString()


def decode_receipt(kept: bytes) -> Receipt:
    """Return the receipt that was kept as these bytes.

    Raises:
        CorruptGameError: the bytes are no receipt.
    """
    try:
        return _decode_receipt(pb.Receipt.FromString(kept))
    except DecodeError as error:
        raise CorruptGameError("a receipt cannot be read") from error


def _encode_lasting(game: HostedGame) -> bytes:
    seats, accounts = encode_seats(game.seats)
    stored = pb.Game(
        platform_id=game.platform_id,
        seats=seats,
        accounts=accounts,
        secret=game.secret,
        created_ms=game.created_ms,
        results=map(encode_result, game.state.results),
        creation=None if game.creation is None else _encode_receipt(game.creation),
        policy=None if game.policy == _DEFAULT_POLICY else encode_policy(game.policy),
    )
    for each in game.entropy:
        stored.entropy.add(number=each.number, by_seat=each.by_seat)
    if rules := encode_rules(game.state.rules):
        stored.rules.ParseFromString(rules)
    return stored.SerializeToString()


def _encode_passing(game: HostedGame) -> bytes:
    state, clock, receipts = game.state, game.clock, game.receipts
    max_pip = state.rules.max_pip(state.seats)
    keys, bodies = _encode_marks(receipts)
    return pb.Game(
        updated_after_ms=game.updated_ms - game.created_ms,
        phase=encode_phase(state.phase),
        round=None if state.round is None else encode_round(state.round, max_pip),
        receipt_keys=keys,
        receipt_bodies=bodies,
        receipt_steps=_encode_steps(receipts),
        clock=None if clock is None else encode_clock(clock, game.created_ms),
    ).SerializeToString()


def _decode(stored: pb.Game, game_id: GameId, header: Header) -> HostedGame:
    seats = decode_seats(stored)
    rules = decode_rules(stored.rules.SerializeToString(deterministic=True))
    return HostedGame(
        game_id=game_id,
        platform_id=PlatformId(stored.platform_id),
        version=header.version,
        link=header.link,
        stamp=header.stamp,
        seats=seats,
        policy=decode_policy(stored.policy),
        secret=stored.secret,
        state=read_state(stored, rules, len(seats)),
        receipts=_read_receipts(stored),
        creation=_decode_receipt(stored.creation) if stored.HasField("creation") else None,
        created_ms=stored.created_ms,
        updated_ms=stored.created_ms + stored.updated_after_ms,
        entropy=tuple(RoundEntropy(each.number, tuple(each.by_seat)) for each in stored.entropy),
        clock=_decode_clock(stored, len(seats)),
    )


def _decode_clock(stored: pb.Game, seats: int) -> ClockState | None:
    if not stored.HasField("clock"):
        return None
    return decode_clock(stored.clock, stored.created_ms, seats)


def _encode_receipt(receipt: Receipt) -> pb.Receipt:
    key, body = _encode_marks((receipt,))
    return pb.Receipt(key=key, body=body, before=receipt.before, after=receipt.after)


def _decode_receipt(stored: pb.Receipt) -> Receipt:
    ((key, body),) = _decode_marks(stored.key, stored.body, 1)
    return Receipt(key, body, stored.before, stored.after)


def _encode_marks(receipts: Sequence[Receipt]) -> tuple[bytes, bytes]:
    """Return keys and bodies as they are stored: side by side if they are as long as usual."""
    marks = b"".join([receipt.key + receipt.body for receipt in receipts])
    keys = b"".join([receipt.key for receipt in receipts])
    if (len(keys), len(marks)) == (_KEY_BYTES * len(receipts), _MARK_BYTES * len(receipts)):
        return marks, b""
    return keys, b"".join([receipt.body for receipt in receipts])


def _decode_marks(keys: bytes, bodies: bytes, count: int) -> Iterable[tuple[bytes, bytes]]:
    """Return key and body of each receipt."""
    if bodies:
        return zip(_cut(keys, count), _cut(bodies, count), strict=True)
    return ((mark[:_KEY_BYTES], mark[_KEY_BYTES:]) for mark in _cut(keys, count))


def _encode_steps(receipts: tuple[Receipt, ...]) -> list[int]:
    steps: list[int] = []
    reached = 0
    for receipt in receipts:
        gap, entries = receipt.before - reached, receipt.after - receipt.before
        if 0 < entries < _STEP:
            steps.append(gap * _STEP + entries)
        else:
            steps += (gap * _STEP, entries)
        reached = receipt.after
    return steps


def _decode_steps(stored: pb.Game) -> Iterator[tuple[int, int]]:
    """Yield for each receipt the gap before it and how many entries it wrote."""
    steps = iter(stored.receipt_steps)
    for step in steps:
        gap, entries = divmod(step, _STEP)
        if not entries:
            entries = next(steps, -1)
        if entries < 0:
            raise CorruptGameError("the stored steps of receipts end in half of one")
        yield gap, entries


def _read_receipts(stored: pb.Game) -> tuple[Receipt, ...]:
    steps = list(_decode_steps(stored))
    marks = _decode_marks(stored.receipt_keys, stored.receipt_bodies, len(steps))
    receipts: list[Receipt] = []
    reached = 0
    for (key, body), (gap, entries) in zip(marks, steps, strict=True):
        before = reached + gap
        reached = before + entries
        receipts.append(Receipt(key, body, before, reached))
    return tuple(receipts)


def _cut(joined: bytes, count: int) -> list[bytes]:
    """Cut a run of equally long digests into its parts."""
    width = len(joined) // count if count else 0
    if width * count != len(joined):
        raise CorruptGameError("stored receipts are not of one length")
    return [joined[at * width : (at + 1) * width] for at in range(count)]
