"""A watch ends for good with a message that says so, and else with a reason and a way to go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from grpc import aio
from mextrain.v1 import event_pb2, watch_pb2
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.application.callers import PlatformCaller
from mextrain_service.application.chain import Position
from mextrain_service.application.live_games import LiveGames
from mextrain_service.application.model import (
    GameId,
)
from mextrain_service.application.ports import LogPosition, LogReading, StoreUnavailableError
from mextrain_service.application.refused import READER_TOO_SLOW
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.watch_game import WatchGame, WatchGameQuery
from mextrain_service.application.watching import Heartbeat
from mextrain_service.storage import RedisGameStore
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.keys import game_keys
from tests.polling import until
from tests.refusals import refusal
from tests.rpc.games import dealt_out, seat_all
from tests.rpc.refusing import read, refusal_of
from tests.rpc.serving import (
    STREAM_SETTINGS,
    Client,
    House,
    NoMeter,
    Watching,
    bots,
    worker,
)
from tests.rpc.test_history import all_events
from tests.rpc.watchers import ACME, WATCHED, first_of, next_of, rest_of, rotate, watching


class Away(RedisGameStore):
    """A store that can be out of reach."""

    away = False

    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        """Read, unless it is away."""
        if self.away:
            raise StoreUnavailableError("the store cannot be reached")
        return await super().read_on(game_id, since)


class LosesCancellations(RedisGameStore):
    """A store whose client loses a cancellation, as clients of Redis did."""

    def __init__(self, house: House) -> None:
        super().__init__(house.redis)
        self.stuck = asyncio.Event()
        self.losing = False

    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        if not self.losing:
            return await super().read_on(game_id, since)
        self.stuck.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return None


async def test_game_is_read_no_longer_when_a_cancellation_of_its_reader_is_lost(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform)
    store, notifier = LosesCancellations(house), RedisChangeNotifier(house.redis)
    live_games = LiveGames(store, notifier, OpenStreams(STREAM_SETTINGS, NoMeter()))
    async with notifier.listening():
        async with live_games.following(GameId(seated.game_id)) as followed:
            reader = followed._keeping_up
            assert reader is not None
            store.losing = True
            followed.hear(0)
            await store.stuck.wait()
        async with asyncio.timeout(60):
            await asyncio.wait([reader])
    assert reader.done()


@pytest.mark.parametrize("early", [True, False])
async def test_finished_match_ends_the_stream_for_good(early: bool, platform: Client) -> None:
    seated = await seat_all(
        platform,
        seats=bots(2),
        overrides={"rounds": "ROUNDS_FIXED", "round_count": 1},
        policy=WATCHED,
    )
    if not early:
        await dealt_out(platform, seated.game_id)
    async with watching(seated.spectator, seated.game_id, after_version=0) as stream:
        if early:
            await next_of(stream)
            await platform.deal(seated.game_id)
        messages = [message async for message in rest_of(stream)]
    assert messages[-1].end.reason == watch_pb2.END_REASON_FINISHED
    told = [event for message in messages for event in message.events.events]
    assert await all_events(platform, seated.game_id) == told
    assert told[-1].HasField("game_ended")
    assert messages[-1].end.version == told[-1].version


async def test_game_that_is_replaced_by_another_of_its_id_has_ended(
    platform: Client, house: House
) -> None:
    request = {"request_id": "made-twice"}
    seated = await seat_all(platform, **request)
    async with watching(platform, seated.game_id, after_version=0) as stream:
        await next_of(stream)
        house.clock.advance(1)
        async with house.redis.pipeline(transaction=True) as both:
            both.delete(*game_keys(GameId(seated.game_id))[:2])
            await both.execute()
        assert seated.game_id == (await seat_all(platform, **request)).game_id
        assert watch_pb2.END_REASON_DELETED == (await next_of(stream)).end.reason


async def test_store_that_stays_away_ends_the_stream_with_a_time_to_come_back(
    house: House,
) -> None:
    impatient = replace(STREAM_SETTINGS, reread_s=0.02, patience_s=0.05)
    store = Away(house.redis)
    streams = OpenStreams(impatient, NoMeter())
    async with worker(house, store, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with watching(platform, seated.game_id, after_version=0) as stream:
            await next_of(stream)
            store.away = True
            with pytest.raises(aio.AioRpcError) as ended:
                await next_of(stream)
    refused = read(ended.value)
    assert ("UNAVAILABLE", "STORE_UNAVAILABLE") == (refused.code, refused.reason)
    assert refused.retry_after_s is not None


async def test_token_that_is_replaced_ends_its_streams_and_no_other(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    async with (
        watching(seated.seats[0], seated.game_id, after_version=0) as old,
        watching(seated.seats[1], seated.game_id, after_version=0) as other,
    ):
        await next_of(old)
        await next_of(other)
        await rotate(house, GameId(seated.game_id), seat=0)
        with pytest.raises(aio.AioRpcError) as ended:
            await next_of(old)
        assert "TOKEN_SUPERSEDED" == read(ended.value).reason
        assert (await next_of(other)).events.events[0].HasField("seat_changed")


async def test_worker_that_stops_sends_its_watchers_elsewhere(house: House) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with watching(platform, seated.game_id, after_version=0) as stream:
            await next_of(stream)
            streams.close()
            with pytest.raises(aio.AioRpcError) as ended:
                await next_of(stream)
        for refused in (
            read(ended.value),
            await refusal_of(first_of(platform.watch(seated.game_id))),
        ):
            assert ("UNAVAILABLE", "SHUTTING_DOWN") == (refused.code, refused.reason)
            assert refused.retry_after_s is not None


async def test_worker_that_stops_ends_every_stream_of_a_game_that_others_have_left(
    house: House,
) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with watching(platform, seated.game_id) as stays:
            await next_of(stays)
            async with watching(platform, seated.game_id) as leaves:
                await next_of(leaves)
            await until(lambda: streams._open == 1)
            streams.close()
            with pytest.raises(aio.AioRpcError) as ended:
                await asyncio.wait_for(stays.read(), 100)
    assert "SHUTTING_DOWN" == read(ended.value).reason


async def test_worker_takes_no_more_streams_than_it_has_room_for(house: House) -> None:
    streams = OpenStreams(replace(STREAM_SETTINGS, most_streams=2), NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with watching(platform, seated.game_id) as one:
            await next_of(one)
            async with watching(platform, seated.game_id) as two:
                await next_of(two)
                refused = await refusal_of(first_of(platform.watch(seated.game_id)))
                assert ("RESOURCE_EXHAUSTED", "TOO_MANY_WATCHERS") == (
                    refused.code,
                    refused.reason,
                )
                assert refused.retry_after_s is not None
            await until(lambda: streams._open == 1)
            async with watching(platform, seated.game_id) as three:
                await next_of(three)


async def test_watcher_that_takes_nothing_is_dropped_and_told_where_to_resume(
    house: House,
) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform, seats=bots(6))
        for _ in range(6):
            await dealt_out(platform, seated.game_id)
        whole = await all_events(platform, seated.game_id, page_size=500)
        async with _lazily(nobody) as lazy:
            stream = lazy.bearing(house.key.text).watch(seated.game_id, after_version=0)
            await next_of(stream)
            await until(lambda: streams._open == 0)
            told: list[event_pb2.Event] = []
            with pytest.raises(aio.AioRpcError) as ended:
                await _gather(stream, told)
        refused = read(ended.value)
        assert ("RESOURCE_EXHAUSTED", "READER_TOO_SLOW") == (refused.code, refused.reason)
        assert refused.retry_after_s is not None
        cursor = refused.facts["resume"]
        resume = Position.from_cursor(cursor).version
        assert resume <= told[-1].version < whole[-1].version
        async with watching(platform, seated.game_id, cursor=cursor) as stream:
            rest = (await next_of(stream)).events.events
        assert [event for event in whole if event.version > resume][: len(rest)] == list(rest)


async def test_watcher_who_is_too_far_behind_is_dropped_and_told_where_to_resume(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform, seats=bots(4))
    streams = OpenStreams(replace(STREAM_SETTINGS, backlog=16), NoMeter())
    notifier = RedisChangeNotifier(house.redis)
    live_games = LiveGames(house.store(), notifier, streams)
    watch_game = WatchGame(house.store(), house.clock, live_games, streams)
    query = WatchGameQuery(GameId(seated.game_id), after_version=0)
    async with notifier.listening(), watch_game(PlatformCaller(ACME), query) as watch:
        assert isinstance((await watch.more())[0], Heartbeat)
        while watch._followed.oldest == 0:
            await dealt_out(platform, seated.game_id)
            await watch._followed.read_on()
        kept = len(watch._followed.between(watch._followed.oldest, 2**31))
        with refusal(READER_TOO_SLOW) as dropped:
            await watch.more()
    assert 0 == Position.from_cursor(str(dropped.value.facts["resume"])).version
    history = await all_events(platform, seated.game_id)
    assert kept < len(history), "what is far behind is forgotten"


@asynccontextmanager
async def _lazily(client: Client) -> AsyncIterator[Client]:
    """Connect once more to the same worker, so that little is read before it is asked for."""
    target = client.channel._channel.target.decode()  # type: ignore[attr-defined]
    options = [
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", 1_024),
        ("grpc.use_local_subchannel_pool", 1),
    ]
    async with aio.insecure_channel(target, options) as channel:
        yield Client(GameServiceStub(channel), channel)


async def _gather(stream: Watching, told: list[event_pb2.Event]) -> None:
    async for message in rest_of(stream):
        told += message.events.events
