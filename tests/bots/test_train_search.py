"""The opening train that the search finds, held to a plain enumeration of all trains."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mextrain_engine import TileId, parse_tile, set_size, tile
from mextrain_engine.tiles import HIGH, LOW, PIPS
from mextrain_service.bots import TrainPlan, heaviest_train, longest_train

Hand = frozenset[int]

hands = st.frozensets(st.integers(0, set_size(4) - 1), max_size=8)
starts = st.integers(0, 4)


def all_trains(hand: Hand, start: int) -> list[tuple[int, ...]]:
    """Return every train that the hand can lay, the empty one included."""
    trains: list[tuple[int, ...]] = [()]
    for tile_id in hand:
        if start in (HIGH[tile_id], LOW[tile_id]):
            far = HIGH[tile_id] + LOW[tile_id] - start
            trains += [(tile_id, *rest) for rest in all_trains(hand - {tile_id}, far)]
    return trains


def points(tiles: tuple[int, ...], double_blank: int = 0) -> int:
    return sum(PIPS[tile_id] or double_blank for tile_id in tiles)


def random_hand(seed: int, max_pip: int, size: int = 20) -> tuple[list[int], int]:
    chance = random.Random(seed)
    return chance.sample(range(set_size(max_pip)), size), chance.randint(0, max_pip)


def assert_is_a_train(plan: TrainPlan, hand: Hand) -> None:
    assert set(plan.tiles) <= hand
    assert len(plan.tiles) == len(set(plan.tiles))
    joints = zip(plan.pips, plan.pips[1:], strict=False)
    assert list(plan.tiles) == [tile(near, far) for near, far in joints]


@given(hand=hands, start=starts)
def test_longest_train_has_the_most_tiles_then_the_most_points(hand: Hand, start: int) -> None:
    plan = longest_train(hand, start)

    best = max((len(train), points(train)) for train in all_trains(hand, start))
    assert best == (len(plan.tiles), plan.weight)
    assert plan.exact
    assert_is_a_train(plan, hand)


@given(hand=hands, start=starts, double_blank=st.sampled_from([0, 25, 50]))
def test_heaviest_train_has_the_most_points_then_the_most_tiles(
    hand: Hand, start: int, double_blank: int
) -> None:
    plan = heaviest_train(hand, start, double_blank=double_blank)

    best = max((points(train, double_blank), len(train)) for train in all_trains(hand, start))
    assert best == (plan.weight, len(plan.tiles))
    assert_is_a_train(plan, hand)


def test_longest_train_takes_every_tile_when_all_values_are_even() -> None:
    double_six_without_doubles = frozenset(t for t in range(set_size(6)) if HIGH[t] != LOW[t])

    plan = longest_train(double_six_without_doubles, 3)

    assert len(plan.tiles) == 21
    assert_is_a_train(plan, double_six_without_doubles)


def test_longest_train_leaves_out_the_lightest_tiles_when_values_are_odd() -> None:
    double_five_without_doubles = frozenset(t for t in range(set_size(5)) if HIGH[t] != LOW[t])

    plan = longest_train(double_five_without_doubles, 5)

    # Six odd values, two of them the train's ends: two tiles stay, at the least 1-0 and 3-2.
    assert len(plan.tiles) == 13
    assert points(tuple(double_five_without_doubles)) - 6 == plan.weight


def test_longest_train_puts_doubles_into_a_train_that_was_found_by_parity() -> None:
    double_six = frozenset(range(set_size(6)))

    plan = longest_train(double_six, 0)

    assert len(plan.tiles) == 28
    assert_is_a_train(plan, double_six)


@pytest.mark.parametrize("max_pip", [6, 7, 9, 12, 15, 18])
def test_search_is_exact_after_few_positions_when_the_hand_has_twenty_tiles(max_pip: int) -> None:
    for seed in range(5):
        hand, start = random_hand(seed, max_pip)
        longest = longest_train(hand, start, max_positions=4_000)
        heaviest = heaviest_train(hand, start, max_positions=4_000)

        assert longest.exact
        assert heaviest.exact
        assert len(longest.tiles) >= len(heaviest.tiles)
        assert longest.weight <= heaviest.weight
        assert_is_a_train(longest, frozenset(hand))


def test_search_says_so_when_it_is_cut_short() -> None:
    hand, start = random_hand(5, max_pip=15, size=40)

    plan = longest_train(hand, start, max_positions=20)

    assert not plan.exact
    assert plan.tiles
    assert_is_a_train(plan, frozenset(hand))


def test_search_finds_the_empty_train_when_nothing_fits() -> None:
    plan = longest_train([parse_tile("3-2")], 12)

    assert TrainPlan(start=12, tiles=(), pips=(12,), weight=0, exact=True) == plan


def test_search_returns_the_same_train_when_asked_again() -> None:
    hand, start = random_hand(8, max_pip=12)

    assert longest_train(hand, start) == longest_train([*reversed(hand)], start)


def test_search_keeps_a_tile_id_a_tile_id() -> None:
    assert (TileId(83), TileId(20)) == longest_train([83, 20], 12).tiles
