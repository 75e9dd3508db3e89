"""The announcement of the last tile."""

from __future__ import annotations

from mextrain_engine import MEXICAN, Phase, apply_all, double, explain, parse_move, preset
from mextrain_engine.events import LastTileCalled, LastTileMissed, TileDrawn
from tests.engine.table import do, live, moves, table

EHOW = preset("ehow")
FINED = EHOW.override(last_tile_penalty=2)
TRAINS = {0: [12, 5], 1: [12, 7], MEXICAN: [12, 9]}
HANDS = ["5-1 3-3", "7-1 4-4 2-2"]


def test_seat_may_call_after_the_turn_that_left_one_tile() -> None:
    state, _ = do(table(EHOW, HANDS, trains=TRAINS), "5-1@0")
    assert (live(state).uncalled, moves(state, 0), moves(state)) == (0, ["call"], ["7-1@1"])
    state, events = do(state, "0 call")
    assert (LastTileCalled(0),) == events
    assert (live(state).called, live(state).uncalled, moves(state, 0)) == (1, -1, [])


def test_call_may_come_with_the_tile_that_makes_it_due() -> None:
    state, _ = apply_all(table(EHOW, HANDS, trains=TRAINS), map(parse_move, ["5-1@0", "call"]))
    assert (live(state).called, live(state).turn) == (1, 1)


def test_call_is_refused_when_it_is_not_due() -> None:
    refusal = explain(table(EHOW, HANDS, trains=TRAINS), parse_move("call"))
    assert refusal is not None
    assert refusal.reason.value == "CALL_NOT_DUE"


def test_call_is_missed_when_the_next_seat_has_moved() -> None:
    state, events = do(table(EHOW, HANDS, trains=TRAINS, boneyard="6-6"), "5-1@0", "7-1@1")
    assert LastTileMissed(0) in events
    assert (live(state).uncalled, live(state).hands[0].bit_count()) == (-1, 1)


def test_missed_call_draws_the_penalty_as_far_as_the_boneyard_goes() -> None:
    state, events = do(table(FINED, HANDS, trains=TRAINS, boneyard="6-6"), "5-1@0", "7-1@1")
    assert TileDrawn(0, double(6), penalty=True) in events
    assert live(state).hands[0].bit_count() == 2


def test_missed_call_costs_nothing_when_it_is_a_courtesy() -> None:
    rules = EHOW.override(last_tile_call="courtesy")
    _, events = do(table(rules, HANDS, trains=TRAINS), "5-1@0", "7-1@1")
    assert LastTileMissed(0) not in events


def test_missed_call_lapses_when_the_next_move_ends_the_round() -> None:
    state, events = do(
        table(FINED, ["5-1 3-3", "7-1"], trains=TRAINS, boneyard="6-6"), "5-1@0", "7-1@1"
    )
    assert LastTileMissed(0) not in events
    assert Phase.FINISHED is state.phase


def test_call_lapses_when_the_seat_draws_again() -> None:
    state = table(EHOW, ["3-3", "7-1 4-4 2-2"], trains=TRAINS, called=1, boneyard="6-6 0-0")
    assert live(do(state, "draw").state).called == 0


def test_call_that_was_made_is_not_due_again() -> None:
    state = table(EHOW, ["3-3", "7-1 4-4 2-2"], trains=TRAINS, called=1)
    assert live(do(state, "pass").state).uncalled == -1
