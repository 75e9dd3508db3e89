"""Clocks: of each kind, with each consequence, enforced once by whichever worker comes first."""

from __future__ import annotations

import pytest
from mextrain.v1 import event_pb2, game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.enforce_deadlines import Enforced
from mextrain_service.application.model import GameId
from tests.rpc.games import gone_on, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, bots, persons
from tests.rpc.timing import (
    BOT,
    DAY_S,
    SKIP,
    TURN_S,
    WAIT,
    bank,
    dealt_with_clock,
    drawn_or_played,
    enforced,
    happened_since,
    kinds_of,
    left_s,
    per_turn,
    whole_turn,
)


async def test_deadline_and_server_time_are_in_every_view(platform: Client, house: House) -> None:
    policy = per_turn()
    policy.spectators = True
    seated, game = await dealt_with_clock(platform, policy)
    turn = game.view.round.turn
    assert TURN_S == left_s(game.view)
    house.clock.advance(10)
    for client in (platform, *seated.seats.values(), seated.spectator):
        assert TURN_S - 10 == left_s((await client.get_game(seated.game_id)).view)
    stale = await refusal_of(seated.seats[turn].play(seated.game_id, "draw", expected_version=0))
    assert stale.view is not None
    assert TURN_S - 10 == left_s(stale.view)
    summary = (await platform.list_games()).games[0]
    assert game.view.turn_deadline == summary.turn_deadline


async def test_deadline_stays_while_a_turn_goes_on_and_begins_anew_with_the_next(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn())
    turn = game.view.round.turn
    house.clock.advance(4)
    answer = await drawn_or_played(seated.seats[turn], seated.game_id)
    if answer.view.round.turn == turn:
        assert game.view.turn_deadline == answer.view.turn_deadline
        house.clock.advance(3)
    while answer.view.round.turn == turn:
        answer = await drawn_or_played(seated.seats[turn], seated.game_id)
    assert TURN_S == left_s(answer.view)


async def test_table_without_a_clock_shows_no_deadline(platform: Client, house: House) -> None:
    _, game = await dealt_with_clock(platform, game_pb2.TablePolicy())
    assert not game.view.HasField("turn_deadline")
    assert [] == list(game.banks)
    assert [] == await house.redis.keys("mt:deadlines:*")


async def test_no_time_runs_between_two_rounds(platform: Client) -> None:
    seated = await seat_all(platform, policy=per_turn())
    game = await platform.get_game(seated.game_id)
    assert not game.view.HasField("turn_deadline")


async def test_no_time_runs_for_a_bot(platform: Client, house: House) -> None:
    _, game = await dealt_with_clock(platform, per_turn(), [*persons(1), *bots(1)])
    assert 0 == game.view.round.turn
    assert game.view.HasField("turn_deadline")
    house.clock.advance(1)
    handed = (await platform.stand_in(game.game_id, 0)).game
    assert not handed.view.HasField("turn_deadline")
    over = await gone_on(platform, game.game_id)
    assert view_pb2.PHASE_AWAITING_DEAL == over.view.phase
    assert not over.view.HasField("turn_deadline")


# What happens when time is up


async def test_bot_plays_the_turn_and_the_seat_has_the_next_one(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn(on_timeout=BOT))
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    assert [Enforced(GameId(seated.game_id), 0)] == await enforced(house)
    after = await platform.get_game(seated.game_id)
    assert f"TIMED_OUT {turn}" == kinds_of(await happened_since(platform, game))[0]
    assert (1 - turn, TURN_S) == (after.view.round.turn, left_s(after.view))
    assert [1, 0] == [after.seats[seat].missed_turns for seat in (turn, 1 - turn)]
    await whole_turn(seated.seats[1 - turn], seated.game_id)
    answer = await whole_turn(seated.seats[turn], seated.game_id)
    assert 1 - turn == answer.view.round.turn
    assert 0 == (await platform.get_game(seated.game_id)).seats[turn].missed_turns


async def test_turn_is_skipped_when_the_table_says_so(platform: Client, house: House) -> None:
    seated, game = await dealt_with_clock(platform, per_turn(on_timeout=SKIP))
    turn = game.view.round.turn
    house.clock.advance(TURN_S + 1)
    assert [Enforced(GameId(seated.game_id), 1_000)] == await enforced(house)
    events = await happened_since(platform, game)
    passed = [event.turn_passed for event in events if event.HasField("turn_passed")]
    assert [(turn, event_pb2.PASS_CAUSE_SKIPPED)] == [(each.seat, each.cause) for each in passed]
    assert ["tile_drawn", "turn_passed"] == kinds_of(events)[1:3]


async def test_seat_is_waited_for_when_the_table_says_so(platform: Client, house: House) -> None:
    seated, game = await dealt_with_clock(platform, per_turn(on_timeout=WAIT))
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    assert 1 == len(await enforced(house))
    after = await platform.get_game(seated.game_id)
    assert [f"TIMED_OUT {turn}"] == kinds_of(await happened_since(platform, game))
    assert (turn, 0) == (after.view.round.turn, left_s(after.view))
    house.clock.advance(10 * TURN_S)
    assert [] == await enforced(house)
    answer = await whole_turn(seated.seats[turn], seated.game_id)
    assert TURN_S == left_s(answer.view)
    assert 1 == (await platform.get_game(seated.game_id)).seats[turn].missed_turns


