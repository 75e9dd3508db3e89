"""A hosted game as the body of its snapshot, and back: pure, and the same for every store.

Knows the stored schema and the application's model; nothing of Redis, keys or time.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from mextrain.store.v1 import game_pb2 as pb

from mextrain_engine import EngineError
from mextrain_service.application.model import (
    BotLevel,
    ClockState,
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
    Receipt,
    RoundEntropy,
    SeatHolder,
    SeatKind,
    TablePolicy,
)
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.policy_codec import (
    decode_clock,
    decode_policy,
    encode_clock,
    encode_policy,
)
from mextrain_service.storage.rules_codec import decode_rules, encode_rules
from mextrain_service.storage.state_codec import read_state, write_state

_LEVELS = {
    None: pb.BOT_LEVEL_UNSPECIFIED,
    BotLevel.PASS: pb.BOT_LEVEL_PASS,
    BotLevel.RANDOM: pb.BOT_LEVEL_RANDOM,
    BotLevel.GREEDY: pb.BOT_LEVEL_GREEDY,
    BotLevel.PLANNER: pb.BOT_LEVEL_PLANNER,
}
_LEVEL_OF = {stored: level for level, stored in _LEVELS.items()}
_DEFAULT_POLICY = TablePolicy()


def encode_game(game: HostedGame) -> bytes:
    """Return the body of a game's snapshot; its id and version are kept beside it."""
    stored = pb.Game(
        platform_id=game.platform_id,
        seats=map(_encode_seat, game.seats),
        secret=game.secret,
        created_ms=game.created_ms,
        updated_after_ms=game.updated_ms - game.created_ms,
    )
    write_state(game.state, stored)
    _write_receipts(game.receipts, stored)
    if game.creation is not None:
        stored.creation.CopyFrom(_encode_receipt(game.creation))
    if game.policy != _DEFAULT_POLICY:
        stored.policy.CopyFrom(encode_policy(game.policy))
    if game.clock is not None:
        stored.clock.CopyFrom(encode_clock(game.clock, game.created_ms))
    for each in game.entropy:
        stored.entropy.add(number=each.number, by_seat=each.by_seat)
    if rules := encode_rules(game.state.rules):
        stored.rules.ParseFromString(rules)
    return stored.SerializeToString()


def decode_game(body: bytes, *, game_id: GameId, version: int) -> HostedGame:
    """Return the game whose snapshot has this body.

    Args:
        game_id: the id under which it was found.
        version: the version of its header.

    Raises:
        CorruptGameError: the bytes are not a game.
        NewerSchemaError: it is played by rules that this release does not know.
    """
    try:
        return _decode(pb.Game.FromString(body), game_id, version)
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


def _decode(stored: pb.Game, game_id: GameId, version: int) -> HostedGame:
    rules = decode_rules(stored.rules.SerializeToString(deterministic=True))
    return HostedGame(
        game_id=game_id,
        platform_id=PlatformId(stored.platform_id),
        version=version,
        seats=tuple(map(_decode_seat, stored.seats)),
        policy=decode_policy(stored.policy),
        secret=stored.secret,
        state=read_state(stored, rules),
        receipts=_read_receipts(stored),
        creation=_decode_receipt(stored.creation) if stored.HasField("creation") else None,
        created_ms=stored.created_ms,
        updated_ms=stored.created_ms + stored.updated_after_ms,
        entropy=tuple(RoundEntropy(each.number, tuple(each.by_seat)) for each in stored.entropy),
        clock=_decode_clock(stored),
    )


def _encode_seat(seat: SeatHolder) -> pb.Seat:
    return pb.Seat(
        player_id=seat.player_id,
        display_name=seat.display_name,
        bot_level=_LEVELS[seat.bot_level],
        open=seat.kind is SeatKind.OPEN,
        token_reissues=seat.token_generation - 1,
        stand_in=_LEVELS[seat.stand_in],
        resigned=seat.resigned,
    )


def _decode_seat(stored: pb.Seat) -> SeatHolder:
    level = _LEVEL_OF[stored.bot_level]
    return SeatHolder(
        kind=SeatKind.OPEN if stored.open else SeatKind.BOT if level else SeatKind.PERSON,
        player_id=PlayerId(stored.player_id),
        display_name=stored.display_name,
        bot_level=level,
        token_generation=stored.token_reissues + 1,
        stand_in=_LEVEL_OF[stored.stand_in],
        resigned=stored.resigned,
    )


def _decode_clock(stored: pb.Game) -> ClockState | None:
    if not stored.HasField("clock"):
        return None
    return decode_clock(stored.clock, stored.created_ms, len(stored.seats))


def _encode_receipt(receipt: Receipt) -> pb.Receipt:
    return pb.Receipt(
        key=receipt.key, body=receipt.body, before=receipt.before, after=receipt.after
    )


def _decode_receipt(stored: pb.Receipt) -> Receipt:
    return Receipt(stored.key, stored.body, stored.before, stored.after)


def _write_receipts(receipts: tuple[Receipt, ...], into: pb.Game) -> None:
    into.receipt_keys = b"".join(receipt.key for receipt in receipts)
    into.receipt_bodies = b"".join(receipt.body for receipt in receipts)
    reached = 0
    for receipt in receipts:
        into.receipt_spans.extend((receipt.before - reached, receipt.after - receipt.before))
        reached = receipt.after


def _read_receipts(stored: pb.Game) -> tuple[Receipt, ...]:
    spans = list(stored.receipt_spans)
    count = len(spans) // 2
    keys = _cut(stored.receipt_keys, count)
    bodies = _cut(stored.receipt_bodies, count)
    receipts: list[Receipt] = []
    reached = 0
    for key, body, gap, entries in zip(keys, bodies, spans[::2], spans[1::2], strict=True):
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
