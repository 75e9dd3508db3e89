"""First turns: the opening train, those who cannot start, and the doubles that it leaves."""

from __future__ import annotations

import pytest

from mextrain_engine import (
    MEXICAN,
    IllegalMoveError,
    PassCause,
    Phase,
    RuleSet,
    apply_all,
    explain,
    parse_move,
    preset,
)
from mextrain_engine.events import DoubleOpened, DoubleReleased, MarkerPlaced, Passed, WentOut
from tests.engine.table import do, live, moves, table

MODERN = RuleSet()
SINGLE = preset("masters_single")
EHOW = preset("ehow")
TC = preset("thoughtco")
WH = preset("wikihow")


def test_opening_train_takes_as_many_tiles_as_fit_and_ends_by_pass() -> None:
    state = table(MODERN, ["12-5 5-5 5-0 9-9", "1-1 2-2"], begun=0, boneyard="3-3")
    assert moves(state) == ["12-5@0"]
    state, _ = do(state, "12-5@0")
    assert moves(state) == ["5-0@0", "5-5@0", "pass"]
    state, events = do(state, "5-5@0", "5-0@0", "pass")
    assert bytes([12, 5, 5, 0]) == live(state).trains[0]
    assert Passed(0, PassCause.OPENING_DONE) in events
    assert (live(state).turn, live(state).markers) == (1, 0)


def test_opening_train_takes_one_double_when_the_rules_allow_one_a_turn() -> None:
    rules = preset("wikihow_one_double")
    state, _ = do(
        table(rules, ["12-5 5-5 5-0 0-0 9-9", "1-1"], begun=0), "12-5@0", "5-5@0", "5-0@0"
    )
    refusal = explain(state, parse_move("0-0@0"))
    assert refusal is not None
    assert (refusal.reason.value, refusal.facts) == ("ONE_DOUBLE_PER_TURN", {"tile": "0-0"})


@pytest.mark.parametrize("text", ["9-1@1", "9-1@M"])
def test_first_turn_is_refused_elsewhere(text: str) -> None:
    state = table(MODERN, ["9-1", "1-1"], begun=0, marked=[1])
    refusal = explain(state, parse_move(text))
    assert refusal is not None
    assert refusal.reason.value == "FIRST_TURN_OWN_TRAIN"


def test_opening_train_is_refused_elsewhere_once_begun() -> None:
    state, _ = do(table(MODERN, ["12-5 12-4 9-9", "1-1"], begun=0), "12-5@0")
    refusal = explain(state, parse_move("12-4@M"))
    assert refusal is not None
    assert refusal.reason.value == "OPENING_TRAIN_GOES_ON"


def test_seat_that_cannot_start_is_marked_without_a_draw_by_thoughtco() -> None:
    state = table(TC, ["9-1", "1-1"], begun=0, boneyard="12-1")
    assert moves(state) == ["pass"]
    refusal = explain(state, parse_move("draw"))
    assert refusal is not None
    assert refusal.reason.value == "DRAW_NOT_ALLOWED"
    state, events = do(state, "pass")
    assert (Passed(0, PassCause.UNABLE), MarkerPlaced(0)) == events[:2]


def test_seat_that_cannot_start_draws_and_goes_on_with_the_starter() -> None:
    state = table(WH, ["9-1 7-7", "1-1"], begun=0, boneyard="12-1 12-2")
    assert moves(state) == ["draw"]
    state, _ = do(state, "draw", "12-1@0")
    assert moves(state) == ["9-1@0", "pass"]


def test_drawn_starter_ends_the_turn_when_the_rules_say_so() -> None:
    state = table(EHOW, ["9-1 7-7", "1-1"], begun=0, boneyard="12-1")
    assert live(do(state, "draw", "12-1@0").state).turn == 1


def test_seat_draws_until_it_can_start_when_the_rules_say_so() -> None:
    rules = WH.override(first_turn_no_start="draw_until_start")
    state, _ = do(
        table(rules, ["9-1 7-7", "1-1"], begun=0, boneyard="3-1 4-1 12-2"), "draw", "draw", "draw"
    )
    assert moves(state) == ["12-2@0"]
    state, _ = do(table(rules, ["9-1 7-7", "12-1"], begun=0, boneyard="3-1"), "draw")
    assert moves(state) == ["pass"]


def test_others_may_start_a_marked_train_that_has_no_tile() -> None:
    state = table(MODERN, ["12-3 9-9", "1-1"], trains={0: [12, 5]}, marked=[1])
    assert moves(state) == ["12-3@M", "12-3@1"]
    closed = MODERN.override(unstarted_marked_train_open=False)
    state = table(closed, ["12-3 9-9", "1-1"], trains={0: [12, 5]}, marked=[1])
    assert moves(state) == ["12-3@M"]
    refusal = explain(state, parse_move("12-3@1"))
    assert refusal is not None
    assert refusal.reason.value == "TRAIN_NOT_STARTED"


def test_unstarted_train_is_not_marked_when_the_rules_say_so() -> None:
    rules = MODERN.override(mark_when_unstarted=False)
    assert live(do(table(rules, ["9-1", "12-1"], begun=0), "pass").state).markers == 0


def test_single_first_turn_may_go_to_the_mexican_train() -> None:
    state = table(SINGLE, ["12-3 12-4", "12-1"], begun=0)
    assert moves(state) == ["12-3@M", "12-4@M", "12-3@0", "12-4@0"]
    assert live(do(state, "12-3@0").state).turn == 1


