"""Whoever watches a game misses nothing, and is told nothing twice."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_pb2, watch_pb2

from mextrain_service.application.chain import Position
from mextrain_service.application.model import (
    GameId,
)
from mextrain_service.application.ports import LogPosition, LogReading
from mextrain_service.application.streams import OpenStreams
from mextrain_service.storage import RedisGameStore
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.keys import game_keys
from tests.polling import until
from tests.rpc.games import Seated, gone_on, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import (
    RETENTION,
    STREAM_SETTINGS,
    Client,
    House,
    NoMeter,
    worker,
)
from tests.rpc.test_history import all_events, play_some
from tests.rpc.watchers import (
    DELETED,
    SOON,
    WATCHED,
    Watcher,
    break_log,
    everywhere,
    first_of,
    here,
    make_move,
    next_of,
    until_listeners,
    watching,
)


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
            Watcher(everywhere(reader, nobodies), seated.game_id, random.Random(f"{seed} {at}"))
            for at, reader in enumerate(readers)
        ]
        async with asyncio.TaskGroup() as tasks:
            for watcher in watchers:
                tasks.create_task(watcher.watch())
            await play_some(seated, 120, chance)
            view = (await platform.get_game(seated.game_id)).view
            version, cursor = view.version, view.cursor
            histories = [await all_events(reader, seated.game_id) for reader in readers]
            await until(lambda: all(watcher.version == version for watcher in watchers))
            await platform.delete(seated.game_id)
        for watcher, history in zip(watchers, histories, strict=True):
            assert history == watcher.events
            assert watch_pb2.WatchEnd(reason=DELETED, version=version, cursor=cursor) == watcher.end


async def test_watch_without_a_version_begins_with_the_table_as_it_is(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with watching(seated.seats[1], seated.game_id) as stream:
        first = await next_of(stream)
        assert watch_pb2.RESET_REASON_BEGINNING == first.reset.reason
        seen = await seated.seats[1].get_game(seated.game_id)
        assert seen == first.reset.game
        moved = await make_move(seated)
        after = await next_of(stream)
        assert moved.view.version == after.events.version
        assert {moved.view.version} == {event.version for event in after.events.events}


async def test_watch_tells_what_was_missed_then_what_happens(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    async with watching(platform, seated.game_id, after_version=0) as stream:
        missed = await next_of(stream)
        assert (1, list(dealt.events)) == (missed.events.version, list(missed.events.events))
        await make_move(seated)
        assert 2 == (await next_of(stream)).events.version


async def test_watch_after_the_latest_version_says_at_once_that_nothing_happened(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    async with watching(platform, seated.game_id, after_version=0) as stream:
        beat = (await next_of(stream)).heartbeat
        assert (0, house.clock.now_ms()) == (beat.version, beat.server_time.ToMilliseconds())


async def test_heartbeats_come_as_often_as_the_watcher_asks(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    cursor = await here(platform, seated.game_id)
    async with watching(platform, seated.game_id, cursor=cursor, heartbeat_interval=SOON) as stream:
        beats = [(await next_of(stream)).heartbeat.version for _ in range(4)]
        await make_move(seated)
        while not (message := await next_of(stream)).HasField("events"):
            pass
        assert [1, 1, 1, 1] == beats
        assert 2 == message.events.version
        assert 2 == (await next_of(stream)).heartbeat.version


@pytest.mark.parametrize("interval", [Duration(), Duration(seconds=301), Duration(seconds=-1)])
async def test_heartbeats_of_another_interval_are_refused(
    interval: Duration, platform: Client
) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(
        first_of(platform.watch(seated.game_id, heartbeat_interval=interval))
    )
    assert (("heartbeat_interval", "OUT_OF_RANGE"),) == refused.violations


@pytest.mark.parametrize("version", [1, 7])
async def test_version_without_a_cursor_resets_the_watcher_as_it_names_no_history(
    version: int, platform: Client
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with watching(seated.seats[0], seated.game_id, after_version=version) as stream:
        reset = (await next_of(stream)).reset
        assert watch_pb2.RESET_REASON_CURSOR_MISSING == reset.reason
        assert 1 == reset.game.view.version


@pytest.mark.parametrize("version", [0, 1, 2, 7])
async def test_cursor_of_another_history_resets_the_watcher(version: int, platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    await make_move(seated)
    cursor = Position(version, b"fork!!").cursor
    async with watching(seated.seats[0], seated.game_id, cursor=cursor) as stream:
        reset = (await next_of(stream)).reset
        assert watch_pb2.RESET_REASON_HISTORY_CHANGED == reset.reason
        assert 2 == reset.game.view.version


@pytest.mark.parametrize(
    "cursor", ["7", "7-", "x-AAAAAAAA", "7-AAAAAAA", "7-AAAAAAAAA", "07-AAAAAAAA", "-1-AAAAAAAA"]
)
async def test_cursor_that_the_service_never_gave_is_refused(cursor: str, platform: Client) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(first_of(platform.watch(seated.game_id, cursor=cursor)))
    assert (("cursor", "MALFORMED"),) == refused.violations
    refused = await refusal_of(platform.events(seated.game_id, cursor=cursor))
    assert (("cursor", "MALFORMED"),) == refused.violations


async def test_history_that_is_gone_resets_the_watcher(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    await house.redis.set(game_keys(GameId(seated.game_id)).log, b"")
    async with watching(seated.seats[0], seated.game_id, after_version=0) as stream:
        reset = (await next_of(stream)).reset
        assert watch_pb2.RESET_REASON_HISTORY_GONE == reset.reason
        assert await seated.seats[0].get_game(seated.game_id) == reset.game
    assert "HISTORY_GONE" == (await refusal_of(platform.events(seated.game_id))).reason
    assert "HISTORY_GONE" == (await refusal_of(platform.export(seated.game_id))).reason


async def test_log_that_does_not_lead_on_resets_those_who_watch(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with watching(
        platform, seated.game_id, cursor=await here(platform, seated.game_id)
    ) as stream:
        await next_of(stream)
        await break_log(house, GameId(seated.game_id))
        reset = (await next_of(stream)).reset
        assert watch_pb2.RESET_REASON_HISTORY_GONE == reset.reason
        assert 2 == reset.game.view.version
    assert "HISTORY_GONE" == (await refusal_of(platform.events(seated.game_id))).reason


async def test_lost_hint_only_delays(house: House) -> None:
    async with AsyncExitStack() as stack:
        deaf = RedisChangeNotifier(house.redis)
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(deaf, "_hear", lambda _: None)
        nobody = await stack.enter_async_context(worker(house, notifier=deaf))
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await platform.deal(seated.game_id)
        async with watching(
            platform, seated.game_id, cursor=await here(platform, seated.game_id)
        ) as stream:
            await next_of(stream)
            for version in (2, 3):
                await make_move(seated)
                assert version == (await next_of(stream)).events.version


async def test_hints_are_heard_again_after_their_connection_was_lost(house: House) -> None:
    slow = replace(STREAM_SETTINGS, reread_s=60)
    async with worker(house, streams=OpenStreams(slow, NoMeter())) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await platform.deal(seated.game_id)
        async with watching(
            platform, seated.game_id, cursor=await here(platform, seated.game_id)
        ) as stream:
            await next_of(stream)
            for version in (2, 3, 4):
                await until_listeners(house, seated.game_id, 1)
                assert await house.command("CLIENT", "KILL", "TYPE", "pubsub")
                await make_move(seated)
                assert version == (await next_of(stream)).events.version


async def test_every_watcher_of_a_worker_hears_over_one_connection(
    house: House, platform: Client
) -> None:
    games = [await seat_all(platform, policy=WATCHED) for _ in range(3)]
    async with AsyncExitStack() as stack:
        for seated in games:
            for client in (platform, seated.spectator, *seated.seats.values()):
                stream = await stack.enter_async_context(
                    watching(client, seated.game_id, after_version=0)
                )
                await next_of(stream)
        for seated in games:
            await until_listeners(house, seated.game_id, 1)
        listening = await house.command("CLIENT", "LIST", "TYPE", "pubsub")
        assert 1 == len(str(listening).strip().splitlines())
    for seated in games:
        await until_listeners(house, seated.game_id, 0)


@pytest.mark.parametrize("delay", [1, 3, 100])
async def test_spectator_who_is_kept_behind_is_told_nothing_sooner(
    delay: int, platform: Client
) -> None:
    policy = game_pb2.TablePolicy(spectators=True, spectator_delay_turns=delay)
    seated = await seat_all(platform, policy=policy)
    await platform.deal(seated.game_id)
    async with (
        watching(seated.spectator, seated.game_id, after_version=0) as stream,
        watching(seated.spectator, seated.game_id, heartbeat_interval=SOON) as other,
    ):
        told = list((await next_of(stream)).events.events)
        assert 1 == (await next_of(other)).reset.game.view.version
        for _ in range(24):
            await make_move(seated)
            shown = await seated.spectator.get_game(seated.game_id)
            while told[-1].version < shown.view.version:
                told += (await next_of(stream)).events.events
            assert told[-1].version == shown.view.version
        assert await all_events(seated.spectator, seated.game_id) == told
        while (beat := await next_of(other)).heartbeat.version != shown.view.version:
            assert beat.heartbeat.version <= shown.view.version
        async with watching(seated.spectator, seated.game_id) as late:
            reset = (await next_of(late)).reset.game
            assert shown.view == reset.view
        for seat in seated.seats:
            await platform.resign(seated.game_id, seat)
        await gone_on(platform, seated.game_id)
        whole = await all_events(platform, seated.game_id)
        while told[-1].version < whole[-1].version:
            told += (await next_of(stream)).events.events
        assert whole == told


class Counting(RedisGameStore):
    """A store that counts how often logs are read on."""

    read = 0

    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        self.read += 1
        return await super().read_on(game_id, since)


async def test_what_a_worker_commits_it_tells_without_reading_it_again(house: House) -> None:
    store = Counting(house.redis, RETENTION)
    quiet = OpenStreams(replace(STREAM_SETTINGS, reread_s=60), NoMeter())
    async with worker(house, store, streams=quiet) as nobody, worker(house) as other:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await platform.deal(seated.game_id)
        reader = seated.seats[0]
        async with watching(reader, seated.game_id, after_version=0) as stream:
            told = list((await next_of(stream)).events.events)
            await until_listeners(house, seated.game_id, 1)
            before = store.read
            for _ in range(20):
                await make_move(seated)
            assert store.read <= before + 1, "one reading may still be under way at first"
            elsewhere = platform_elsewhere(other, seated)
            for by in (elsewhere, seated, elsewhere, elsewhere, seated):
                await make_move(by)
            want = await all_events(reader, seated.game_id)
            while len(told) < len(want):
                told += (await next_of(stream)).events.events
            assert want == told


def platform_elsewhere(nobody: Client, seated: Seated) -> Seated:
    """Return a game with everyone at another worker."""
    (platform,) = everywhere(seated.platform, [nobody])
    seats = {seat: everywhere(each, [nobody])[0] for seat, each in seated.seats.items()}
    return Seated(seated.game_id, platform, seats, platform)
