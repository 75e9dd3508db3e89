"""No caller ever learns what its seat may not know: shown on random matches over two workers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from google.protobuf.message import Message
from mextrain.v1 import game_pb2, tile_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import Phase, mask_of, round_seed, tile, tiles_in
from mextrain_service.application.model import GameId, HostedGame
from tests.rpc.games import Seated, seat_all
from tests.rpc.serving import Client, House, bots, persons, worker

WATCHED = game_pb2.TablePolicy(spectators=True, auto_call=True, deal_by=game_pb2.DEAL_BY_SEATS)


@dataclass(frozen=True, slots=True)
class Reader:
    """Someone who reads answers, and what is hidden from them.

    Attributes:
        client: with its credential.
        seat: the seat; None for whoever has none.
    """

    client: Client
    seat: int | None


@pytest.mark.parametrize(
    ("preset", "seats", "seed"),
    [
        ("modern", [*persons(3), *bots(1)], 1),
        ("thoughtco", persons(4), 2),
        ("masters_single", persons(2), 3),
        ("wikihow", [*persons(2), *bots(3)], 4),
        ("ehow", persons(5), 5),
        ("pagat", persons(3), 6),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_no_answer_holds_what_its_reader_may_not_know(
    preset: str, seats: list[game_pb2.Seat], seed: int, house: House
) -> None:
    chance = random.Random(seed)
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(worker(house)) for _ in range(2)]
        platform = clients[0].bearing(house.key.text)
        seated = await seat_all(
            platform, preset=preset, seats=seats, policy=WATCHED, fixed_seed=seed
        )
        await _play_some_rounds(house, seated, clients, chance)


async def _play_some_rounds(
    house: House, seated: Seated, clients: list[Client], chance: random.Random
) -> None:
    """Play two rounds at random, each move at any worker, and look at every answer."""
    readers = [Reader(client, seat) for seat, client in seated.seats.items()]
    readers += [Reader(seated.spectator, None), Reader(seated.platform, None)]
    game = await seated.platform.get_game(seated.game_id)
    while game.view.phase != view_pb2.PHASE_FINISHED and len(game.results) < 2:
        if game.view.phase == view_pb2.PHASE_AWAITING_DEAL:
            mover, answer = await _deal(readers, clients, seated.game_id, chance)
        else:
            mover, answer = await _move(readers, clients, seated.game_id, game, chance)
        hosted = await house.store().load(GameId(seated.game_id))
        _require_no_secret(answer, mover.seat, hosted)
        for reader in readers:
            await _look(_at_any(reader, clients, chance), seated.game_id, hosted)
        game = await seated.platform.get_game(seated.game_id)


async def _deal(
    readers: list[Reader], clients: list[Client], game_id: str, chance: random.Random
) -> tuple[Reader, Message]:
    dealer = chance.choice([reader for reader in readers if reader.seat is not None])
    return dealer, await _at_any(dealer, clients, chance).client.deal(game_id)


async def _move(
    readers: list[Reader],
    clients: list[Client],
    game_id: str,
    game: game_pb2.Game,
    chance: random.Random,
) -> tuple[Reader, Message]:
    mover = _at_any(readers[game.view.round.turn], clients, chance)
    assert mover.seat == game.view.round.turn
    legal = await mover.client.legal_moves(game_id)
    request = pb.PlayMoveRequest(game_id=game_id, moves=[chance.choice(list(legal.moves))])
    stub, metadata = mover.client.stub, mover.client.metadata
    return mover, await stub.PlayMove(request, metadata=metadata)


def _at_any(reader: Reader, clients: list[Client], chance: random.Random) -> Reader:
    """Return the same reader as a client of one worker or another."""
    at = chance.choice(clients)
    return Reader(Client(at.stub, at.channel, reader.client.metadata), reader.seat)


async def _look(reader: Reader, game_id: str, hosted: HostedGame) -> None:
    """Read everything that can be read, and look for secrets in it."""
    answers: list[Message] = [
        await reader.client.get_game(game_id),
        await reader.client.score(game_id),
    ]
    if reader.seat is not None:
        answers.append(await reader.client.legal_moves(game_id))
    for answer in answers:
        _require_no_secret(answer, reader.seat, hosted)


def _require_no_secret(answer: Message, seat: int | None, hosted: HostedGame) -> None:
    """Fail if the answer has a tile that lies face down for its reader, or anything of the seed."""
    state, wire = hosted.state, answer.SerializeToString()
    assert hosted.secret not in wire
    assert hosted.secret.hex().encode() not in wire
    assert round_seed(hosted.secret, len(state.results) + 1) not in wire
    if state.phase is not Phase.PLAYING or state.round is None:
        return
    hidden = mask_of(state.round.boneyard)
    for holder, hand in enumerate(state.round.hands):
        hidden |= hand if holder != seat else 0
    assert not hidden & mask_of(_tiles_of_this_round(answer)), "a hidden tile is shown"
    for tiles in (state.round.boneyard, *(bytes(tiles_in(h)) for h in state.round.hands)):
        assert len(tiles) < 4 or tiles not in wire


def _tiles_of_this_round(message: Message) -> Iterator[int]:
    """Yield every tile that a message shows, but those of a round that ended within it."""
    found: list[int] = []
    for part in _parts(message):
        if isinstance(part, tile_pb2.Tile):
            found.append(tile(part.high, part.low))
        if part.DESCRIPTOR.name in ("RoundEnded", "RoundDealt"):
            found.clear()
    yield from found


def _parts(message: Message) -> Iterator[Message]:
    """Yield every message within a message, in order, events before what came of them."""
    fields = sorted(message.ListFields(), key=lambda entry: entry[0].name != "events")
    for field, value in fields:
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        parts: Iterable[Message] = value if field.is_repeated else [value]
        for part in parts:
            yield part
            yield from _parts(part)