def test_first_turn_may_go_to_own_or_mexican_train_when_the_rules_say_so() -> None:
    rules = MODERN.override(first_turn_trains="own_or_mexican", mexican_train_from="first_turn")
    state = table(rules, ["12-3 3-1 9-9", "12-1", "8-8"], begun=0, marked=[1])
    assert moves(state) == ["12-3@M", "12-3@0"]
    assert live(do(state, "12-3@M").state).turn == 1
    assert live(do(state, "12-3@0").state).turn == 0
    refusal = explain(state, parse_move("12-3@1"))
    assert refusal is not None
    assert refusal.reason.value == "FIRST_TURN_OWN_TRAIN"


def test_mexican_train_is_refused_before_the_second_turn() -> None:
    rules = MODERN.override(first_turn_trains="any_available")
    state = table(rules, ["12-3 9-9", "12-1"], begun=0, marked=[1])
    assert moves(state) == ["12-3@0", "12-3@1"]
    refusal = explain(state, parse_move("12-3@M"))
    assert refusal is not None
    assert refusal.reason.value == "MEXICAN_TRAIN_NOT_YET"


def test_double_at_the_end_of_an_opening_train_opens_when_the_lap_is_over() -> None:
    state, _ = do(
        table(MODERN, ["12-5 5-5 9-9", "12-1 1-1 8-8"], begun=0, boneyard="5-4 4-1"),
        "12-5@0",
        "5-5@0",
        "pass",
    )
    assert (live(state).deferred, live(state).open_doubles) == ((0,), ())
    state, events = do(state, "12-1@1", "1-1@1", "pass")
    assert (live(state).deferred, live(state).open_doubles) == ((), (0, 1))
    assert [DoubleOpened(0, 5), DoubleOpened(1, 1)] == [
        e for e in events if isinstance(e, DoubleOpened)
    ]


def test_deferred_double_that_is_dead_is_released_as_it_opens() -> None:
    state = table(MODERN, ["12-5 5-5 9-9", "12-1 8-8"], begun=0, boneyard="7-7")
    state, events = do(state, "12-5@0", "5-5@0", "pass", "12-1@1", "pass")
    assert DoubleReleased(0, 5) in events
    assert live(state).open_doubles == ()


def test_double_at_the_end_of_an_opening_train_is_nothing_to_thoughtco() -> None:
    state, _ = do(table(TC, ["12-5 5-5 9-9", "12-1"], begun=0), "12-5@0", "5-5@0", "pass")
    assert (live(state).deferred, live(state).open_doubles) == ((), ())


def test_double_at_the_end_of_an_opening_train_binds_the_next_seat_by_wikihow() -> None:
    state = table(WH, ["12-5 5-5 9-9", "12-1 5-2 8-8"], begun=0)
    state, events = do(state, "12-5@0", "5-5@0", "pass")
    assert DoubleOpened(0, 5) in events
    assert moves(state) == ["5-2@0"]
    state, _ = do(state, "5-2@0")
    assert live(state).begun == 0b11


def test_seat_that_goes_out_on_its_first_turn_lets_the_others_finish_theirs() -> None:
    state, events = do(table(MODERN, ["12-5", "12-1 3-3"], begun=0), "12-5@0")
    assert WentOut(0) in events
    assert Phase.PLAYING is state.phase
    state, _ = do(state, "12-1@1", "pass")
    assert Phase.AWAITING_DEAL is state.phase
    assert (state.results[0].out, state.results[0].points) == (0b01, (0, 6))


def test_several_seats_may_go_out_on_their_first_turns() -> None:
    state, _ = do(table(MODERN, ["12-5", "12-1", "4-4"], begun=0), "12-5@0", "12-1@1", "pass")
    assert (state.results[0].out, state.results[0].points) == (0b011, (0, 0, 8))


def test_round_ends_at_once_when_ehow_sees_a_seat_out_on_its_first_turn() -> None:
    state, _ = do(table(EHOW, ["12-5 5-5", "12-1"], begun=0), "12-5@0", "5-5@0")
    assert Phase.FINISHED is state.phase
    assert live(state).open_doubles == ()


def test_immediate_double_of_a_seat_that_is_out_binds_those_who_finish() -> None:
    state, _ = do(table(WH, ["12-5 5-5", "12-1 5-2 8-8"], begun=0), "12-5@0", "5-5@0")
    assert moves(state) == ["5-2@0"]
    assert Phase.AWAITING_DEAL is do(state, "5-2@0").state.phase


def test_deferred_double_never_opens_when_a_seat_is_out() -> None:
    state, events = do(
        table(MODERN, ["12-5 5-5", "12-1 8-8"], begun=0), "12-5@0", "5-5@0", "12-1@1", "pass"
    )
    assert not [e for e in events if isinstance(e, DoubleOpened)]
    assert Phase.AWAITING_DEAL is state.phase


def test_batch_is_made_whole_or_not_at_all() -> None:
    state = table(MODERN, ["12-5 5-5 9-9", "12-1"], begun=0)
    assert live(apply_all(state, map(parse_move, ["12-5@0", "5-5@0", "pass"])).state).turn == 1
    with pytest.raises(IllegalMoveError) as caught:
        apply_all(state, map(parse_move, ["12-5@0", "9-9@0", "pass"]))
    assert (caught.value.index, caught.value.refusal.reason.value) == (1, "ENDS_DO_NOT_MATCH")
    with pytest.raises(IllegalMoveError) as caught:
        apply_all(state, map(parse_move, ["12-5@0", "pass", "12-1@1"]))
    assert (caught.value.index, caught.value.refusal.reason.value) == (2, "NOT_YOUR_TURN")


def test_train_started_by_another_stays_its_owners() -> None:
    state = table(
        MODERN, ["12-3 9-9", "3-1 8-8"], trains={0: [12, 5], MEXICAN: [12, 7]}, marked=[1]
    )
    state, _ = do(state, "12-3@1")
    assert (live(state).markers, moves(state)) == (0b10, ["3-1@1"])
