"""Clocks: of each kind, with each consequence, enforced once by whichever worker comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import event_pb2, game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.deadline_book import OVERDUE_MS
from mextrain_service.application.enforce_deadlines import Enforced
from mextrain_service.application.model import GameId
from mextrain_service.application.table import Table, beginning
from mextrain_service.storage.deadlines import LEASE_MS
from tests.transport.games import Seated, seat_all, stored_bytes
from tests.transport.refusing import refusal_of
from tests.transport.serving import Client, House, bots, enforcer, persons, worker

TURN_S = 30
DAY_S = 86_400
WAIT, BOT, SKIP = (
    game_pb2.ON_TIMEOUT_WAIT,
    game_pb2.ON_TIMEOUT_BOT,
    game_pb2.ON_TIMEOUT_SKIP,
)


def per_turn(seconds: float = TURN_S, **fields: Any) -> game_pb2.TablePolicy:
    """Return a policy with so much time for each turn."""
    clock = game_pb2.TurnClock(per_turn=_span(seconds), **fields)
    return game_pb2.TablePolicy(clock=clock)


def bank(seconds: float, increment_s: float = 0, **fields: Any) -> game_pb2.TablePolicy:
    """Return a policy with one bank for all turns."""
    time = game_pb2.TimeBank(initial=_span(seconds), increment=_span(increment_s))
    return game_pb2.TablePolicy(clock=game_pb2.TurnClock(bank=time, **fields))


def _span(seconds: float) -> Duration:
    span = Duration()
    span.FromMilliseconds(round(seconds * 1000))
    return span


async def _dealt(
    platform: Client, policy: game_pb2.TablePolicy, seats: Sequence[game_pb2.Seat] = ()
) -> tuple[Seated, game_pb2.Game]:
    """Return a game of two persons with a round under way."""
    seated = await seat_all(platform, seats=seats or persons(2), policy=policy)
    return seated, (await platform.deal(seated.game_id)).game


async def enforced(house: House) -> list[Enforced]:
    """Look for deadlines once, as a worker of its own, and return what was acted on."""
    found = [outcome async for outcome in enforcer(house)()]
    assert all(isinstance(each, Enforced) for each in found), found
    return [each for each in found if isinstance(each, Enforced)]


async def _since(platform: Client, game: game_pb2.Game) -> list[event_pb2.Event]:
    """Return what has happened since a game was seen."""
    answer = await platform.events(game.game_id, after_version=game.view.version)
    return list(answer.events)


def _kinds(events: Sequence[event_pb2.Event]) -> list[str]:
    """Return what happened, with what became of which seat."""
    told = []
    for event in events:
        fact = str(event.WhichOneof("fact"))
        if fact == "seat_changed":
            change = event_pb2.SeatChange.Name(event.seat_changed.change)
            fact = f"{change.removeprefix('SEAT_CHANGE_')} {event.seat_changed.seat}"
        told.append(fact)
    return told


def _left_s(view: view_pb2.View) -> float:
    """Return how long the seat to move has left, in seconds."""
    left = view.turn_deadline.ToDatetime() - view.server_time.ToDatetime()
    return left.total_seconds()


# What is shown


async def test_deadline_and_server_time_are_in_every_view(platform: Client, house: House) -> None:
    policy = per_turn()
    policy.spectators = True
    seated, game = await _dealt(platform, policy)
    turn = game.view.round.turn
    assert TURN_S == _left_s(game.view)
    house.clock.advance(10)
    for client in (platform, *seated.seats.values(), seated.spectator):
        assert TURN_S - 10 == _left_s((await client.get_game(seated.game_id)).view)
    stale = await refusal_of(seated.seats[turn].play(seated.game_id, "draw", expected_version=0))
    assert stale.view is not None
    assert TURN_S - 10 == _left_s(stale.view)
    summary = (await platform.list_games()).games[0]
    assert game.view.turn_deadline == summary.turn_deadline


async def test_deadline_stays_while_a_turn_goes_on_and_begins_anew_with_the_next(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn())
    turn = game.view.round.turn
    house.clock.advance(4)
    answer = await _drawn_or_played(seated.seats[turn], seated.game_id)
    if answer.view.round.turn == turn:
        assert game.view.turn_deadline == answer.view.turn_deadline
        house.clock.advance(3)
    while answer.view.round.turn == turn:
        answer = await _drawn_or_played(seated.seats[turn], seated.game_id)
    assert TURN_S == _left_s(answer.view)


async def _drawn_or_played(client: Client, game_id: str) -> pb.PlayMoveResponse:
    """Make the last legal move: a draw or a pass where there is one."""
    legal = (await client.legal_moves(game_id)).moves
    return await client.play_moves(game_id, legal[-1])


async def _whole_turn(client: Client, game_id: str) -> pb.PlayMoveResponse:
    """Make moves until another seat is to move."""
    answer = await _drawn_or_played(client, game_id)
    while answer.view.round.turn == answer.view.seat and answer.view.phase == 2:
        answer = await _drawn_or_played(client, game_id)
    return answer


async def test_table_without_a_clock_shows_no_deadline(platform: Client, house: House) -> None:
    _, game = await _dealt(platform, game_pb2.TablePolicy())
    assert not game.view.HasField("turn_deadline")
    assert [] == list(game.banks)
    assert [] == await house.redis.keys("mt:deadlines:*")


async def test_no_time_runs_between_two_rounds(platform: Client) -> None:
    seated = await seat_all(platform, policy=per_turn())
    game = await platform.get_game(seated.game_id)
    assert not game.view.HasField("turn_deadline")


async def test_no_time_runs_for_a_bot(platform: Client, house: House) -> None:
    _, game = await _dealt(platform, per_turn(), [*persons(1), *bots(1)])
    assert 0 == game.view.round.turn
    assert game.view.HasField("turn_deadline")
    house.clock.advance(1)
    handed = (await platform.stand_in(game.game_id, 0)).game
    assert view_pb2.PHASE_AWAITING_DEAL == handed.view.phase
    assert not handed.view.HasField("turn_deadline")


# What happens when time is up


async def test_bot_plays_the_turn_and_the_seat_has_the_next_one(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn(on_timeout=BOT))
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    assert [Enforced(GameId(seated.game_id), 0)] == await enforced(house)
    after = await platform.get_game(seated.game_id)
    assert f"TIMED_OUT {turn}" == _kinds(await _since(platform, game))[0]
    assert (1 - turn, TURN_S) == (after.view.round.turn, _left_s(after.view))
    assert [1, 0] == [after.seats[seat].missed_turns for seat in (turn, 1 - turn)]
    await _whole_turn(seated.seats[1 - turn], seated.game_id)
    answer = await _whole_turn(seated.seats[turn], seated.game_id)
    assert 1 - turn == answer.view.round.turn
    assert 0 == (await platform.get_game(seated.game_id)).seats[turn].missed_turns


async def test_turn_is_skipped_when_the_table_says_so(platform: Client, house: House) -> None:
    seated, game = await _dealt(platform, per_turn(on_timeout=SKIP))
    turn = game.view.round.turn
    house.clock.advance(TURN_S + 1)
    assert [Enforced(GameId(seated.game_id), 1_000)] == await enforced(house)
    events = await _since(platform, game)
    passed = [event.turn_passed for event in events if event.HasField("turn_passed")]
    assert [(turn, event_pb2.PASS_CAUSE_SKIPPED)] == [(each.seat, each.cause) for each in passed]
    assert ["tile_drawn", "turn_passed"] == _kinds(events)[1:3]


async def test_seat_is_waited_for_when_the_table_says_so(platform: Client, house: House) -> None:
    seated, game = await _dealt(platform, per_turn(on_timeout=WAIT))
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    assert 1 == len(await enforced(house))
    after = await platform.get_game(seated.game_id)
    assert [f"TIMED_OUT {turn}"] == _kinds(await _since(platform, game))
    assert (turn, 0) == (after.view.round.turn, _left_s(after.view))
    house.clock.advance(10 * TURN_S)
    assert [] == await enforced(house)
    answer = await _whole_turn(seated.seats[turn], seated.game_id)
    assert TURN_S == _left_s(answer.view)
    assert 1 == (await platform.get_game(seated.game_id)).seats[turn].missed_turns


@pytest.mark.parametrize("on_timeout", [WAIT, BOT, SKIP])
async def test_seat_that_misses_too_many_turns_in_a_row_has_resigned(
    platform: Client, house: House, on_timeout: game_pb2.OnTimeout.ValueType
) -> None:
    policy = per_turn(on_timeout=on_timeout, forfeit_after=2)
    seated, game = await _dealt(platform, policy)
    turn = game.view.round.turn
    house.clock.advance(TURN_S)
    await enforced(house)
    if on_timeout == WAIT:
        await _whole_turn(seated.seats[turn], seated.game_id)
    await _whole_turn(seated.seats[1 - turn], seated.game_id)
    before = await platform.get_game(seated.game_id)
    assert (turn, 1, False) == (
        before.view.round.turn,
        before.seats[turn].missed_turns,
        before.seats[turn].resigned,
    )
    house.clock.advance(TURN_S)
    await enforced(house)
    assert [f"TIMED_OUT {turn}", f"RESIGNED {turn}"] == _kinds(await _since(platform, before))[:2]
    after = await platform.get_game(seated.game_id)
    assert (True, 1 - turn) == (after.seats[turn].resigned, after.view.round.turn)
    refused = await refusal_of(seated.seats[turn].play(seated.game_id, "draw"))
    assert "SEAT_RESIGNED" == refused.reason


async def test_bank_runs_for_its_seat_alone_and_gains_an_increment(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, bank(60, 5))
    turn = game.view.round.turn
    assert (60, [60, 60]) == (_left_s(game.view), [each.seconds for each in game.banks])
    house.clock.advance(20)
    running = await platform.get_game(seated.game_id)
    assert [40, 60] == [running.banks[seat].seconds for seat in (turn, 1 - turn)]
    await _whole_turn(seated.seats[turn], seated.game_id)
    after = await platform.get_game(seated.game_id)
    assert [45, 60] == [after.banks[seat].seconds for seat in (turn, 1 - turn)]
    assert 60 == _left_s(after.view)


async def test_bank_that_is_empty_leaves_the_increment_for_the_next_turn(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, bank(60, 5))
    turn = game.view.round.turn
    house.clock.advance(61)
    await enforced(house)
    await _whole_turn(seated.seats[1 - turn], seated.game_id)
    after = await platform.get_game(seated.game_id)
    assert (turn, 5) == (after.view.round.turn, _left_s(after.view))


async def test_move_that_comes_before_its_deadline_is_acted_on_is_made(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn())
    turn = game.view.round.turn
    house.clock.advance(TURN_S + 1)
    await _whole_turn(seated.seats[turn], seated.game_id)
    assert [] == await enforced(house)
    assert [] == [kind for kind in _kinds(await _since(platform, game)) if "TIMED_OUT" in kind]


async def test_correspondence_game_waits_for_days_and_no_longer(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn(3 * DAY_S))
    assert 3 * DAY_S == _left_s(game.view)
    (key,) = await house.redis.keys("mt:{*}:s")
    assert 3 * DAY_S + 600 == round(await house.redis.pttl(key) / 1_000, -1)
    house.clock.advance(3 * DAY_S - 1)
    assert [] == await enforced(house)
    house.clock.advance(1)
    assert [Enforced(GameId(seated.game_id), 0)] == await enforced(house)


# Exactly once


@pytest.mark.parametrize("on_timeout", [WAIT, BOT, SKIP])
async def test_deadline_is_acted_on_once_by_any_number_of_workers(
    platform: Client, house: House, on_timeout: game_pb2.OnTimeout.ValueType
) -> None:
    tables = [await _dealt(platform, per_turn(on_timeout=on_timeout)) for _ in range(6)]
    house.clock.advance(TURN_S)
    outcomes = await asyncio.gather(*(enforced(house) for _ in range(5)))
    acted = sorted(each.game_id for part in outcomes for each in part)
    assert sorted(seated.game_id for seated, _ in tables) == acted
    for _, game in tables:
        kinds = _kinds(await _since(platform, game))
        assert 1 == len([kind for kind in kinds if kind.startswith("TIMED_OUT")])


async def test_workers_that_look_at_one_game_at_once_act_on_it_once(
    platform: Client, house: House
) -> None:
    """No lease keeps them apart: only the version of the game does."""
    _, game = await _dealt(platform, per_turn())
    house.clock.advance(TURN_S)
    now_ms = house.clock.now_ms()
    workers = [enforcer(house) for _ in range(5)]

    async def race(number: int) -> None:
        await house.deadlines().schedule(GameId(game.game_id), now_ms - number, now_ms)
        async for _ in workers[number]():
            pass

    await asyncio.gather(*(race(number) for number in range(5)))
    kinds = _kinds(await _since(platform, game))
    assert 1 == len([kind for kind in kinds if kind.startswith("TIMED_OUT")])


async def test_deadline_of_a_worker_that_is_dead_is_acted_on_by_another(
    platform: Client, house: House
) -> None:
    async with worker(house) as dying:
        theirs = dying.bearing(house.key.text)
        _, game = await _dealt(theirs, per_turn())
    house.clock.advance(TURN_S)
    assert 1 == len(await enforced(house))
    assert "TIMED_OUT" in _kinds(await _since(platform, game))[0]


async def test_deadline_of_a_worker_that_died_while_it_looked_is_acted_on_after_its_lease(
    platform: Client, house: House
) -> None:
    _, game = await _dealt(platform, per_turn())
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
        seated, game = await _dealt(platform, per_turn(on_timeout=SKIP))
        turn = game.view.round.turn
        house.clock.advance(TURN_S)
        await asyncio.gather(
            enforced(house),
            seated.seats[turn].play(seated.game_id, "pass", expected_version=1),
            return_exceptions=True,
        )
        events = await _since(platform, game)
        ended = [event for event in events if event.HasField("turn_started")]
        assert 1 >= len(ended)


async def test_deadline_whose_entry_was_lost_is_entered_again_by_whoever_looks_at_the_game(
    platform: Client, house: House
) -> None:
    _, game = await _dealt(platform, per_turn())
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
    for _ in range(8):
        house.clock.advance(TURN_S)
        await enforced(house)
    store = house.store()
    game = await store.load(GameId(seated.game_id))
    assert len(game.state.results) > 1
    table = Table(beginning(game))
    table.repeat(await store.history(game.game_id))
    assert (game.version, game.state, game.entropy) == (table.version, table.state, table.entropy)


async def test_early_entry_of_a_deadline_is_put_off_to_the_real_one(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn())
    house.clock.advance(10)
    await _whole_turn(seated.seats[game.view.round.turn], seated.game_id)
    house.clock.advance(TURN_S - 10)
    assert [] == await enforced(house)
    house.clock.advance(10)
    assert 1 == len(await enforced(house))


async def test_entry_of_a_game_that_is_gone_or_never_was_is_dropped(
    platform: Client, house: House
) -> None:
    seated, _ = await _dealt(platform, per_turn())
    await house.deadlines().schedule(GameId("never-was"), house.clock.now_ms(), 0)
    await platform.delete(seated.game_id)
    house.clock.advance(TURN_S)
    assert [] == await enforced(house)
    assert [] == await house.redis.keys("mt:deadlines:*")


async def test_entry_of_a_game_that_has_nothing_due_is_dropped(
    platform: Client, house: House
) -> None:
    seated, game = await _dealt(platform, per_turn())
    turn = game.view.round.turn
    await platform.resign(seated.game_id, 1 - turn)
    await platform.resign(seated.game_id, turn)
    house.clock.advance(TURN_S)
    before = await stored_bytes(house.redis, "mt:{*")
    assert [] == await enforced(house)
    assert [] == await house.redis.keys("mt:deadlines:*")
    assert before == await stored_bytes(house.redis, "mt:{*")


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
