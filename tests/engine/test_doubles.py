"""Doubles: the tile that follows, the duty that is left, and who is freed of it."""

from __future__ import annotations

import pytest

from mextrain_engine import (
    MEXICAN,
    Owed,
    PassCause,
    Phase,
    RuleSet,
    State,
    explain,
    parse_move,
    preset,
)
from mextrain_engine.events import (
    DoubleCovered,
    DoubleOpened,
    DoubleReleased,
    MarkerPlaced,
    MarkerRemoved,
    Passed,
)
from tests.engine.table import do, live, moves, table

MODERN = RuleSet()
MASTERS = preset("masters")
STRICT = preset("masters_satisfy")
BLOCKS = MODERN.override(dead_double="blocks")
TRAINS = {0: [12, 5], 1: [12, 7], MEXICAN: [12, 9]}


def reason(state: State, text: str) -> str:
    refusal = explain(state, parse_move(text))
    assert refusal is not None
    return refusal.reason.value


def test_double_is_followed_by_a_tile_on_any_available_train() -> None:
    state = table(MODERN, ["5-5 5-1 9-1 2-2", "1-1 5-0"], trains=TRAINS)
    state, events = do(state, "5-5@0")
    assert DoubleOpened(0, 5) in events
    assert (live(state).turn, moves(state)) == (0, ["9-1@M", "5-1@0"])
    covered, events = do(state, "5-1@0")
    assert DoubleCovered(0, 5) in events
    assert (live(covered).turn, live(covered).open_doubles) == (1, ())
    left, _ = do(state, "9-1@M")
    assert (live(left).turn, live(left).open_doubles, moves(left)) == (1, (0,), ["5-0@0"])


def test_second_double_asks_for_a_third_tile() -> None:
    state, _ = do(
        table(MODERN, ["5-5 9-9 9-1 2-2", "1-1 5-0 9-0"], trains=TRAINS), "5-5@0", "9-9@M"
    )
    assert (live(state).open_doubles, moves(state)) == ((0, MEXICAN), ["9-1@M"])


def test_second_double_is_refused_when_the_rules_allow_one_a_turn() -> None:
    rules = preset("wikihow_one_double")
    state, _ = do(table(rules, ["5-5 9-9 9-1", "1-1 5-0"], trains=TRAINS), "5-5@0")
    assert moves(state) == ["9-1@M"]
    assert reason(state, "9-9@M") == "ONE_DOUBLE_PER_TURN"


def test_double_must_be_covered_itself_when_the_rules_say_so() -> None:
    state, _ = do(table(STRICT, ["5-5 5-1 9-1", "1-1"], trains=TRAINS), "5-5@0")
    assert (live(state).owed, moves(state)) == (Owed.COVER, ["5-1@0"])
    assert reason(state, "9-1@M") == "COVER_YOUR_DOUBLE"


def test_seat_that_cannot_follow_draws_once_then_is_marked_and_leaves_the_duty() -> None:
    hands = ["5-5 3-3", "1-1 8-5 8-8"]
    state, _ = do(table(MODERN, hands, trains=TRAINS, boneyard="4-3 4-2"), "5-5@0")
    assert moves(state) == ["draw"]
    state, _ = do(state, "draw")
    assert moves(state) == ["pass"]
    state, events = do(state, "pass")
    assert (Passed(0, PassCause.FOLLOWUP_FAILED), MarkerPlaced(0)) == events[:2]
    assert moves(state) == ["8-5@0"]


@pytest.mark.parametrize(
    ("how", "drawn"),
    [("per_obligation", ["draw"]), ("once_per_turn", ["pass"]), ("none", ["pass"])],
)
def test_follow_up_draws_as_often_as_the_rules_say(how: str, drawn: list[str]) -> None:
    rules = MODERN.override(double_followup_draw=how)
    state = table(rules, ["3-3", "1-1 8-5"], trains=TRAINS, boneyard="5-5 4-2")
    state, _ = do(state, "draw", "5-5@0")
    assert drawn == moves(state)
    if how == "none":
        assert reason(state, "draw") == "DRAW_NOT_ALLOWED"


def test_seat_that_cannot_follow_is_not_marked_when_the_rules_say_so() -> None:
    rules = MODERN.override(double_fail_marks=False)
    assert (
        live(do(table(rules, ["5-5 3-3", "1-1 8-5"], trains=TRAINS), "5-5@0", "pass").state).markers
        == 0
    )


@pytest.mark.parametrize(
    ("where", "owed"), [("any_available", Owed.MAY_FOLLOW), ("double_only", Owed.MAY_COVER)]
)
def test_follow_up_may_be_declined_when_it_is_optional(where: str, owed: Owed) -> None:
    rules = MODERN.override(double_followup="optional", double_followup_where=where)
    state, _ = do(table(rules, ["5-5 5-1 9-1", "1-1 5-0"], trains=TRAINS, boneyard="4-4"), "5-5@0")
    assert owed is live(state).owed
    assert "pass" in moves(state)
    declined, events = do(state, "pass")
    assert Passed(0, PassCause.FOLLOWUP_DECLINED) in events
    assert (live(declined).markers, live(declined).turn) == (0, 1)
    assert live(do(state, "5-1@0").state).turn == 1


