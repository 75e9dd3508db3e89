"""The opening of a round: hands, hub, search, starter."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from mextrain_engine import (
    DealError,
    Event,
    Phase,
    RoundEnd,
    RoundResult,
    RuleSet,
    RuleSetError,
    State,
    deal,
    double,
    format_tile,
    integrity,
    new_game,
    parse_tile,
    preset,
    set_size,
)
from mextrain_engine.events import DealVoided, HubLaid, HubSought, RoundDealt, TurnStarted
from tests.engine.table import live

SIX = preset("thoughtco_double_six").override(hand_size_by_players=(3,) * 13)
DOUBLES_SIX = [double(pip) for pip in range(7)]


def order(max_pip: int, *first: str) -> list[int]:
    """Return a permutation that starts with these tiles; the rest ascends."""
    front = [parse_tile(tile) for text in first for tile in text.split()]
    return front + [tile for tile in range(set_size(max_pip)) if tile not in front]


def after(rules: RuleSet, seats: int, *rounds: tuple[int, int]) -> State:
    """Return a match after rounds given as (hub, starter)."""
    results = tuple(
        RoundResult(hub, starter, RoundEnd.WENT_OUT, 1, (0,) * seats) for hub, starter in rounds
    )
    return State(rules, seats, Phase.AWAITING_DEAL, results, None)


def sought(events: Iterable[Event]) -> list[tuple[int, str | None, bool]]:
    return [
        (event.seat, None if event.tile is None else format_tile(event.tile), event.returned)
        for event in events
        if isinstance(event, HubSought)
    ]


def test_seats_are_dealt_runs_of_the_permutation_and_the_rest_is_the_boneyard() -> None:
    tiles = order(12, "12-12 0-0")
    step = deal(new_game(RuleSet(), 4), tiles)
    round_ = live(step.state)
    dealt = tiles[1:]
    assert [set(dealt[at : at + 15]) for at in range(0, 60, 15)] == [
        {t for t in range(91) if hand >> t & 1} for hand in round_.hands
    ]
    assert dealt[60:] == list(round_.boneyard)
    assert (
        RoundDealt(1, 15, 30),
        HubLaid(double(12), None),
        TurnStarted(0, first=True),
    ) == step.events
    assert not integrity(step.state)


def test_hub_descends_from_round_to_round_and_starts_again_after_the_blank() -> None:
    rules = RuleSet().override(rounds="fixed", round_count=20, first_hub_value=2)
    hubs = [live(deal(after(rules, 2, *[(0, 0)] * n), range(91)).state).hub for n in range(5)]
    assert hubs == [2, 1, 0, 12, 11]


def test_fixed_hub_stays() -> None:
    rules = RuleSet().override(hub_rule="fixed_value", first_hub_value=5, rounds="fixed")
    assert live(deal(after(rules, 2, (5, 0)), range(91)).state).hub == 5


def test_first_turn_goes_round_when_it_rotates() -> None:
    assert [
        live(deal(after(RuleSet(), 3, *[(0, 0)] * n), range(91)).state).turn for n in range(4)
    ] == [0, 1, 2, 0]


def test_holder_lays_the_hub_and_starts() -> None:
    step = deal(new_game(SIX, 2), order(6, "0-0 1-0 1-1", "6-6 2-0 2-1"))
    round_ = live(step.state)
    assert (round_.hub, round_.turn, round_.hands[1].bit_count()) == (6, 1, 2)
    assert HubLaid(double(6), 1) in step.events


def test_seat_left_of_the_holder_starts_when_the_rules_say_so() -> None:
    rules = SIX.override(round_starter="left_of_hub_holder")
    assert live(deal(new_game(rules, 2), order(6, "0-0 1-0 1-1", "6-6")).state).turn == 0


def test_holder_of_the_heaviest_match_starts_when_the_rules_say_so() -> None:
    rules = SIX.override(round_starter="highest_hub_match")
    assert live(deal(new_game(rules, 2), order(6, "6-6 6-0 1-1", "6-5")).state).turn == 1
    nobody = order(6, "6-6 1-0 1-1", "2-0 2-1 2-2")
    assert live(deal(new_game(rules, 2), nobody).state).turn == 0


def test_highest_double_in_any_hand_is_the_hub() -> None:
    rules = SIX.override(
        hub_rule="highest_in_hands", hub_search_target="any_double", rounds="fixed"
    )
    step = deal(new_game(rules, 2), order(6, "0-0 1-1 1-0", "3-3 2-2 2-0"))
    assert (live(step.state).hub, live(step.state).turn) == (3, 1)


def test_highest_unused_double_is_the_hub_until_all_were() -> None:
    rules = SIX.override(
        hub_rule="highest_unused_in_hands", hub_search_target="any_double", rounds="fixed"
    )
    tiles = order(6, "0-0 1-1 1-0", "3-3 2-2 2-0")
    assert live(deal(after(rules, 2, (3, 0)), tiles).state).hub == 2
    every = [(pip, 0) for pip in range(7)]
    assert live(deal(after(rules, 2, *every), tiles).state).hub == 3
    step = deal(
        after(rules, 2, (3, 1), (2, 1), (1, 1), (0, 1)),
        [
            *tiles[:6],
            *order(6, "4-0 5-5")[:2],
            *[t for t in tiles[6:] if t not in order(6, "4-0 5-5")[:2]],
        ],
    )
    assert live(step.state).hub == 5
    assert sought(step.events) == [(0, "4-0", False), (1, "5-5", False)]


def test_lead_player_lays_his_highest_double_or_the_next_one_does() -> None:
    rules = SIX.override(
        hub_rule="lead_player_highest", hub_search_target="any_double", rounds="fixed"
    )
    tiles = order(6, "0-0 1-1 1-0", "6-6 2-2 2-0")
    assert (live(deal(new_game(rules, 2), tiles).state).hub, 0) == (1, 0)
    assert live(deal(after(rules, 2, (6, 0)), tiles).state).hub == 6
    tiles = order(6, "2-1 4-1 1-0", "6-6 2-2 2-0")
    assert live(deal(new_game(rules, 2), tiles).state).hub == 6
    step = deal(new_game(rules, 2), order(6, "2-1 4-1 1-0", "6-1 2-0 4-0", "3-3"))
    assert sought(step.events) == [(0, "3-3", False)]


def test_seats_draw_in_turn_until_the_hub_turns_up() -> None:
    step = deal(new_game(SIX, 2), order(6, "0-0 1-1 1-0", "2-0 2-1 2-2", "3-0 3-1 6-6"))
    round_ = live(step.state)
    assert sought(step.events) == [(0, "3-0", False), (1, "3-1", False), (0, "6-6", False)]
    assert (round_.turn, [hand.bit_count() for hand in round_.hands]) == (0, [4, 4])
    assert not integrity(step.state)


def test_search_starts_left_of_the_previous_starter() -> None:
    step = deal(after(SIX, 2, (6, 0)), order(6, "0-0 1-1 1-0", "2-0 2-1 2-2", "5-5"))
    assert sought(step.events) == [(1, "5-5", False)]


def test_search_of_all_finishes_its_lap() -> None:
    rules = SIX.override(hub_search="draw_all_equal", max_players=3)
    step = deal(
        new_game(rules, 3), order(6, "0-0 1-1 1-0", "2-0 2-1 2-2", "3-0 3-1 3-2", "6-6 4-0 4-1 4-2")
    )
    assert sought(step.events) == [(0, "6-6", False), (1, "4-0", False), (2, "4-1", False)]
    assert live(step.state).turn == 0


def test_search_of_all_stops_when_the_boneyard_runs_dry() -> None:
    rules = preset("wikihow").override(
        max_pip_by_players=(6,) * 13, hand_size_by_players=(9,) * 13, max_players=3
    )
    every = [t for t in range(28) if t != double(6)]
    step = deal(new_game(rules, 3), [*every, double(6)])
    assert sought(step.events) == [(0, "6-6", False)]
    assert live(step.state).boneyard == b""


def test_next_lower_double_is_the_hub_when_the_wanted_one_is_in_no_hand() -> None:
    rules = SIX.override(hub_search="next_lower_double")
    tiles = order(6, "0-0 1-1 1-0", "3-3 2-2 2-0")
    assert live(deal(new_game(rules, 2), tiles).state).hub == 3
    assert live(deal(after(rules, 2, *[(0, 0)] * 2), order(6, "6-6 6-1 1-0", "3-3")).state).hub == 3
    wraps = deal(after(rules, 2, *[(0, 0)] * 5), order(6, "6-6 6-1 1-0", "3-3 2-0 2-1"))
    assert live(wraps.state).hub == 6
    step = deal(new_game(rules, 2), order(6, "2-1 4-1 1-0", "6-1 2-0 4-0", "3-3"))
    assert sought(step.events) == [(0, "3-3", False)]


def test_tile_that_is_not_the_hub_is_shown_and_goes_under_the_boneyard() -> None:
    rules = SIX.override(hub_search="draw_reveal_return")
    step = deal(new_game(rules, 2), order(6, "0-0 1-1 1-0", "2-0 2-1 2-2", "3-0 6-6"))
    assert sought(step.events) == [(0, "3-0", True), (1, "6-6", False)]
    assert parse_tile("3-0") == live(step.state).boneyard[-1]


def test_deal_is_void_when_the_rules_ask_for_another() -> None:
    state = new_game(SIX.override(hub_search="redeal"), 2)
    step = deal(state, order(6, "0-0 1-1 1-0", "2-0 2-1 2-2"))
    assert (state, (DealVoided(1),)) == step


def test_boneyard_is_empty_when_four_take_the_whole_double_six_set() -> None:
    step = deal(new_game(preset("thoughtco_double_six"), 4), range(28))
    assert live(step.state).boneyard == b""


def test_round_is_over_at_once_when_nobody_can_ever_play() -> None:
    rules = RuleSet().override(
        max_pip_by_players=(6,) * 13, hand_size_by_players=(2,) * 13, rounds="single"
    )
    step = deal(new_game(rules, 2), range(28))
    assert Phase.PLAYING is step.state.phase


@pytest.mark.parametrize("tiles", [[], range(90), [0, *range(90)], range(92)])
def test_deal_is_refused_when_it_is_no_permutation(tiles: Iterable[int]) -> None:
    with pytest.raises(DealError) as caught:
        deal(new_game(RuleSet(), 2), tiles)
    assert caught.value.code == "BAD_PERMUTATION"


def test_deal_is_refused_when_none_is_due() -> None:
    state = deal(new_game(RuleSet(), 2), range(91)).state
    with pytest.raises(DealError) as caught:
        deal(state, range(91))
    assert caught.value.code == "ROUND_IN_PROGRESS"
    over = State(RuleSet(), 2, Phase.FINISHED, (), None)
    with pytest.raises(DealError) as caught:
        deal(over, range(91))
    assert caught.value.code == "GAME_FINISHED"


def test_game_is_refused_when_its_rules_cannot_be_played() -> None:
    with pytest.raises(RuleSetError):
        new_game(RuleSet(), 1)
