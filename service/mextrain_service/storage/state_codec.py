"""The engine's state as stored messages, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import compress, islice, pairwise
from operator import or_

from mextrain.store.v1 import game_pb2 as pb

from mextrain_engine import (
    Owed,
    Phase,
    Round,
    RoundEnd,
    RoundResult,
    RuleSet,
    State,
    double,
    mask_of,
    set_size,
    tile,
    tiles_in,
)
from mextrain_engine.state import NOT_BARRED
from mextrain_engine.tiles import TileMask, full_set
from mextrain_service.storage.errors import CorruptGameError

_PHASES = {
    Phase.AWAITING_DEAL: pb.PHASE_AWAITING_DEAL,
    Phase.PLAYING: pb.PHASE_UNSPECIFIED,
    Phase.FINISHED: pb.PHASE_FINISHED,
}
_PHASE_OF = {stored: phase for phase, stored in _PHASES.items()}
_OWED = {
    Owed.NOTHING: pb.OWED_UNSPECIFIED,
    Owed.FOLLOW_ANYWHERE: pb.OWED_FOLLOW_ANYWHERE,
    Owed.COVER: pb.OWED_COVER,
    Owed.MAY_FOLLOW: pb.OWED_MAY_FOLLOW,
    Owed.MAY_COVER: pb.OWED_MAY_COVER,
}
_OWED_OF = {stored: owed for owed, stored in _OWED.items()}

_HOLDER_BITS = 4
_FOUR_BITS = 2
_FOUR = 1 << _FOUR_BITS
_TRUE_OR_FALSE = bytes(digit == ord("1") for digit in range(256))
_NOBODY = 15
"""The holder of a tile that is lost; the engine loses none, but a snapshot is not to invent one."""


_DIGITS = b"0123456789abcdefghijklmnopqrstuv".ljust(256, b"?")
"""The digit for each number of up to 5 bits."""


def encode_phase(phase: Phase) -> pb.Phase.ValueType:
    """Return where a match stands as it is stored."""
    return _PHASES[phase]


def read_state(stored: pb.Game, rules: RuleSet, seats: int) -> State:
    """Return the state that the message of a game holds.

    Raises:
        CorruptGameError, KeyError, ValueError: a field holds what no state can have.
    """
    return State(
        rules=rules,
        seats=seats,
        phase=_PHASE_OF[stored.phase],
        results=tuple(map(_decode_result, stored.results)),
        round=_decode_round(stored.round, rules, seats) if stored.HasField("round") else None,
    )


def encode_result(result: RoundResult) -> pb.RoundResult:
    """Return how a round came out as it is stored."""
    return pb.RoundResult(
        hub=result.hub,
        starter=result.starter,
        blocked=result.end is RoundEnd.BLOCKED,
        out=result.out,
        points=result.points,
    )


def _decode_result(stored: pb.RoundResult) -> RoundResult:
    return RoundResult(
        hub=stored.hub,
        starter=stored.starter,
        end=RoundEnd.BLOCKED if stored.blocked else RoundEnd.WENT_OUT,
        out=stored.out,
        points=tuple(stored.points),
    )


def encode_round(round_: Round, max_pip: int) -> pb.Round:
    """Return a round of a set as it is stored; the set goes up to the double of ``max_pip``."""
    holders, four_holders = _encode_hands(round_, set_size(max_pip))
    return pb.Round(
        number=round_.number,
        hub=round_.hub,
        starter=round_.starter,
        holders=holders,
        four_holders=four_holders,
        boneyard=round_.boneyard,
        train_lengths=bytes([len(chain) - 1 for chain in round_.trains]),
        pips=_pack(b"".join([chain[1:] for chain in round_.trains]), _pip_bits(max_pip)),
        markers=round_.markers,
        open_doubles=_encode_trains(round_.open_doubles) if round_.open_doubles else b"",
        deferred=_encode_trains(round_.deferred) if round_.deferred else b"",
        begun=round_.begun,
        out=round_.out,
        turn=round_.turn,
        laid=round_.laid,
        doubles=round_.doubles,
        drawn=round_.drawn,
        owed=_OWED[round_.owed],
        owed_train=round_.owed_train + 1,
        called=round_.called,
        uncalled_plus_one=round_.uncalled + 1,
        barred=bytes([0 if train == NOT_BARRED else train + 2 for train in round_.barred]),
    )


def _decode_round(stored: pb.Round, rules: RuleSet, seats: int) -> Round:
    max_pip = rules.max_pip(seats)
    trains = _decode_chains(stored, _pip_bits(max_pip))
    if len(trains) != seats + 1:
        raise CorruptGameError("a stored round does not have a train for each seat")
    seen = _seen(stored.hub, trains)
    held = full_set(max_pip) & ~seen & ~mask_of(stored.boneyard)
    return Round(
        number=stored.number,
        hub=stored.hub,
        starter=stored.starter,
        hands=_decode_hands(stored, held, seats),
        boneyard=stored.boneyard,
        trains=trains,
        markers=stored.markers,
        open_doubles=_decode_trains(stored.open_doubles),
        deferred=_decode_trains(stored.deferred),
        begun=stored.begun,
        out=stored.out,
        turn=stored.turn,
        laid=stored.laid,
        doubles=stored.doubles,
        drawn=stored.drawn,
        owed=_OWED_OF[stored.owed],
        owed_train=stored.owed_train - 1,
        called=stored.called,
        uncalled=stored.uncalled_plus_one - 1,
        barred=tuple(code - 2 if code else NOT_BARRED for code in stored.barred),
        seen=seen,
    )


def _pip_bits(max_pip: int) -> int:
    return 4 if max_pip < 16 else 5


def _encode_hands(round_: Round, size: int) -> tuple[bytes, bytes]:
    """Return who holds each tile, as `holders` and `four_holders`, one of which is empty.

    Written as a number to the base 16 with a digit for each tile, instead of tile by tile: every
    move takes this way.
    """
    held = reduce(or_, round_.hands)
    lost = 0
    if held.bit_count() + round_.seen.bit_count() + len(round_.boneyard) != size:
        lost = ((1 << size) - 1) & ~round_.seen & ~mask_of(round_.boneyard) & ~held
    whole = _NOBODY * int(f"{lost:b}", 16) if lost else 0
    for seat, hand in enumerate(round_.hands):
        whole += seat * int(f"{hand:b}", 16)  # the number that has, to the base 16, a 1 for each
    there = f"{held | lost:b}".encode().translate(_TRUE_OR_FALSE)
    digits = "".join(compress(f"{whole:0{len(there)}x}", there)) or "0"
    count = (held | lost).bit_count()
    if len(round_.hands) <= _FOUR and not lost:
        return b"", int(digits, _FOUR).to_bytes((count + 3) // 4, "little")
    return int(digits, 16).to_bytes((count + 1) // 2, "little"), b""


def _decode_hands(stored: pb.Round, held: TileMask, seats: int) -> tuple[TileMask, ...]:
    hands = [0] * (_NOBODY + 1)
    if stored.four_holders:
        holders = _unpack(stored.four_holders, _FOUR_BITS, held.bit_count())
    else:
        holders = _unpack(stored.holders, _HOLDER_BITS, held.bit_count())
    for tile_id, holder in zip(tiles_in(held), holders, strict=True):
        hands[holder] |= 1 << tile_id
    return tuple(hands[:seats])


def _decode_chains(stored: pb.Round, bits: int) -> tuple[bytes, ...]:
    pips = iter(_unpack(stored.pips, bits, sum(stored.train_lengths)))
    return tuple(bytes((stored.hub, *islice(pips, length))) for length in stored.train_lengths)


def _encode_trains(trains: tuple[int, ...]) -> bytes:
    return bytes([train + 1 for train in trains])


def _decode_trains(stored: bytes) -> tuple[int, ...]:
    return tuple(number - 1 for number in stored)


def _seen(hub: int, trains: tuple[bytes, ...]) -> TileMask:
    """Every tile on the table: the hub and what the chains hold, so it need not be stored."""
    links = (tile(*ends) for chain in trains for ends in pairwise(chain))
    return mask_of((double(hub), *links))


def _pack(numbers: Sequence[int], bits: int) -> bytes:
    """Return the numbers in `bits` bits each, the first in the lowest bits of the first byte.

    >>> _pack([1, 2, 3], bits=4).hex()
    '2103'

    Args:
        numbers: each at least 0.
        bits: 1 to 5.

    Raises:
        ValueError: a number does not fit.
    """
    if not numbers:
        return b""
    digits = bytes(numbers)[::-1].translate(_DIGITS)  # int() reads them faster than a loop
    return int(digits, 1 << bits).to_bytes(_bytes_for(len(numbers), bits), "little")


def _unpack(packed: bytes, bits: int, count: int) -> list[int]:
    """Return the `count` numbers that `_pack` put there.

    >>> _unpack(bytes.fromhex("2103"), bits=4, count=3)
    [1, 2, 3]

    Raises:
        ValueError: so many numbers take more or fewer bytes.
    """
    if len(packed) != _bytes_for(count, bits):
        raise ValueError(f"{count} numbers of {bits} bits do not take {len(packed)} bytes")
    whole, mask = int.from_bytes(packed, "little"), (1 << bits) - 1
    return [whole >> at & mask for at in range(0, count * bits, bits)]


def _bytes_for(count: int, bits: int) -> int:
    return (count * bits + 7) // 8
