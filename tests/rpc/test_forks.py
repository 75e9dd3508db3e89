"""A history that the store has lost harms nobody, whatever workers and callers remember of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1 import watch_pb2
from mextrain.v1.event_pb2 import Event

from mextrain_service.application.model import GameId
from mextrain_service.application.ports import LogPosition, LogReading
from mextrain_service.storage import RedisGameStore
from tests.rpc.forks import at_worker, keep, make_last_move
from tests.rpc.games import Seated, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.seating import OPEN
from tests.rpc.serving import RETENTION, Client, House, Watching, persons, worker
from tests.rpc.test_history import all_events
from tests.rpc.watchers import (
    WATCHED,
    here,
    make_move,
    next_of,
    watching,
)

CHANGED = watch_pb2.RESET_REASON_HISTORY_CHANGED


@pytest.fixture
async def elsewhere(house: House) -> AsyncIterator[Client]:
    """Another worker on the same store."""
    async with worker(house) as nobody:
        yield nobody


async def _begun(platform: Client, elsewhere: Client) -> tuple[Seated, Seated]:
    """Return a game at version 3, as everyone has it at two workers."""
    own = await seat_all(platform, seats=persons(2), fixed_seed=5, policy=WATCHED)
    other = at_worker(own, elsewhere)
    await platform.deal(own.game_id)
    for _ in range(2):
        await make_move(own)
    return own, other


async def _mover(seated: Seated) -> Client:
    """Return the seat to move."""
    return seated.seats[(await seated.platform.get_game(seated.game_id)).view.round.turn]


async def _request(seated: Seated, **fields: object) -> pb.PlayMoveRequest:
    """Return a request for the first legal move of the seat to move."""
    legal = await (await _mover(seated)).legal_moves(seated.game_id)
    fields = {"moves": legal.moves[:1], **fields}
    return pb.PlayMoveRequest(game_id=seated.game_id, **fields)  # type: ignore[arg-type]


async def test_move_on_a_remembered_history_does_not_erase_what_was_acknowledged_since(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    for _ in range(2):
        await make_move(own)
    mover = await _mover(own)
    remembered = await _request(own, expected_version=5)
    await kept.put_back(house.redis)
    for _ in range(2):
        await make_last_move(other)
    acknowledged = await all_events(other.platform, own.game_id)
    assert 5 == acknowledged[-1].version
    refused = await refusal_of(mover.stub.PlayMove(remembered, metadata=mover.metadata))
    assert "ENDS_DO_NOT_MATCH" == refused.reason, "it is decided on the table as it is stored"
    history = await all_events(other.platform, own.game_id)
    assert acknowledged == history[: len(acknowledged)]
    assert history == await all_events(own.platform, own.game_id)
    await make_move(other)
    await make_move(own)


async def test_same_move_in_two_histories_keeps_the_receipt_of_the_one_that_is_stored(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    mover, elsewhere_too = await _mover(own), await _mover(other)
    move = await _request(own, request_id="lost")
    await mover.stub.PlayMove(move, metadata=mover.metadata)
    await kept.put_back(house.redis)
    move.request_id = "kept"
    made = await elsewhere_too.stub.PlayMove(move, metadata=elsewhere_too.metadata)
    await make_move(own)
    again = await mover.stub.PlayMove(move, metadata=mover.metadata)
    assert (made.view.version, list(made.events)) == (again.view.version, list(again.events))


async def test_repetition_of_what_the_store_lost_is_carried_out_and_not_merely_acknowledged(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    mover, move = await _mover(own), await _request(own, request_id="x")
    made = await mover.stub.PlayMove(move, metadata=mover.metadata)
    await kept.put_back(house.redis)
    again = await mover.stub.PlayMove(move, metadata=mover.metadata)
    assert (4, list(made.events)) == (again.view.version, list(again.events))
    assert 4 == (await other.platform.get_game(own.game_id)).view.version
    assert again == await mover.stub.PlayMove(move, metadata=mover.metadata)


async def _told_to(stream: Watching, version: int) -> tuple[int, list[Event]]:
    """Return where the last reset began, -1 for none, and the events since, up to a version."""
    began, told, reached = -1, list[Event](), -1
    while reached != version:
        message = await next_of(stream)
        match message.WhichOneof("update"):
            case "reset":
                assert CHANGED == message.reset.reason
                began, told = message.reset.game.view.version, []
                reached = began
            case "events":
                told += message.events.events
                reached = message.events.version
    return began, told


async def test_those_who_watch_are_reset_when_the_store_goes_back(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    async with watching(platform, own.game_id, cursor=await here(platform, own.game_id)) as stream:
        await next_of(stream)
        for version in (4, 5):
            await make_move(own)
            assert version == (await next_of(stream)).events.version
        await kept.put_back(house.redis)
        for _ in range(2):
            await make_last_move(other)
        while not (message := await next_of(stream)).HasField("reset"):
            assert message.HasField("heartbeat")
        assert CHANGED == message.reset.reason
        began = message.reset.game.view.version
        await make_last_move(own)
        again, told = await _told_to(stream, 6)
    history = await all_events(platform, own.game_id)
    assert [each for each in history if each.version > max(began, again)] == told


class Holding(RedisGameStore):
    """A store that keeps the answer of reading a whole log back, when it is told to."""

    def __init__(self, house: House) -> None:
        super().__init__(house.redis, RETENTION)
        self.holding = False
        self.held = asyncio.Event()
        self.free = asyncio.Event()

    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        reading = await super().read_on(game_id, since)
        if self.holding and since == LogPosition():
            self.holding = False
            self.held.set()
            await self.free.wait()
        return reading


async def test_move_made_while_another_history_is_read_is_told_after_the_reset(
    house: House, elsewhere: Client
) -> None:
    store = Holding(house)
    async with worker(house, store) as nobody:
        platform = nobody.bearing(house.key.text)
        own, other = await _begun(platform, elsewhere)
        kept = await keep(house.redis, own.game_id)
        cursor = await here(platform, own.game_id)
        async with watching(platform, own.game_id, cursor=cursor) as stream:
            await next_of(stream)
            await make_move(own)
            assert 4 == (await next_of(stream)).events.version
            store.holding = True
            await kept.put_back(house.redis)
            await make_last_move(other)
            async with asyncio.timeout(60):
                await store.held.wait()
            await make_move(own)
            store.free.set()
            while not (message := await next_of(stream)).HasField("reset"):
                assert message.HasField("heartbeat"), "nothing is told before the reset"
            began = message.reset.game.view.version
            told = list[Event]()
            while began + len({each.version for each in told}) < 5:
                message = await next_of(stream)
                assert not message.HasField("reset")
                told += message.events.events
        history = await all_events(platform, own.game_id)
    assert [each for each in history if each.version > began] == told


async def test_moves_that_others_made_alike_are_told_once(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    async with watching(platform, own.game_id, cursor=await here(platform, own.game_id)) as stream:
        await next_of(stream)
        await make_move(own)
        before = list((await next_of(stream)).events.events)
        await kept.put_back(house.redis)
        for _ in range(3):
            await make_move(other)
        began, told = await _told_to(stream, 6)
    history = await all_events(platform, own.game_id)
    whole = told if began >= 0 else before + told
    assert [each for each in history if each.version > max(3, began)] == whole


@pytest.mark.parametrize("others", [0, 1, 2, 3])
async def test_cursor_of_a_lost_history_is_answered_with_a_reset_by_every_worker(
    others: int, platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    for _ in range(2):
        await make_move(own)
    cursor = await here(platform, own.game_id)
    await kept.put_back(house.redis)
    for _ in range(others):
        await make_last_move(other)
    for seated in (own, other):
        for reader in (seated.platform, seated.spectator, *seated.seats.values()):
            async with watching(reader, own.game_id, cursor=cursor) as stream:
                reset = (await next_of(stream)).reset
            assert (CHANGED, 3 + others) == (reset.reason, reset.game.view.version)
            refused = await refusal_of(reader.events(own.game_id, cursor=cursor))
            facts = {"version": str(3 + others)}
            assert ("HISTORY_CHANGED", facts) == (refused.reason, dict(refused.facts))


async def test_page_of_a_lost_history_is_not_followed_by_one_of_another(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    kept = await keep(house.redis, own.game_id)
    await make_move(own)
    page = await platform.events(own.game_id, page_size=2)
    assert not page.cursor
    await kept.put_back(house.redis)
    for _ in range(2):
        await make_last_move(other)
    token = page.next_page_token
    refused = await refusal_of(platform.events(own.game_id, page_size=2, page_token=token))
    assert ("ABORTED", "HISTORY_CHANGED") == (refused.code, refused.reason)


async def test_cursor_from_before_the_store_went_back_resumes_without_a_reset(
    platform: Client, elsewhere: Client, house: House
) -> None:
    own, other = await _begun(platform, elsewhere)
    cursor, kept = await here(platform, own.game_id), await keep(house.redis, own.game_id)
    await make_move(own)
    await kept.put_back(house.redis)
    for _ in range(2):
        await make_last_move(other)
    history = await all_events(platform, own.game_id)
    for reader in (own.platform, other.platform):
        async with watching(reader, own.game_id, cursor=cursor) as stream:
            told = list((await next_of(stream)).events.events)
        assert [event for event in history if event.version > 3] == told
        page = await reader.events(own.game_id, cursor=cursor)
        assert told == list(page.events)
        assert await here(reader, own.game_id) == page.cursor


async def test_token_of_a_claim_that_the_store_lost_does_not_open_the_seat_of_another(
    platform: Client, elsewhere: Client, house: House
) -> None:
    made = await platform.create_game(pb.CreateGameRequest(seats=[OPEN, *persons(1)]))
    game_id = made.game.game_id
    kept = await keep(house.redis, game_id)
    ann = await platform.claim(game_id, 0, player_id="ann")
    await kept.put_back(house.redis)
    there = elsewhere.bearing(house.key.text)
    bob = await there.claim(game_id, 0, player_id="bob")
    for nobody in (platform, elsewhere):
        refused = await refusal_of(nobody.bearing(ann.seat_token.token).get_game(game_id))
        assert "TOKEN_SUPERSEDED" == refused.reason
        assert 0 == (await nobody.bearing(bob.seat_token.token).get_game(game_id)).view.seat