def test_optional_follow_up_grants_no_draw() -> None:
    rules = MODERN.override(double_followup="optional")
    state, _ = do(table(rules, ["5-5 3-3", "1-1 5-0"], trains=TRAINS, boneyard="4-4"), "5-5@0")
    assert moves(state) == ["pass"]
    assert reason(state, "draw") == "DRAW_NOT_ALLOWED"


def test_double_ends_the_turn_when_there_is_no_follow_up() -> None:
    rules = MODERN.override(double_followup="none")
    assert live(do(table(rules, ["5-5 3-3", "1-1 5-0"], trains=TRAINS), "5-5@0").state).turn == 1


def test_extra_turn_of_masters_leaves_no_duty() -> None:
    state, _ = do(table(MASTERS, ["5-5 9-1 3-3", "7-1"], trains=TRAINS), "5-5@0", "9-1@M")
    assert (live(state).open_doubles, moves(state)) == ((), ["7-1@M", "7-1@1"])


def test_duty_overrides_a_closed_train_and_leaves_it_closed() -> None:
    state = table(
        MODERN, ["1-1", "5-1 7-7 3-3"], trains={0: [12, 5, 5], 1: [12, 7]}, open_doubles=[0], turn=1
    )
    assert moves(state) == ["5-1@0"]
    assert reason(state, "7-7@1") == "OPEN_DOUBLE_FIRST"
    state, _ = do(state, "5-1@0")
    assert (live(state).open_doubles, live(state).markers) == ((), 0)


def test_seat_that_fails_the_duty_draws_then_is_marked_and_the_duty_goes_on() -> None:
    state = table(
        MODERN,
        ["5-1 3-3", "7-7 3-1"],
        trains={0: [12, 5, 5], 1: [12, 7]},
        open_doubles=[0],
        turn=1,
        boneyard="7-1 2-2",
    )
    state, _ = do(state, "draw")
    assert moves(state) == ["pass"]
    state, events = do(state, "pass")
    assert (Passed(1, PassCause.DUTY_FAILED), MarkerPlaced(1)) == events[:2]
    assert moves(state) == ["5-1@0"]


def test_drawn_cover_must_be_played_though_tiles_may_be_kept() -> None:
    rules = preset("pagat")
    state = table(
        rules,
        ["5-1 3-3", "7-7 3-1"],
        trains={0: [12, 5, 5], 1: [12, 7]},
        open_doubles=[0],
        turn=1,
        boneyard="5-2",
    )
    state, _ = do(state, "draw")
    assert moves(state) == ["5-2@0"]


def test_drawn_follow_up_must_be_played_though_tiles_may_be_kept() -> None:
    state, _ = do(
        table(preset("pagat"), ["5-5 3-3", "7-1 5-0"], trains=TRAINS, boneyard="5-2"),
        "5-5@0",
        "draw",
    )
    assert moves(state) == ["5-2@0"]


@pytest.mark.parametrize(
    ("order", "listed"), [("fifo", ["9-1@M"]), ("lifo", ["5-1@0"]), ("any", ["9-1@M", "5-1@0"])]
)
def test_open_doubles_are_covered_in_the_order_of_the_rules(order: str, listed: list[str]) -> None:
    rules = MODERN.override(open_double_order=order)
    trains = {0: [12, 5, 5], 1: [12, 7], MEXICAN: [12, 9, 9]}
    state = table(rules, ["3-3", "5-1 9-1 7-7"], trains=trains, open_doubles=[MEXICAN, 0], turn=1)
    assert listed == moves(state)


def test_second_open_double_cannot_be_covered_before_the_first() -> None:
    trains = {0: [12, 5, 5], 1: [12, 7], MEXICAN: [12, 9, 9]}
    state = table(MODERN, ["9-3", "5-1 7-7"], trains=trains, open_doubles=[MEXICAN, 0], turn=1)
    assert moves(state) == ["pass"]
    assert reason(state, "5-1@0") == "OPEN_DOUBLE_FIRST"


def test_cover_on_ones_own_train_takes_the_marker_off() -> None:
    trains = {0: [12, 5], 1: [12, 7, 7]}
    state = table(
        MODERN, ["3-3 5-1", "7-1 4-4"], trains=trains, open_doubles=[1], marked=[1], turn=1
    )
    assert MarkerRemoved(1) in do(state, "7-1@1").events


