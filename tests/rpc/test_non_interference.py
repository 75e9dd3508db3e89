"""Change only what a caller may not know, and every byte that it receives stays the same."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from google.protobuf.message import Message
from grpc import aio
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.move_pb2 import Move as MoveMessage

from mextrain_engine import (
    MEXICAN,
    IllegalMoveError,
    Phase,
    RuleSet,
    State,
    apply,
    deal,
    format_tile,
    format_train,
    legal_moves,
    mask_of,
    new_game,
    observe,
    preset,
    set_size,
    tiles_in,
)
from mextrain_service.application.draft import Draft
from mextrain_service.storage import RedisGameStore, Retention
from tests.engine.table import parse, table
from tests.rpc.games import Seated, hosted, store
from tests.rpc.serving import Client, House, worker

FORGETFUL = Retention(live_ttl_s=600, finished_ttl_s=600, remembered_games=0)
CALL_ID = ("x-request-id", "the-same")
LEVELS = game_pb2.BotLevel.values()
READS = {"GetGame", "GetScore", "ListLegalMoves", "SuggestMove"}
"""The methods whose answer is compared at every position, beside PlayMove's."""

CHANGES: Mapping[str, Callable[[Client, str, int], Awaitable[Message]]] = {
    "ClaimSeat": lambda client, game_id, seat: client.claim(game_id, seat),
    "ResignSeat": lambda client, game_id, seat: client.resign(game_id, seat),
    "SubstituteSeat": lambda client, game_id, seat: client.stand_in(game_id, seat),
    "AddEntropy": lambda client, game_id, seat: client.add_entropy(game_id, seat, b"dice"),
    "ListGames": lambda client, _game_id, _seat: client.list_games(),
}
"""The methods that ask the game nothing but for which it is read or changed; each is called in
every position, and its answer compared."""

NOTHING_HIDDEN = {
    *("CreateGame", "DealRound", "DeleteGame"),
    *("ListPresets", "ExplainRules", "WatchGames"),
}
"""The methods that are not asked of a live round, or tell everyone the same."""

HISTORIES = {"ListEvents", "ExportGame", "WatchGame", "PlayGames"}
"""The methods that tell of the log, which the positions stored here do not have: what they tell is
compared in ``test_history_secrets``."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What a caller received: an answer's bytes or an error's.

    Attributes:
        answer: the bytes; those of the status when the call was refused.
        refused: it was.
        over: a round ended, which everyone sees.
    """

    answer: bytes
    refused: bool
    over: bool = False


@pytest.mark.parametrize(
    "name", ["modern", "thoughtco", "masters_single", "wikihow_private", "wikihow_closed"]
)
async def test_hidden_tiles_change_no_byte_of_any_answer(name: str, house: House) -> None:
    chance = random.Random(name)
    memory = RedisGameStore(house.redis, FORGETFUL)
    async with worker(house, memory) as nobody:
        for state in _positions(preset(name), chance):
            seat = chance.randrange(state.seats)
            other = _dealt_anew(state, seat, chance)
            assert observe(state, seat) == observe(other, seat)
            batches = list(_batches(state, seat, chance))
            first = [each async for each in _everything(house, nobody, state, seat, batches)]
            second = [each async for each in _everything(house, nobody, other, seat, batches)]
            for what, one, two in zip(_names(batches), first, second, strict=True):
                assert one.refused == two.refused, what
                assert one.over or two.over or one.answer == two.answer, what


def test_every_method_is_covered_or_has_nothing_hidden_to_tell() -> None:
    methods = pb.DESCRIPTOR.services_by_name["GameService"].methods
    assert {method.name for method in methods} == (
        READS | set(CHANGES) | NOTHING_HIDDEN | HISTORIES | {"PlayMove"}
    )


@pytest.mark.parametrize("level", LEVELS)
async def test_suggestion_is_the_same_when_only_the_secret_of_the_game_differs(
    level: game_pb2.BotLevel.ValueType, house: House
) -> None:
    memory = RedisGameStore(house.redis, FORGETFUL)
    answers = []
    async with worker(house, memory) as nobody:
        for secret in (bytes(32), bytes(range(32))):
            await house.redis.flushall()
            state = list(_positions(preset("modern"), random.Random(5)))[2]
            assert state.round is not None
            seated = await store(house, nobody, hosted(state, secret=secret))
            answer = await seated.seats[state.round.turn].suggest(seated.game_id, level)
            answers.append(answer.SerializeToString(deterministic=True))
    assert answers[0] == answers[1]


TRAINS: Mapping[int, Sequence[int]] = {0: (12, 7), 1: (12, 9), 2: (12, 6), MEXICAN: (12, 11, 11)}


@pytest.mark.parametrize(
    "notation",
    ["7-3@0 10-0@0", "7-3@0 draw", "7-3@0 pass", "7-3@0 call", "7-3@0 7-3@0"],
)
def test_refused_batch_does_not_tell_whether_its_first_move_blocks_the_round(
    notation: str,
) -> None:
    open_round, blocked = _last_tiles("9-2", "8-4"), _last_tiles("8-4", "9-2")
    ends = [apply(state, parse("7-3@0")).state.phase for state in (open_round, blocked)]
    assert ends == [Phase.PLAYING, Phase.AWAITING_DEAL], "the positions are those that differ"
    moves = [parse(text) for text in notation.split()]
    assert _refusal(open_round, moves) == _refusal(blocked, moves)


