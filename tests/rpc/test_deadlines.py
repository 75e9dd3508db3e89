"""Deadlines are acted on once, by whichever worker comes first, and by no other."""

from __future__ import annotations

import asyncio

import pytest
from mextrain.v1 import game_pb2

from mextrain_service.application.deadline_book import OVERDUE_MS
from mextrain_service.application.draft import Draft, beginning
from mextrain_service.application.enforce_deadlines import Enforced
from mextrain_service.application.model import GameId
from mextrain_service.storage.deadlines import LEASE_MS
from tests.rpc.games import gone_on, seat_all, stored_bytes
from tests.rpc.serving import Client, House, enforcer, persons, worker
from tests.rpc.timing import (
    BOT,
    SKIP,
    TURN_S,
    WAIT,
    dealt_with_clock,
    enforced,
    happened_since,
    kinds_of,
    per_turn,
    whole_turn,
)


@pytest.mark.parametrize("on_timeout", [WAIT, BOT, SKIP])
async def test_deadline_is_acted_on_once_by_any_number_of_workers(
    platform: Client, house: House, on_timeout: game_pb2.OnTimeout.ValueType
) -> None:
    tables = [await dealt_with_clock(platform, per_turn(on_timeout=on_timeout)) for _ in range(6)]
    house.clock.advance(TURN_S)
    outcomes = await asyncio.gather(*(enforced(house) for _ in range(5)))
    acted = sorted(each.game_id for part in outcomes for each in part)
    assert sorted(seated.game_id for seated, _ in tables) == acted
    for _, game in tables:
        kinds = kinds_of(await happened_since(platform, game))
        assert 1 == len([kind for kind in kinds if kind.startswith("TIMED_OUT")])


async def test_workers_that_look_at_one_game_at_once_act_on_it_once(
    platform: Client, house: House
) -> None:
    """No lease keeps them apart: only the version of the game does."""
    _, game = await dealt_with_clock(platform, per_turn())
    house.clock.advance(TURN_S)
    now_ms = house.clock.now_ms()
    workers = [enforcer(house) for _ in range(5)]

    async def race(number: int) -> None:
        await house.deadlines().schedule(GameId(game.game_id), now_ms - number, now_ms)
        async for _ in workers[number]():
            pass

    await asyncio.gather(*(race(number) for number in range(5)))
    kinds = kinds_of(await happened_since(platform, game))
    assert 1 == len([kind for kind in kinds if kind.startswith("TIMED_OUT")])


async def test_deadline_of_a_worker_that_is_dead_is_acted_on_by_another(
    platform: Client, house: House
) -> None:
    async with worker(house) as dying:
        theirs = dying.bearing(house.key.text)
        _, game = await dealt_with_clock(theirs, per_turn())
    house.clock.advance(TURN_S)
    assert 1 == len(await enforced(house))
    assert "TIMED_OUT" in kinds_of(await happened_since(platform, game))[0]


async def test_deadline_of_a_worker_that_died_while_it_looked_is_acted_on_after_its_lease(
    platform: Client, house: House
) -> None:
    _, game = await dealt_with_clock(platform, per_turn())
    house.clock.advance(TURN_S)
    dead = house.deadlines()
    for partition in range(dead.partitions):
        await dead.claim(partition, house.clock.now_ms(), 50)
    assert [] == await enforced(house)
    house.clock.advance(LEASE_MS / 1_000)
    assert [Enforced(GameId(game.game_id), LEASE_MS)] == await enforced(house)


async def test_move_and_deadline_at_once_are_never_both_for_one_turn(
    platform: Client, house: House
) -> None:
    for _ in range(5):
        seated, game = await dealt_with_clock(platform, per_turn(on_timeout=SKIP))
        turn = game.view.round.turn
        house.clock.advance(TURN_S)
        await asyncio.gather(
            enforced(house),
            seated.seats[turn].play(seated.game_id, "pass", expected_version=1),
            return_exceptions=True,
        )
        events = await happened_since(platform, game)
        ended = [event for event in events if event.HasField("turn_started")]
        assert 1 >= len(ended)


async def test_deadline_whose_entry_was_lost_is_entered_again_by_whoever_looks_at_the_game(
    platform: Client, house: House
) -> None:
    _, game = await dealt_with_clock(platform, per_turn())
    await house.redis.delete(*await house.redis.keys("mt:deadlines:*"))
    house.clock.advance(TURN_S + OVERDUE_MS / 1_000)
    assert [] == await enforced(house)
    await platform.get_game(game.game_id)
    assert [Enforced(GameId(game.game_id), OVERDUE_MS)] == await enforced(house)


async def test_log_replays_to_the_game_after_all_that_clocks_and_seats_do(
    platform: Client, house: House
) -> None:
    policy = per_turn(on_timeout=SKIP, forfeit_after=3)
    policy.deal_by = game_pb2.DEAL_BY_AUTOMATIC
    seated = await seat_all(platform, seats=persons(3), policy=policy)
    await seated.seats[1].add_entropy(seated.game_id, 1, b"dice")
    await platform.stand_in(seated.game_id, 2)
    store = house.store()
    while len((game := await store.load(GameId(seated.game_id))).state.results) < 2:
        house.clock.advance(TURN_S)
        await enforced(house)
    table = Draft(beginning(game))
    entries = (await store.settle(game.game_id)).entries or ()
    table.repeat(entries[: game.version])
    assert (game.version, game.state, game.entropy) == (table.version, table.state, table.entropy)


async def test_early_entry_of_a_deadline_is_put_off_to_the_real_one(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn())
    house.clock.advance(10)
    await whole_turn(seated.seats[game.view.round.turn], seated.game_id)
    house.clock.advance(TURN_S - 10)
    assert [] == await enforced(house)
    house.clock.advance(10)
    assert 1 == len(await enforced(house))


async def test_entry_of_a_game_that_is_gone_or_never_was_is_dropped(
    platform: Client, house: House
) -> None:
    seated, _ = await dealt_with_clock(platform, per_turn())
    await house.deadlines().schedule(GameId("never-was"), house.clock.now_ms(), 0)
    await platform.delete(seated.game_id)
    house.clock.advance(TURN_S)
    assert [] == await enforced(house)
    assert [] == await house.redis.keys("mt:deadlines:*")


async def test_entry_of_a_game_that_has_nothing_due_is_dropped(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn())
    turn = game.view.round.turn
    await platform.resign(seated.game_id, 1 - turn)
    await platform.resign(seated.game_id, turn)
    await gone_on(platform, seated.game_id)
    house.clock.advance(TURN_S)
    await enforced(house)
    before = await stored_bytes(house.redis, "mt:{*")
    assert [] == await enforced(house)
    assert [] == await house.redis.keys("mt:deadlines:*")
    assert before == await stored_bytes(house.redis, "mt:{*")
