"""What is told on a channel beside answers: resets, heartbeats, an end with nothing after it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import watch_pb2

from mextrain_service.application.model import GameId
from tests.rpc.channels import playing, token_of
from tests.rpc.games import dealt_out, seat_all
from tests.rpc.serving import Client, House, bots
from tests.rpc.watchers import WATCHED, break_log, here, make_move


async def test_channel_is_reset_when_the_log_does_not_lead_on(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with playing(platform) as stream:
        cursor = await here(platform, seated.game_id)
        await stream.open(1, seated.game_id, token_of(seated.seats[0]), cursor=cursor)
        await stream.until(1, "heartbeat")
        await break_log(house, GameId(seated.game_id))
        reset = (await stream.until(1, "reset")).reset
        assert watch_pb2.RESET_REASON_HISTORY_GONE == reset.reason
        assert await seated.seats[0].get_game(seated.game_id) == reset.game
        await make_move(seated)
        assert 3 == (await stream.until(1, "events")).events.version


async def test_channel_is_never_silent_for_longer_than_asked(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    interval = Duration(nanos=50_000_000)
    async with playing(platform) as stream:
        token = token_of(seated.seats[0])
        cursor = await here(platform, seated.game_id)
        await stream.open(1, seated.game_id, token, cursor=cursor, heartbeat_interval=interval)
        for version in (1, 2):
            for _ in range(3):
                beat = await stream.until(1, "heartbeat")
                assert version == beat.heartbeat.version
            await make_move(seated)
            assert version + 1 == (await stream.until(1, "events")).events.version


@pytest.mark.parametrize("end", ["deleted", "finished", "finished before"])
async def test_end_of_a_game_is_told_on_its_channels_and_nothing_after_it(
    end: str, platform: Client
) -> None:
    short = {"rounds": "ROUNDS_FIXED", "round_count": 1}
    seated = await seat_all(platform, seats=bots(2), overrides=short, policy=WATCHED)
    heartbeats: dict[str, Any] = {"heartbeat_interval": Duration(nanos=20_000_000)}
    fields = dict(heartbeats)
    if end == "finished before":
        game = await dealt_out(platform, seated.game_id)
        fields["cursor"] = game.view.cursor
    async with playing(platform) as stream:
        await stream.open(1, seated.game_id, token_of(seated.spectator), **fields)
        if end == "deleted":
            await stream.until(1, "heartbeat")
            await platform.delete(seated.game_id)
        elif end == "finished":
            await stream.until(1, "heartbeat")
            await platform.deal(seated.game_id)
        async with asyncio.timeout(100):
            await stream.until(1, "end")
        at = len(stream.heard)
        other = await seat_all(platform, policy=WATCHED)
        await stream.open(2, other.game_id, token_of(other.spectator), **heartbeats)
        for _ in range(4):
            await stream.until(2, "heartbeat")
        await stream.close(1)
        own = [each for each in stream.heard[at:] if each.channel == 1]
        assert ["closed"] == [each.WhichOneof("response") for each in own]