def test_rest_of_a_batch_is_left_out_when_its_first_move_ends_the_round() -> None:
    blocked = _last_tiles("8-4", "9-2", last_tile_call="required")
    change = Draft(hosted(blocked))
    change.play(0, [parse("7-3@0"), parse("call")])
    assert change.state.phase is Phase.AWAITING_DEAL
    assert len(change.entries) == 1


def _last_tiles(second: str, third: str, **options: object) -> State:
    """Return a position without a boneyard, where 9-2 goes on the train of its second seat only."""
    rules = RuleSet().override(opponents_trains="never", **options)
    return table(rules, ("7-3 10-0", second, third), trains=TRAINS)


def _refusal(state: State, moves: Sequence[object]) -> object:
    change = Draft(hosted(state))
    try:
        change.play(0, moves)  # type: ignore[arg-type]
    except IllegalMoveError as error:
        return (error.index, error.refusal)
    except Exception as error:  # noqa: BLE001 - any other refusal must be the same too
        return repr(error)
    return None


def _positions(rules: RuleSet, chance: random.Random) -> Iterator[State]:
    """Yield positions of one round of three, from its first move to its last ones."""
    order = list(range(set_size(rules.max_pip(3))))
    state = new_game(rules, 3)
    while state.phase is Phase.AWAITING_DEAL:
        chance.shuffle(order)
        state = deal(state, order).state
    played = [state]
    while state.phase is Phase.PLAYING:
        state = apply(state, chance.choice(legal_moves(state))).state
        played.append(state)
    live = played[:-1]
    yield from (live[0], live[len(live) // 3], live[len(live) // 2], *live[-4:])


def _dealt_anew(state: State, seat: int, chance: random.Random) -> State:
    """Return the same table with all that the seat cannot see in another order."""
    round_ = state.round
    assert round_ is not None
    rivals = [rival for rival in range(state.seats) if rival != seat]
    unseen = [*round_.boneyard, *(t for rival in rivals for t in tiles_in(round_.hands[rival]))]
    chance.shuffle(unseen)
    hands = list(round_.hands)
    for rival in rivals:
        count = hands[rival].bit_count()
        hands[rival], unseen = mask_of(unseen[:count]), unseen[count:]
    return state._replace(round=round_._replace(hands=tuple(hands), boneyard=bytes(unseen)))


def _batches(state: State, seat: int, chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Yield moves and runs of moves, most of them bad in one way or another."""
    round_ = state.round
    assert round_ is not None
    trains = [format_train(train) for train in (*range(state.seats), MEXICAN)]
    hand = [format_tile(tile_id) for tile_id in tiles_in(round_.hands[seat])]
    strange = [format_tile(chance.randrange(set_size(12))) for _ in range(3)]
    plays = [f"{each}@{train}" for each in (*hand[:6], *strange) for train in trains]
    legal = [str(move) for move in legal_moves(state, seat) if "@" in str(move)]
    yield from ((each,) for each in (*plays, "pass", "call"))
    for first in legal[:4]:
        for second in (*legal[:3], *plays[:4], "pass", "draw", "call"):
            yield first, second
    yield "draw", "pass"


def _names(batches: Sequence[tuple[str, ...]]) -> list[str]:
    suggested = [f"SuggestMove {level}" for level in LEVELS]
    reads = ["GetGame", "GetScore", "ListLegalMoves", *suggested]
    return [*reads, *(" ".join(batch) for batch in batches), *CHANGES]


async def _everything(
    house: House, nobody: Client, state: State, seat: int, batches: Sequence[tuple[str, ...]]
) -> AsyncIterator[Heard]:
    """Yield what the seat receives for each call, every one made in the same position."""
    client, game_id = await _stored(house, nobody, state, seat)
    yield Heard((await client.get_game(game_id)).SerializeToString(), refused=False)
    yield Heard((await client.score(game_id)).SerializeToString(), refused=False)
    yield Heard((await client.legal_moves(game_id)).SerializeToString(), refused=False)
    for level in LEVELS:
        yield Heard((await client.suggest(game_id, level)).SerializeToString(), refused=False)
    for batch in batches:
        heard = await _played(client, game_id, batch)
        yield heard
        if not heard.refused:
            await _stored(house, nobody, state, seat)
    for change in CHANGES.values():
        await _stored(house, nobody, state, seat)
        yield await _heard(change(client, game_id, seat))


async def _stored(house: House, nobody: Client, state: State, seat: int) -> tuple[Client, str]:
    await house.redis.flushall()
    seated: Seated = await store(house, nobody, hosted(state))
    client = seated.seats[seat]
    return Client(client.stub, client.channel, (*client.metadata, CALL_ID)), seated.game_id


async def _played(client: Client, game_id: str, batch: tuple[str, ...]) -> Heard:
    moves = [MoveMessage(notation=text) for text in batch]
    request = pb.PlayMoveRequest(game_id=game_id, moves=moves)
    return await _heard(client.stub.PlayMove(request, metadata=client.metadata))


async def _heard(call: Awaitable[Any]) -> Heard:
    """Return what a call is answered with; what it draws or ends, the seat may see."""
    try:
        answer = await call
    except aio.AioRpcError as error:
        return Heard(
            repr((error.code(), error.details(), error.trailing_metadata())).encode(), refused=True
        )
    events = getattr(answer, "events", ())
    drawn = any(event.HasField("tile_drawn") for event in events)
    over = drawn or any(event.HasField("round_ended") for event in events)
    return Heard(answer.SerializeToString(), refused=False, over=over)
