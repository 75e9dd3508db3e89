"""What operators see: everything about a game but its hands, and those only on the record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mextrain.v1 import error_reason_pb2, game_pb2
from structlog.testing import capture_logs

from mextrain_service.application.model import GameId
from mextrain_service.application.operator_ports import RecentError
from mextrain_service.rpc.recent_errors import KEPT_OF_A_GAME, KeptErrors
from mextrain_service.storage.keys import game_keys
from tests.rpc.fake_clock import FakeClock
from tests.rpc.games import Seated, seat_all, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House


@pytest.fixture
def operator(nobody: Client, house: House) -> Client:
    """Somebody who runs the service."""
    return nobody.bearing(house.operator_key.text)


@pytest.fixture
def trusted(nobody: Client, house: House) -> Client:
    """Somebody who runs the service and may also see hands."""
    return nobody.bearing(house.reveal_key.text)


async def _dealt(platform: Client) -> Seated:
    seated = await seat_all(platform, policy=game_pb2.TablePolicy(spectators=True))
    await platform.deal(seated.game_id, request_id="deal")
    return seated


def _audits(events: list[Any]) -> list[dict[str, Any]]:
    return [dict(event) for event in events if event["event"].startswith("hands")]


async def test_operator_sees_how_a_game_is_whatever_platform_it_is_of(
    platform: Client, rival: Client, operator: Client
) -> None:
    for owner, name in ((platform, "acme"), (rival, "rival")):
        seated = await _dealt(owner)
        shown = await operator.inspect(seated.game_id)
        assert name == shown.platform_id
        assert 1 == shown.game.view.version
        assert ["account-0", "account-1", "account-2"] == [
            seat.person.player_id for seat in shown.game.seats
        ]
        assert [1, 1, 1] == list(shown.token_generations)


async def test_operator_sees_what_is_stored(
    platform: Client, operator: Client, house: House
) -> None:
    seated = await _dealt(platform)
    stored = (await operator.inspect(seated.game_id)).stored
    keys = game_keys(GameId(seated.game_id))
    assert await house.redis.strlen(keys.snapshot) == stored.snapshot_bytes
    assert await house.redis.strlen(keys.log) == stored.log_bytes
    assert stored.memory_bytes > stored.snapshot_bytes + stored.log_bytes
    assert 1 == stored.idempotency_records
    ends_ms = await house.redis.pexpiretime(keys.snapshot)
    assert ends_ms == stored.expire_time.ToMilliseconds()
    assert [] == list(stored.faults)


async def test_operator_sees_no_hand(platform: Client, operator: Client, trusted: Client) -> None:
    seated = await _dealt(platform)
    with capture_logs() as events:
        for client in (operator, trusted):
            shown = await client.inspect(seated.game_id)
            assert [] == list(shown.hands) == list(shown.game.view.hand)
        spectator = await seated.spectator.get_game(seated.game_id)
    assert spectator.view.round == shown.game.view.round
    assert [] == _audits(events)


async def test_hands_are_shown_to_whoever_may_see_them_and_it_is_written_down_first(
    platform: Client, trusted: Client
) -> None:
    seated = await _dealt(platform)
    with capture_logs() as events:
        shown = await trusted.inspect(seated.game_id, reveal_hands=True)
    for seat, client in seated.seats.items():
        assert list((await client.get_game(seated.game_id)).view.hand) == list(
            shown.hands[seat].tiles
        )
    (audit,) = _audits(events)
    assert ("hands revealed", "critical", "bob", seated.game_id, 1) == (
        audit["event"],
        audit["log_level"],
        audit["operator"],
        audit["game_id"],
        audit["version"],
    )
    assert "tiles" not in json.dumps(events, default=str)


async def test_hands_are_refused_to_other_operators_and_that_is_written_down_too(
    platform: Client, operator: Client, house: House
) -> None:
    seated = await _dealt(platform)
    before = await stored_bytes(house.redis)
    with capture_logs() as events:
        refused = await refusal_of(operator.inspect(seated.game_id, reveal_hands=True))
    assert ("PERMISSION_DENIED", "InspectGame with hands") == (
        refused.reason,
        refused.facts["action"],
    )
    (audit,) = _audits(events)
    assert ("hands refused", "ann") == (audit["event"], audit["operator"])
    assert before == await stored_bytes(house.redis)


async def test_game_that_cannot_be_read_is_shown_as_far_as_it_can(
    platform: Client, trusted: Client, house: House
) -> None:
    seated = await _dealt(platform)
    key = game_keys(GameId(seated.game_id)).snapshot
    await house.redis.set(key, b"\x01 no snapshot at all", keepttl=True)
    shown = await trusted.inspect(seated.game_id, reveal_hands=True)
    assert not shown.HasField("game")
    assert ["snapshot_unreadable"] == list(shown.stored.faults)
    assert 20 == shown.stored.snapshot_bytes
    assert [] == list(shown.hands)


async def test_operator_sees_which_calls_for_the_game_failed_lately(
    platform: Client, operator: Client, house: House
) -> None:
    seated, other = await _dealt(platform), await _dealt(platform)
    await refusal_of(platform.deal(seated.game_id))
    house.clock.advance(1)
    await refusal_of(platform.play(seated.game_id, "draw"))
    await platform.get_game(seated.game_id)
    errors = (await operator.inspect(seated.game_id)).recent_errors
    assert [("PlayMove", "PERMISSION_DENIED"), ("DealRound", "ROUND_IN_PROGRESS")] == [
        (error.method, error_reason_pb2.ErrorReason.Name(error.reason)[len("ERROR_REASON_") :])
        for error in errors
    ]
    assert house.clock.now_ms() == errors[0].time.ToMilliseconds()
    assert errors[0].call_id
    assert [] == list((await operator.inspect(other.game_id)).recent_errors)


def test_errors_are_kept_of_some_games_and_some_of_each() -> None:
    kept = KeptErrors(FakeClock(), max_games=2)
    for game in ("one", "two", "one", "three"):
        kept.note(game, RecentError(1, "GetGame", "INTERNAL", game))
    assert [2, 0, 1] == [len(kept.of_game(GameId(game))) for game in ("one", "two", "three")]
    for number in range(20):
        kept.note("one", RecentError(number, "GetGame", "INTERNAL", "one"))
    assert [19, 18] == [error.ended_ms for error in kept.of_game(GameId("one"))[:2]]
    assert KEPT_OF_A_GAME == len(kept.of_game(GameId("one")))


async def test_game_id_that_cannot_be_one_is_refused(operator: Client) -> None:
    assert "FIELD_INVALID" == (await refusal_of(operator.inspect("no such name!"))).reason