def test_dead_double_is_released_when_its_last_tile_is_laid() -> None:
    trains = {0: [12, 5, 5], 1: [12, 7, 7], MEXICAN: [12, 9]}
    state = table(MODERN, ["3-3", "7-5 4-4"], trains=trains, open_doubles=[1, 0], turn=1)
    state, events = do(state, "7-5@1")
    assert DoubleReleased(0, 5) in events
    assert live(state).open_doubles == ()


def test_dead_double_blocks_the_round_when_the_rules_say_so() -> None:
    trains = {0: [12, 5, 5], 1: [12, 7, 7], MEXICAN: [12, 9]}
    state = table(BLOCKS, ["3-3 9-1", "7-5 4-4"], trains=trains, open_doubles=[1, 0], turn=1)
    state, _ = do(state, "7-5@1")
    assert state.results[0].end.value == "blocked"


def test_double_that_is_dead_as_it_is_laid_owes_no_cover_to_itself() -> None:
    hands = ["5-5 9-1 3-3", "1-1 7-0"]
    strict, events = do(
        table(STRICT.override(dead_double="released"), hands, trains=TRAINS), "5-5@0"
    )
    assert DoubleReleased(0, 5) in events
    assert live(strict).turn == 1
    relaxed, _ = do(table(MODERN, hands, trains=TRAINS), "5-5@0")
    assert (live(relaxed).turn, moves(relaxed)) == (0, ["9-1@M"])


def test_last_tile_may_be_a_double() -> None:
    state, events = do(table(MODERN, ["5-5", "1-1"], trains=TRAINS, boneyard="5-1"), "5-5@0")
    assert Phase.AWAITING_DEAL is state.phase
    assert not [e for e in events if isinstance(e, DoubleOpened)]


def test_last_tile_ends_the_round_though_a_double_stays_open() -> None:
    trains = {0: [12, 5, 5], 1: [12, 7, 7]}
    state = table(MODERN, ["3-3", "7-1"], trains=trains, open_doubles=[1, 0], turn=1)
    assert Phase.AWAITING_DEAL is do(state, "7-1@1").state.phase


def test_seat_that_failed_a_duty_is_kept_off_its_train_until_the_double_is_covered() -> None:
    rules = preset("wikihow_closed")
    trains = {0: [12, 5, 5], 1: [12, 7], MEXICAN: [12, 9]}
    state = table(
        rules, ["3-3 2-2", "5-1 8-8", "4-4"], trains=trains, open_doubles=[0], boneyard="5-2 6-6"
    )
    state, _ = do(state, "draw", "5-2@0")
    assert live(state).turn == 1
    state = table(
        rules,
        ["3-3 2-2", "6-1 8-8", "5-4 4-4"],
        trains=trains,
        open_doubles=[0],
        boneyard="6-0 6-6 5-3 6-2",
    )
    state, _ = do(state, "draw", "pass")
    assert live(state).barred == (0, -2, -2)
    state, _ = do(state, "draw", "pass", "5-4@0")
    assert live(state).barred == (-2, -2, -2)


def test_barred_seat_may_not_cover_on_its_own_train() -> None:
    rules = preset("wikihow_closed")
    trains = {0: [12, 5, 5], 1: [12, 7], MEXICAN: [12, 9]}
    state = table(
        rules,
        ["5-1 3-3", "5-2 8-8"],
        trains=trains,
        open_doubles=[0],
        barred=(0, -2),
        boneyard="6-6",
    )
    assert moves(state) == ["draw"]
    assert reason(state, "5-1@0") == "OWN_TRAIN_CLOSED"
    again = table(rules, ["5-1 3-3", "5-2 8-8"], trains=trains, open_doubles=[0], barred=(0, -2))
    again, _ = do(again, "pass")
    assert live(again).barred == (0, -2)


def test_round_is_blocked_when_only_a_barred_seat_could_cover() -> None:
    rules = preset("wikihow_closed")
    trains = {0: [12, 5, 5], 1: [12, 7]}
    state = table(
        rules, ["5-1 3-3", "2-2 8-8"], trains=trains, open_doubles=[0], barred=(0, -2), turn=1
    )
    assert do(state, "pass").state.results[0].end.value == "blocked"


def test_failed_duty_bars_by_the_double_that_was_due() -> None:
    rules = preset("wikihow_closed").override(open_double_order="lifo")
    trains = {0: [12, 5, 5], 1: [12, 7, 7]}
    state = table(rules, ["5-1 7-3", "2-2 8-8"], trains=trains, open_doubles=[1, 0], turn=1)
    assert live(do(state, "pass").state).barred == (-2, 0)


def test_deferred_double_that_is_covered_before_it_opens_never_does() -> None:
    rules = MODERN.override(first_turn_trains="any_available")
    trains = {0: [12, 5, 5], 1: [12]}
    state = table(
        rules, ["3-3", "5-2 8-8"], trains=trains, deferred=[0], begun=1, marked=[0], turn=1
    )
    state, _ = do(state, "5-2@0")
    assert (live(state).deferred, live(state).open_doubles) == ((), ())
