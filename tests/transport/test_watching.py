"""Whoever watches a game misses nothing, is told nothing twice, and hears when it is over."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import aio
from mextrain.v1 import event_pb2, game_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.application.callers import PlatformCaller
from mextrain_service.application.errors import ReaderTooSlowError
from mextrain_service.application.following import Followers
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    PlatformId,
    SeatChange,
    SeatChanged,
)
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.watch_game import WatchGame, WatchGameQuery
from mextrain_service.application.watching import Heartbeat
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.notices import RedisNotices
from tests.transport.games import Seated, seat_all
from tests.transport.refusing import read, refusal_of
from tests.transport.serving import (
    STREAM_SETTINGS,
    Client,
    House,
    NoMeter,
    Watching,
    bots,
    worker,
)
from tests.transport.test_history import all_events, play_some

WATCHED = game_pb2.TablePolicy(spectators=True, auto_call=True)
ACME = PlatformId("acme")
DELETED = watch_pb2.END_REASON_DELETED
SOON = Duration(nanos=20_000_000)

Response = pb.WatchGameResponse


@dataclass
class Watcher:
    """Someone who watches, loses the stream at times, and goes on where it ended.

    Attributes:
        clients: whom to watch through, by turns, each with the same credential.
        events: all that was told.
        version: the version up to which everything was told.
        end: the last message, once there was one.
    """

    clients: Sequence[Client]
    game_id: str
    chance: random.Random
    events: list[event_pb2.Event] = field(default_factory=list)
    version: int = 0
    end: watch_pb2.WatchEnd | None = None

    async def watch(self) -> None:
        """Watch until the end, over as many streams as it takes."""
        while self.end is None:
            stream = self.chance.choice(self.clients).watch(
                self.game_id, after_version=self.version
            )
            patience = self.chance.randrange(1, 12)
            async for message in stream:
                self.hear(message)
                patience -= 1
                if not patience and self.end is None:
                    break
            stream.cancel()

    def hear(self, message: Response) -> None:
        match message.WhichOneof("update"):
            case "events":
                assert message.events.version > self.version, "nothing is told twice"
                self.events += message.events.events
                self.version = message.events.version
            case "heartbeat":
                assert message.heartbeat.version == self.version
            case "end":
                self.end = message.end
            case _:
                pytest.fail(f"not to be told: {message}")


@pytest.mark.parametrize("seed", [1, 2])
async def test_stitched_streams_are_the_history_whoever_watches_wherever(
    seed: int, house: House
) -> None:
    chance = random.Random(seed)
    async with AsyncExitStack() as stack:
        nobodies = [await stack.enter_async_context(worker(house)) for _ in range(2)]
        platform = nobodies[0].bearing(house.key.text)
        seated = await seat_all(platform, policy=WATCHED, fixed_seed=seed)
        readers = [*seated.seats.values(), *seated.seats.values(), seated.spectator, platform]
        watchers = [
            Watcher(_everywhere(reader, nobodies), seated.game_id, random.Random(f"{seed} {at}"))
            for at, reader in enumerate(readers)
        ]
        async with asyncio.TaskGroup() as tasks:
            for watcher in watchers:
                tasks.create_task(watcher.watch())
            await play_some(seated, 120, chance)
            version = (await platform.get_game(seated.game_id)).view.version
            histories = [await all_events(reader, seated.game_id) for reader in readers]
            await _until(lambda: all(watcher.version == version for watcher in watchers))
            await platform.delete(seated.game_id)
        for watcher, history in zip(watchers, histories, strict=True):
            assert history == watcher.events
            assert watch_pb2.WatchEnd(reason=DELETED, version=version) == watcher.end


async def test_watch_without_a_version_begins_with_the_table_as_it_is(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with _watching(seated.seats[1], seated.game_id) as stream:
        first = await _next(stream)
        assert watch_pb2.RESET_REASON_BEGINNING == first.reset.reason
        seen = await seated.seats[1].get_game(seated.game_id)
        assert seen == first.reset.game
        moved = await _move(seated)
        after = await _next(stream)
        assert moved.view.version == after.events.version
        assert {moved.view.version} == {event.version for event in after.events.events}


async def test_watch_tells_what_was_missed_then_what_happens(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    async with _watching(platform, seated.game_id, after_version=0) as stream:
        missed = await _next(stream)
        assert (1, list(dealt.events)) == (missed.events.version, list(missed.events.events))
        await _move(seated)
        assert 2 == (await _next(stream)).events.version


async def test_watch_after_the_latest_version_says_at_once_that_nothing_happened(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    async with _watching(platform, seated.game_id, after_version=0) as stream:
        beat = (await _next(stream)).heartbeat
        assert (0, house.clock.now_ms()) == (beat.version, beat.server_time.ToMilliseconds())


async def test_heartbeats_come_as_often_as_the_watcher_asks(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with _watching(
        platform, seated.game_id, after_version=1, heartbeat_interval=SOON
    ) as stream:
        beats = [(await _next(stream)).heartbeat.version for _ in range(4)]
        await _move(seated)
        while not (message := await _next(stream)).HasField("events"):
            pass
        assert [1, 1, 1, 1] == beats
        assert 2 == message.events.version
        assert 2 == (await _next(stream)).heartbeat.version


@pytest.mark.parametrize("interval", [Duration(), Duration(seconds=301), Duration(seconds=-1)])
async def test_heartbeats_of_another_interval_are_refused(
    interval: Duration, platform: Client
) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(_first(platform.watch(seated.game_id, heartbeat_interval=interval)))
    assert (("heartbeat_interval", "OUT_OF_RANGE"),) == refused.violations


async def test_version_that_the_game_has_not_reached_resets_the_watcher(platform: Client) -> None:
    seated = await seat_all(platform)
    async with _watching(seated.seats[0], seated.game_id, after_version=7) as stream:
        reset = (await _next(stream)).reset
        assert watch_pb2.RESET_REASON_VERSION_AHEAD == reset.reason
        assert 0 == reset.game.view.version


async def test_history_that_is_gone_resets_the_watcher(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    await house.redis.set(game_keys(GameId(seated.game_id)).log, b"")
    async with _watching(seated.seats[0], seated.game_id, after_version=0) as stream:
        reset = (await _next(stream)).reset
        assert watch_pb2.RESET_REASON_HISTORY_GONE == reset.reason
        assert await seated.seats[0].get_game(seated.game_id) == reset.game
    assert "HISTORY_GONE" == (await refusal_of(platform.events(seated.game_id))).reason
    assert "HISTORY_GONE" == (await refusal_of(platform.export(seated.game_id))).reason


@pytest.mark.parametrize("early", [True, False])
async def test_finished_match_ends_the_stream_for_good(early: bool, platform: Client) -> None:
    seated = await seat_all(
        platform,
        seats=bots(2),
        overrides={"rounds": "ROUNDS_FIXED", "round_count": 1},
        policy=WATCHED,
    )
    if not early:
        await platform.deal(seated.game_id)
    async with _watching(seated.spectator, seated.game_id, after_version=0) as stream:
        if early:
            await _next(stream)
            await platform.deal(seated.game_id)
        messages = [message async for message in _rest(stream)]
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
    async with _watching(platform, seated.game_id, after_version=0) as stream:
        await _next(stream)
        house.clock.advance(1)
        async with house.redis.pipeline(transaction=True) as both:
            both.delete(*game_keys(GameId(seated.game_id))[:2])
            await both.execute()
        assert seated.game_id == (await seat_all(platform, **request)).game_id
        assert watch_pb2.END_REASON_DELETED == (await _next(stream)).end.reason


async def test_lost_hint_only_delays(house: House) -> None:
    async with AsyncExitStack() as stack:
        deaf = RedisNotices(house.redis)
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(deaf, "_hear", lambda _: None)
        nobody = await stack.enter_async_context(worker(house, notices=deaf))
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await platform.deal(seated.game_id)
        async with _watching(platform, seated.game_id, after_version=1) as stream:
            await _next(stream)
            for version in (2, 3):
                await _move(seated)
                assert version == (await _next(stream)).events.version


async def test_hints_are_heard_again_after_their_connection_was_lost(house: House) -> None:
    slow = replace(STREAM_SETTINGS, reread_s=60)
    async with worker(house, streams=OpenStreams(slow, NoMeter())) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await platform.deal(seated.game_id)
        async with _watching(platform, seated.game_id, after_version=1) as stream:
            await _next(stream)
            for version in (2, 3, 4):
                await _until_listeners(house, seated.game_id, 1)
                assert await house.command("CLIENT", "KILL", "TYPE", "pubsub")
                await _move(seated)
                assert version == (await _next(stream)).events.version


async def test_every_watcher_of_a_worker_hears_over_one_connection(
    house: House, platform: Client
) -> None:
    games = [await seat_all(platform, policy=WATCHED) for _ in range(3)]
    async with AsyncExitStack() as stack:
        for seated in games:
            for client in (platform, seated.spectator, *seated.seats.values()):
                stream = await stack.enter_async_context(
                    _watching(client, seated.game_id, after_version=0)
                )
                await _next(stream)
        for seated in games:
            await _until_listeners(house, seated.game_id, 1)
        listening = await house.command("CLIENT", "LIST", "TYPE", "pubsub")
        assert 1 == len(str(listening).strip().splitlines())
    for seated in games:
        await _until_listeners(house, seated.game_id, 0)


async def test_token_that_is_replaced_ends_its_streams_and_no_other(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    async with (
        _watching(seated.seats[0], seated.game_id, after_version=0) as old,
        _watching(seated.seats[1], seated.game_id, after_version=0) as other,
    ):
        await _next(old)
        await _next(other)
        await _rotate(house, GameId(seated.game_id), seat=0)
        with pytest.raises(aio.AioRpcError) as ended:
            await _next(old)
        assert "TOKEN_SUPERSEDED" == read(ended.value).reason
        assert (await _next(other)).events.events[0].HasField("seat_changed")


@pytest.mark.parametrize("delay", [1, 3, 100])
async def test_spectator_who_is_kept_behind_is_told_nothing_sooner(
    delay: int, platform: Client
) -> None:
    policy = game_pb2.TablePolicy(spectators=True, spectator_delay_turns=delay)
    seated = await seat_all(platform, policy=policy)
    await platform.deal(seated.game_id)
    async with (
        _watching(seated.spectator, seated.game_id, after_version=0) as stream,
        _watching(seated.spectator, seated.game_id, heartbeat_interval=SOON) as other,
    ):
        told = list((await _next(stream)).events.events)
        assert 1 == (await _next(other)).reset.game.view.version
        for _ in range(24):
            await _move(seated)
            shown = await seated.spectator.get_game(seated.game_id)
            while told[-1].version < shown.view.version:
                told += (await _next(stream)).events.events
            assert told[-1].version == shown.view.version
        assert await all_events(seated.spectator, seated.game_id) == told
        while (beat := await _next(other)).heartbeat.version != shown.view.version:
            assert beat.heartbeat.version <= shown.view.version
        async with _watching(seated.spectator, seated.game_id) as late:
            reset = (await _next(late)).reset.game
            assert shown.view == reset.view
        for seat in seated.seats:
            await platform.resign(seated.game_id, seat)
        whole = await all_events(platform, seated.game_id)
        while told[-1].version < whole[-1].version:
            told += (await _next(stream)).events.events
        assert whole == told


async def test_worker_that_stops_sends_its_watchers_elsewhere(house: House) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with _watching(platform, seated.game_id, after_version=0) as stream:
            await _next(stream)
            streams.close()
            with pytest.raises(aio.AioRpcError) as ended:
                await _next(stream)
        for refused in (
            read(ended.value),
            await refusal_of(_first(platform.watch(seated.game_id))),
        ):
            assert ("UNAVAILABLE", "SHUTTING_DOWN") == (refused.code, refused.reason)
            assert refused.retry_after_s is not None


async def test_worker_takes_no_more_streams_than_it_has_room_for(house: House) -> None:
    streams = OpenStreams(replace(STREAM_SETTINGS, most_streams=2), NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with _watching(platform, seated.game_id) as one:
            await _next(one)
            async with _watching(platform, seated.game_id) as two:
                await _next(two)
                refused = await refusal_of(_first(platform.watch(seated.game_id)))
                assert ("RESOURCE_EXHAUSTED", "TOO_MANY_WATCHERS") == (
                    refused.code,
                    refused.reason,
                )
                assert refused.retry_after_s is not None
            await _until(lambda: streams._open == 1)
            async with _watching(platform, seated.game_id) as three:
                await _next(three)


async def test_watcher_that_takes_nothing_is_dropped_and_told_where_to_resume(
    house: House,
) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform, seats=bots(6))
        for _ in range(6):
            await platform.deal(seated.game_id)
        whole = await all_events(platform, seated.game_id, page_size=500)
        async with _lazily(nobody) as lazy:
            stream = lazy.bearing(house.key.text).watch(seated.game_id, after_version=0)
            await _next(stream)
            await _until(lambda: streams._open == 0)
            told: list[event_pb2.Event] = []
            with pytest.raises(aio.AioRpcError) as ended:
                await _gather(stream, told)
        refused = read(ended.value)
        assert ("RESOURCE_EXHAUSTED", "READER_TOO_SLOW") == (refused.code, refused.reason)
        assert refused.retry_after_s is not None
        resume = int(refused.facts["resume"])
        assert resume <= told[-1].version < whole[-1].version
        async with _watching(platform, seated.game_id, after_version=resume) as stream:
            rest = (await _next(stream)).events.events
        assert [event for event in whole if event.version > resume][: len(rest)] == list(rest)


async def test_watcher_who_is_too_far_behind_is_dropped_and_told_where_to_resume(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform, seats=bots(4))
    streams = OpenStreams(replace(STREAM_SETTINGS, backlog=16), NoMeter())
    notices = RedisNotices(house.redis)
    followers = Followers(house.store(), notices, streams)
    watch_game = WatchGame(house.store(), house.clock, followers, streams)
    query = WatchGameQuery(GameId(seated.game_id), after_version=0)
    async with notices.listening(), watch_game(PlatformCaller(ACME), query) as watch:
        assert isinstance((await watch.more())[0], Heartbeat)
        while watch._followed.oldest == 0:
            await platform.deal(seated.game_id)
            await watch._followed.read_on()
        kept = len(watch._followed.between(watch._followed.oldest, 2**31))
        with pytest.raises(ReaderTooSlowError) as dropped:
            await watch.more()
    assert "0" == dropped.value.resume
    history = await all_events(platform, seated.game_id)
    assert kept < len(history), "what is far behind is forgotten"


async def _move(seated: Seated) -> pb.PlayMoveResponse:
    """Make the first legal move of the seat to move."""
    game = await seated.platform.get_game(seated.game_id)
    mover = seated.seats[game.view.round.turn]
    legal = await mover.legal_moves(seated.game_id)
    return await mover.play_moves(seated.game_id, legal.moves[0])


async def _rotate(house: House, game_id: GameId, seat: int) -> None:
    """Give a seat another token, as far as the game has a part in it."""
    store = house.store()
    game: HostedGame = await store.load(game_id)
    holders = list(game.seats)
    holders[seat] = replace(holders[seat], token_generation=holders[seat].token_generation + 1)
    await store.commit(
        replace(game, version=game.version + 1, seats=tuple(holders)),
        base_version=game.version,
        entries=[SeatChanged(seat, SeatChange.TOKEN_ROTATED)],
    )


def _everywhere(reader: Client, nobodies: Iterable[Client]) -> list[Client]:
    """Return the same caller as a client of each worker."""
    return [Client(at.stub, at.channel, reader.metadata) for at in nobodies]


@asynccontextmanager
async def _watching(client: Client, game_id: str, **fields: object) -> AsyncIterator[Watching]:
    stream = client.watch(game_id, **fields)
    try:
        yield stream
    finally:
        stream.cancel()


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


async def _next(stream: Watching) -> Response:
    """Return the next message, within a time that is long."""
    message = await asyncio.wait_for(stream.read(), 10)
    assert isinstance(message, Response), "the stream has ended"
    return message


async def _rest(stream: Watching) -> AsyncIterator[Response]:
    """Yield all that is still to come."""
    while isinstance(message := await asyncio.wait_for(stream.read(), 10), Response):
        yield message


async def _gather(stream: Watching, told: list[event_pb2.Event]) -> None:
    async for message in _rest(stream):
        told += message.events.events


async def _first(stream: Watching) -> Response:
    """Return the first message, be it that there is none."""
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what holds is changed by other tasks
            await asyncio.sleep(0.005)


async def _listeners(house: House, game_id: str) -> int:
    channel = game_keys(GameId(game_id)).channel
    answer = await house.command("PUBSUB", "SHARDNUMSUB", channel)
    return int(answer[1])


async def _until_listeners(house: House, game_id: str, count: int) -> None:
    """Wait until so many connections listen for a game."""
    async with asyncio.timeout(20):
        while await _listeners(house, game_id) != count:  # noqa: ASYNC110 - the store has no events
            await asyncio.sleep(0.005)
