"""How the greedy bot plays, on views written by hand: it needs no game to choose."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mextrain_engine import (
    CALL,
    DRAW,
    MEXICAN,
    PASS,
    Owed,
    Phase,
    RoundView,
    RuleSet,
    TrainView,
    View,
    mask_of,
    parse_move,
    parse_tile,
    preset,
    tiles_in,
)
from mextrain_service.application.model import BotLevel
from mextrain_service.bots.greedy import choose
from tests.bots.engine_matches import play_match


def table(
    hand: str,
    *trains: Sequence[int],
    marked: Sequence[int] = (),
    first_turn: bool = False,
    laid: int = 0,
    rivals: int = 9,
) -> View:
    """Return the view of seat 0 of two; the trains are its own, the rival's and the Mexican one."""
    tiles = tuple(tiles_in(mask_of(parse_tile(text) for text in hand.split())))
    owners = (0, 1, MEXICAN)
    round_ = RoundView(
        number=1,
        hub=12,
        starter=0,
        turn=0,
        first_turn=first_turn,
        drawn=0,
        laid=laid,
        owed=Owed.NOTHING,
        hand_counts=(len(tiles), rivals),
        boneyard_count=20,
        trains=tuple(
            TrainView(owner, tuple(pips), owner in marked, open_double=False, deferred_double=False)
            for owner, pips in zip(owners, trains, strict=True)
        ),
        open_doubles=(),
        called=(),
        call_due=None,
        shown_hands=None,
    )
    return View(2, Phase.PLAYING, 13, (), round_, 0, tiles)


def chosen(view: View, legal: str) -> str:
    return str(choose(view, [parse_move(text) for text in legal.split()], 0))


def test_greedy_opens_with_the_longest_line_when_a_heavier_tile_leads_nowhere() -> None:
    view = table("12-11 12-5 5-4 4-3 3-2", (12,), (12,), (12,), first_turn=True)

    assert "12-5@0" == chosen(view, "12-5@0 12-11@0")


def test_greedy_goes_on_with_its_opening_train_when_it_may_pass() -> None:
    view = table("5-4 4-3 11-10", (12, 5), (12,), (12,), first_turn=True, laid=1)

    assert "5-4@0" == chosen(view, "5-4@0 pass")


def test_greedy_lays_a_stray_tile_elsewhere_when_its_own_train_needs_the_other() -> None:
    view = table("8-7 7-3 8-5", (12, 8), (12, 4), (12, 5, 8))

    assert "8-5@M" == chosen(view, "8-7@M 8-5@M 8-7@0 8-5@0")


def test_greedy_lays_the_heavier_of_two_stray_tiles() -> None:
    view = table("9-1 9-8 12-0", (12, 2), (12, 4), (12, 9))

    assert "9-8@M" == chosen(view, "9-1@M 9-8@M")


def test_greedy_takes_its_marker_off_when_that_costs_little() -> None:
    view = table("8-5 8-4", (12, 8), (12, 3), (12, 7, 8), marked=[0])

    assert chosen(view, "8-4@M 8-5@M 8-4@0 8-5@0").endswith("@0")


def test_greedy_lays_a_double_that_it_can_follow() -> None:
    view = table("9-9 9-4 11-10", (12, 9), (12, 3), (12,))

    assert "9-9@0" == chosen(view, "9-4@0 9-9@0")


def test_greedy_prefers_the_double_that_it_can_cover_when_both_weigh_the_same() -> None:
    view = table("8-8 8-1 5-3", (12, 8), (12, 3), (12, 9, 8))
    plain = table("8-8 7-1 5-3", (12, 2), (12, 3), (12, 8))

    assert "8-8@0" == chosen(view, "8-1@0 8-8@0")
    assert "8-8@M" == chosen(plain, "8-8@M 5-3@1")


def test_greedy_goes_out_when_it_can() -> None:
    view = table("9-9", (12, 9), (12, 3), (12, 9))

    assert "9-9" == chosen(view, "9-9@M 9-9@0").partition("@")[0]


def test_greedy_sheds_pips_when_a_rival_is_about_to_go_out() -> None:
    trains = ((12, 4), (12, 3), (12, 11))
    hand = "11-9 4-2 2-1 9-4"

    assert "11-9@M" == chosen(table(hand, *trains, rivals=1), "11-9@M 4-2@0 9-4@0")


@pytest.mark.parametrize("only", [DRAW, PASS, CALL])
def test_greedy_makes_the_only_move_there_is(only: object) -> None:
    assert str(only) == chosen(table("9-1", (12, 4), (12,), (12,)), str(only))


def test_greedy_tells_equals_apart_by_the_seed() -> None:
    view = table("9-1", (12, 2), (12, 9), (12, 9), marked=[1])
    legal = [parse_move("9-1@M"), parse_move("9-1@1")]

    assert set() == {choose(view, legal, seed) for seed in range(2)} - set(legal)


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("name", ["modern", "masters", "ehow", "pagat"])
def test_greedy_beats_random_by_a_clear_margin(name: str, seats: int) -> None:
    rules: RuleSet = preset(name).override(rounds="fixed", round_count=2)
    greedy = chance = 0
    for match in range(16):
        levels = [
            BotLevel.GREEDY if (seat + match) % 2 else BotLevel.RANDOM for seat in range(seats)
        ]
        totals = play_match(rules, levels, seed=match)
        greedy += sum(
            points for points, level in zip(totals, levels, strict=True) if level is BotLevel.GREEDY
        )
        chance += sum(
            points for points, level in zip(totals, levels, strict=True) if level is BotLevel.RANDOM
        )

    assert greedy < 0.75 * chance


def test_match_of_bots_is_the_same_when_the_seed_is() -> None:
    levels = [BotLevel.GREEDY, BotLevel.RANDOM, BotLevel.GREEDY]
    rules = RuleSet().override(rounds="single")

    assert play_match(rules, levels, seed=11) == play_match(rules, levels, seed=11)
