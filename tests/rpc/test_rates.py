"""No caller and no game has more than its share of a worker, and each is told when to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any

import pytest
from grpc import aio
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import PlatformId
from mextrain_service.application.refused import TOO_MANY_WATCHERS
from mextrain_service.application.streams import OpenStreams, StreamSettings
from mextrain_service.rpc.caller_rates import RateLimits
from mextrain_service.rpc.rates import Rates
from tests.polling import until
from tests.refusals import refusal
from tests.rpc.calls import PEOPLE
from tests.rpc.channels import playing, reason_of, token_of
from tests.rpc.games import seat_all
from tests.rpc.players import player_token
from tests.rpc.refusing import Refused, read, refusal_of
from tests.rpc.serving import Bounds, Client, House, NoMeter, persons, worker

LEAST = 0.001
"""A rate so low that nothing comes back during a test."""

WATCHED = game_pb2.TablePolicy(spectators=True)


class Watch:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def test_rates_admit_a_burst_and_then_as_many_as_come_in() -> None:
    watch = Watch()
    rates = Rates(per_s=10, burst_s=0.5, clock=watch)
    assert [0.0] * 5 == [rates.wait_s("key") for _ in range(5)]
    assert pytest.approx(0.1) == rates.wait_s("key")
    watch.now_s += 0.04
    assert pytest.approx(0.06) == rates.wait_s("key")
    watch.now_s += 0.07
    assert 0.0 == rates.wait_s("key")
    assert 0.0 < rates.wait_s("key")


def test_rates_let_a_bucket_be_no_more_than_full() -> None:
    watch = Watch()
    rates = Rates(per_s=10, burst_s=0.5, clock=watch)
    for _ in range(3):
        watch.now_s += 1_000
        assert 5 == sum(not rates.wait_s("key") for _ in range(9))


def test_rates_count_keys_apart() -> None:
    rates = Rates(per_s=LEAST, burst_s=0)
    assert 0.0 == rates.wait_s("one") == rates.wait_s("two")
    assert rates.wait_s("one") > 0


def test_rates_admit_one_call_at_least() -> None:
    assert 0.0 == Rates(per_s=LEAST, burst_s=0).wait_s("key")


def test_rates_admit_all_when_there_is_no_limit() -> None:
    rates = Rates(per_s=0, burst_s=0)
    assert not any(rates.wait_s("key") for _ in range(1_000))


def test_rates_forget_the_key_used_longest_ago_when_there_are_too_many() -> None:
    rates = Rates(per_s=LEAST, burst_s=0, max_keys=2)
    assert [0.0, 0.0, 0.0] == [rates.wait_s(key) for key in ("one", "two", "three")]
    assert rates.wait_s("three") > 0
    assert 0.0 == rates.wait_s("one")


def _assert_limited(refused: Refused, scope: str) -> None:
    assert ("RESOURCE_EXHAUSTED", "RATE_LIMITED") == (refused.code, refused.reason)
    assert scope == refused.facts["scope"]
    assert refused.retry_after_s is not None
    assert refused.retry_after_s > 0


async def test_platform_shares_its_rate_among_its_keys_and_with_nobody_else(house: House) -> None:
    async with worker(
        house, bounds=Bounds(RateLimits(platform_per_s=LEAST, burst_s=2_000))
    ) as nobody:
        platform, rival = nobody.bearing(house.key.text), nobody.bearing(house.other_key.text)
        seated = await seat_all(platform)
        await platform.get_game(seated.game_id)
        _assert_limited(await refusal_of(platform.get_game(seated.game_id)), "caller")
        assert "GAME_NOT_FOUND" == (await refusal_of(rival.get_game(seated.game_id))).reason
        await seated.seats[0].get_game(seated.game_id)


async def test_seat_has_a_rate_of_its_own(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(player_per_s=LEAST, burst_s=0))) as nobody:
        seated = await seat_all(nobody.bearing(house.key.text))
        await seated.seats[0].get_game(seated.game_id)
        _assert_limited(await refusal_of(seated.seats[0].get_game(seated.game_id)), "caller")
        await seated.seats[1].get_game(seated.game_id)


async def test_spectators_of_a_game_share_a_rate_and_take_nothing_from_its_seats(
    house: House,
) -> None:
    limits = RateLimits(spectators_per_s=LEAST, burst_s=0)
    async with worker(house, bounds=Bounds(limits)) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform, policy=WATCHED)
        other = await seat_all(platform, policy=WATCHED)
        await seated.spectator.get_game(seated.game_id)
        for _ in range(3):
            refused = await refusal_of(seated.spectator.score(seated.game_id))
            _assert_limited(refused, "spectators")
            await seated.seats[1].score(seated.game_id)
            await platform.get_game(seated.game_id)
        await other.spectator.get_game(other.game_id)


async def test_calls_for_a_game_of_others_take_nothing_from_it(house: House) -> None:
    limits = RateLimits(spectators_per_s=LEAST, player_per_s=LEAST, platform_per_s=2, burst_s=1)
    async with worker(house, bounds=Bounds(limits)) as nobody:
        platform, rival = nobody.bearing(house.key.text), nobody.bearing(house.other_key.text)
        seated = await seat_all(platform, policy=WATCHED)
        await rival.create_game(pb.CreateGameRequest(seats=persons(2)))
        for _ in range(3):
            await refusal_of(rival.get_game(seated.game_id))
        await seated.seats[0].get_game(seated.game_id)
        await seated.spectator.get_game(seated.game_id)


async def test_token_that_was_replaced_takes_nothing_from_the_one_that_replaced_it(
    house: House,
) -> None:
    async with worker(house, bounds=Bounds(RateLimits(player_per_s=LEAST, burst_s=0))) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        renewed = nobody.bearing((await platform.claim(seated.game_id, 0)).seat_token.token)
        reasons = [
            (await refusal_of(seated.seats[0].get_game(seated.game_id))).reason for _ in range(2)
        ]
        assert reasons == ["TOKEN_SUPERSEDED", "RATE_LIMITED"]
        await renewed.get_game(seated.game_id)


async def test_refused_credentials_are_limited_as_calls_without_one(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(anonymous_per_s=LEAST, burst_s=0))) as nobody:
        guesses = [nobody.bearing(f"mxk_acme_{letter * 43}") for letter in "ABC"]
        reasons = [(await refusal_of(guess.list_games())).reason for guess in guesses]
        assert reasons == ["TOKEN_INVALID", "RATE_LIMITED", "RATE_LIMITED"]
        await nobody.bearing(house.key.text).list_games()


async def test_callers_without_a_credential_have_a_rate(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(anonymous_per_s=LEAST, burst_s=0))) as nobody:
        await nobody.stub.ListPresets(pb.ListPresetsRequest())
        refused = await refusal_of(nobody.stub.ListPresets(pb.ListPresetsRequest()))
        _assert_limited(refused, "caller")


async def test_call_is_admitted_after_the_time_that_was_told(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(player_per_s=2, burst_s=0))) as nobody:
        seated = await seat_all(nobody.bearing(house.key.text))
        seat, before = seated.seats[0], monotonic()
        results: list[Any] = await asyncio.gather(
            *(seat.get_game(seated.game_id) for _ in range(2)), return_exceptions=True
        )
        (refused,) = (each for each in results if isinstance(each, aio.AioRpcError))
        wait_s = read(refused).retry_after_s
        assert wait_s is not None
        await _eventually_admitted(lambda: seat.get_game(seated.game_id))
        assert monotonic() - before >= wait_s


async def _open(client: Client, game_id: str) -> Any:
    stream = client.watch(game_id)
    assert isinstance(await stream.read(), pb.WatchGameResponse)
    return stream


async def test_seat_has_so_many_streams_and_one_more_when_one_ends(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(streams_per_player=2))) as nobody:
        seated = await seat_all(nobody.bearing(house.key.text))
        seat, other = seated.seats[0], seated.seats[1]
        streams = [await _open(seat, seated.game_id) for _ in range(2)]
        with pytest.raises(aio.AioRpcError) as caught:
            await _open(seat, seated.game_id)
        _assert_limited(read(caught.value), "caller_streams")
        await _open(other, seated.game_id)
        streams[0].cancel()
        await _eventually_admitted(lambda: _open(seat, seated.game_id))


async def _eventually_admitted(call: Callable[[], Awaitable[object]]) -> None:
    """Make a call again until it is not refused any more."""

    async def admitted() -> bool:
        try:
            await call()
        except aio.AioRpcError as error:
            if read(error).reason != "RATE_LIMITED":
                raise
            return False
        return True

    await until(admitted)


async def test_streams_of_a_player_with_a_token_of_the_platform_count_for_the_seat(
    house: House,
) -> None:
    async with worker(house, bounds=Bounds(RateLimits(streams_per_player=2))) as nobody:
        seated = await seat_all(nobody.bearing(house.key.text), seats=PEOPLE)
        player = nobody.bearing(player_token("ann"))
        await _open(player, seated.game_id)
        await _open(seated.seats[0], seated.game_id)
        for client in (player, seated.seats[0]):
            with pytest.raises(aio.AioRpcError) as caught:
                await _open(client, seated.game_id)
            _assert_limited(read(caught.value), "caller_streams")


async def test_channels_of_a_seat_count_as_its_streams(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(streams_per_player=2))) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        token = token_of(seated.seats[0])
        async with playing(platform) as stream:
            for channel in (1, 2):
                assert (await stream.open(channel, seated.game_id, token)).HasField("opened")
            refused = await stream.open(3, seated.game_id, token)
            assert "RATE_LIMITED" == reason_of(refused.error)
            with pytest.raises(aio.AioRpcError):
                await _open(seated.seats[0], seated.game_id)
            await stream.close(1)
            assert (await stream.open(3, seated.game_id, token)).HasField("opened")


async def test_tokens_that_are_refused_on_a_stream_count_as_calls_of_its_platform(
    house: House,
) -> None:
    async with worker(
        house, bounds=Bounds(RateLimits(platform_per_s=LEAST, burst_s=3_000))
    ) as nobody:
        platform = nobody.bearing(house.key.text)
        async with playing(platform) as stream:
            answers = [await stream.open(number, "A" * 22, "a.b.c") for number in (1, 2, 3)]
        reasons = [reason_of(answer.error) for answer in answers]
        assert reasons == ["TOKEN_INVALID", "TOKEN_INVALID", "RATE_LIMITED"]


def test_last_tenth_of_the_streams_is_kept_for_platforms_that_have_less_of_them() -> None:
    streams = OpenStreams(StreamSettings(most_streams=20), NoMeter())
    with ExitStack() as stack:
        for _ in range(18):
            stack.enter_context(streams.counted_for(PlatformId("acme")))
        with refusal(TOO_MANY_WATCHERS), streams.counted_for(PlatformId("acme")):
            pass
        for _ in range(2):
            stack.enter_context(streams.counted_for(PlatformId("rival")))
    with streams.counted_for(PlatformId("acme")):
        pass


async def test_game_has_so_many_streams_of_spectators(house: House) -> None:
    async with worker(house, bounds=Bounds(RateLimits(streams_per_game=2))) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform, policy=WATCHED)
        other = await seat_all(platform, policy=WATCHED)
        for _ in range(2):
            await _open(seated.spectator, seated.game_id)
        with pytest.raises(aio.AioRpcError) as caught:
            await _open(seated.spectator, seated.game_id)
        _assert_limited(read(caught.value), "spectator_streams")
        await _open(seated.seats[0], seated.game_id)
        await _open(other.spectator, other.game_id)


async def test_call_beyond_those_that_a_worker_carries_is_told_to_come_back(house: House) -> None:
    async with worker(house, bounds=Bounds(max_calls=2)) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        await house.redis.client_pause(200)
        calls = [platform.get_game(seated.game_id) for _ in range(6)]
        results: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
        refused = [read(each) for each in results if isinstance(each, aio.AioRpcError)]
        assert 4 == len(refused)
        assert {("UNAVAILABLE", "OVERLOADED")} == {(each.code, each.reason) for each in refused}
        pauses = {each.retry_after_s or 0.0 for each in refused}
        assert 0.5 <= min(pauses) <= max(pauses) <= 1.0
        assert len(pauses) > 1
        await platform.get_game(seated.game_id)