@pytest.mark.parametrize("on_timeout", [WAIT, BOT, SKIP])
async def test_seat_that_misses_too_many_turns_in_a_row_has_resigned(
    platform: Client, house: House, on_timeout: game_pb2.OnTimeout.ValueType
) -> None:
    policy = per_turn(on_timeout=on_timeout, forfeit_after=2)
    seated, game = await dealt_with_clock(platform, policy)
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    await enforced(house)
    if on_timeout == WAIT:
        await whole_turn(seated.seats[turn], seated.game_id)
    await whole_turn(seated.seats[1 - turn], seated.game_id)
    before = await platform.get_game(seated.game_id)
    assert (turn, 1, False) == (
        before.view.round.turn,
        before.seats[turn].missed_turns,
        before.seats[turn].resigned,
    )
    house.clock.advance(TURN_S)
    await enforced(house)
    assert [f"TIMED_OUT {turn}", f"RESIGNED {turn}"] == kinds_of(
        await happened_since(platform, before)
    )[:2]
    after = await platform.get_game(seated.game_id)
    assert (True, 1 - turn) == (after.seats[turn].resigned, after.view.round.turn)
    refused = await refusal_of(seated.seats[turn].play(seated.game_id, "draw"))
    assert "SEAT_RESIGNED" == refused.reason


async def test_bank_runs_for_its_seat_alone_and_gains_an_increment(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, bank(60, 5))
    turn = game.view.round.turn
    assert (60, [60, 60]) == (left_s(game.view), [each.seconds for each in game.banks])
    house.clock.advance(20)
    running = await platform.get_game(seated.game_id)
    assert [40, 60] == [running.banks[seat].seconds for seat in (turn, 1 - turn)]
    await whole_turn(seated.seats[turn], seated.game_id)
    after = await platform.get_game(seated.game_id)
    assert [45, 60] == [after.banks[seat].seconds for seat in (turn, 1 - turn)]
    assert 60 == left_s(after.view)


async def test_bank_that_is_empty_leaves_the_increment_for_the_next_turn(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, bank(60, 5))
    turn = game.view.round.turn
    house.clock.advance(61)
    await enforced(house)
    await whole_turn(seated.seats[1 - turn], seated.game_id)
    after = await platform.get_game(seated.game_id)
    assert (turn, 5) == (after.view.round.turn, left_s(after.view))


async def test_move_that_comes_before_its_deadline_is_acted_on_is_made(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn())
    turn = game.view.round.turn
    house.clock.advance(TURN_S + 1)
    await whole_turn(seated.seats[turn], seated.game_id)
    assert [] == await enforced(house)
    assert [] == [
        kind for kind in kinds_of(await happened_since(platform, game)) if "TIMED_OUT" in kind
    ]


async def test_correspondence_game_waits_for_days_and_no_longer(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn(3 * DAY_S))
    assert 3 * DAY_S == left_s(game.view)
    (key,) = await house.redis.keys("mt:{*}:s")
    assert 3 * DAY_S + 600 == round(await house.redis.pttl(key) / 1_000, -1)
    house.clock.advance(3 * DAY_S - 1)
    assert [] == await enforced(house)
    house.clock.advance(1)
    assert [Enforced(GameId(seated.game_id), 0)] == await enforced(house)


# What is refused


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        (game_pb2.TablePolicy(clock=game_pb2.TurnClock()), "policy.clock"),
        (per_turn(0.999), "policy.clock.per_turn"),
        (per_turn(30 * DAY_S + 1), "policy.clock.per_turn"),
        (bank(0), "policy.clock.bank.initial"),
        (bank(60, -1), "policy.clock.bank.increment"),
        (per_turn(forfeit_after=101), "policy.clock.forfeit_after"),
        (per_turn(on_timeout=99), "policy.clock.on_timeout"),
        (game_pb2.TablePolicy(spectator_delay_turns=101), "policy.spectator_delay_turns"),
    ],
)
async def test_clock_that_cannot_be_is_refused(
    platform: Client, policy: game_pb2.TablePolicy, field: str
) -> None:
    request = pb.CreateGameRequest(seats=persons(2), policy=policy)
    refused = await refusal_of(platform.create_game(request))
    assert [field] == [name for name, _ in refused.violations]


@pytest.mark.parametrize("policy", [per_turn(90, on_timeout=SKIP), bank(60, 0.25, forfeit_after=3)])
async def test_policy_of_a_clock_comes_back_as_it_was_given(
    platform: Client, policy: game_pb2.TablePolicy
) -> None:
    seated = await seat_all(platform, policy=policy)
    game = await platform.get_game(seated.game_id)
    shown = game.policy.clock
    if not policy.clock.on_timeout:
        policy.clock.on_timeout = BOT
    assert policy.clock == shown
