"""Points, totals, places and ties."""

from __future__ import annotations

import pytest

from mextrain_engine import (
    Phase,
    RoundEnd,
    RoundResult,
    RuleSet,
    State,
    mask_of,
    outcome,
    parse_tile,
    preset,
    score,
)
from mextrain_engine.scoring import hand_points, round_points

MODERN = RuleSet()
POSITIVE = preset("wikihow_positive")
POSITIVE_ALL_COUNT = POSITIVE.override(block_score="all_count")


def hand(text: str) -> int:
    return mask_of(parse_tile(tile) for tile in text.split())


def match(rules: RuleSet, *rounds: tuple[int, tuple[int, ...]]) -> State:
    """Return a finished match of rounds given as (seats that went out, points)."""
    end = {True: RoundEnd.BLOCKED, False: RoundEnd.WENT_OUT}
    results = tuple(RoundResult(12, 0, end[out == 0], out, points) for out, points in rounds)
    return State(rules, len(rounds[0][1]), Phase.FINISHED, results, None)


@pytest.mark.parametrize(("value", "points"), [(0, 17), (25, 42), (50, 67)])
def test_double_blank_counts_what_the_rules_say(value: int, points: int) -> None:
    assert points == hand_points(MODERN.override(double_blank_value=value), hand("12-5 0-0"))


def test_seat_that_went_out_scores_nothing_and_others_their_pips() -> None:
    assert round_points(MODERN, [0, hand("12-5"), hand("1-1 1-0")], 0b001) == (0, 17, 3)


def test_blocked_round_counts_every_hand() -> None:
    assert round_points(MODERN, [hand("12-5"), hand("1-0")], 0) == (17, 1)


def test_winner_takes_the_sum_of_the_others() -> None:
    assert round_points(POSITIVE, [hand("12-5"), hand("2-1"), 0], 0b100) == (0, 0, 20)


def test_several_winners_share_the_sum_rounded_down() -> None:
    assert round_points(POSITIVE, [0, 0, hand("12-5")], 0b011) == (8, 8, 0)


def test_lowest_hands_share_the_pot_of_the_others_when_blocked() -> None:
    hands = [hand("2-1"), hand("3-0"), hand("12-5"), hand("6-4")]
    assert round_points(POSITIVE, hands, 0) == (13, 13, 0, 0)


def test_blocked_round_scores_nothing_when_it_all_counts_for_nobody() -> None:
    assert round_points(POSITIVE_ALL_COUNT, [hand("12-5"), hand("1-0")], 0) == (0, 0)


def test_lowest_total_wins_and_equal_seats_share_a_place() -> None:
    sheet = score(match(MODERN.override(tie_break="shared"), (1, (0, 5, 5, 9))))
    assert sheet.places == (1, 2, 2, 4)
    assert sheet.leaders == (0,)
    assert sheet.totals == (0, 5, 5, 9)


def test_highest_total_wins_when_winners_take_points() -> None:
    assert score(match(POSITIVE, (2, (0, 9, 4)))).places == (3, 1, 2)


def test_tie_goes_to_the_seat_with_more_zero_rounds() -> None:
    result = outcome(match(MODERN, (1, (0, 4)), (2, (8, 0)), (1, (0, 4))))
    assert result is not None
    assert (result.winners, result.tie_broken) == ((0,), True)


def test_tie_goes_to_the_lowest_other_round_when_zero_rounds_are_equal() -> None:
    state = match(
        MODERN, (1, (0, 6)), (2, (6, 0)), (4, (4, 7)), (4, (7, 4)), (4, (2, 2)), (4, (5, 5))
    )
    assert score(state).leaders == (0, 1)
    state = match(MODERN, (1, (0, 3)), (2, (6, 0)), (4, (4, 7)))
    assert score(state).leaders == (1,)
    assert score(state).zero_rounds == (1, 1)
    assert score(state).low_rounds == (4, 3)


def test_round_of_no_pips_counts_as_zero_only_for_a_seat_that_went_out() -> None:
    state = match(MODERN.override(double_blank_value=0), (0, (0, 5)), (2, (5, 0)))
    assert score(state).zero_rounds == (0, 1)
    assert score(state).leaders == (1,)


def test_equal_seats_share_the_win_when_nothing_tells_them_apart() -> None:
    result = outcome(match(preset("masters"), (1, (0, 4)), (2, (4, 0))))
    assert result is not None
    assert (result.winners, result.tie_broken) == ((0, 1), False)


def test_seats_without_any_points_share_the_win() -> None:
    assert score(match(MODERN, (3, (0, 0)))).leaders == (0, 1)


def test_outcome_is_none_while_the_match_goes_on() -> None:
    state = State(MODERN, 2, Phase.AWAITING_DEAL, (), None)
    assert outcome(state) is None
