"""``mextrain solve``: what it prints, for people and for machines."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Mextrain


@pytest.mark.parametrize(
    "hand",
    [
        ["12: 12-5 5-5 5-0 12-11"],
        ["12:", "12-5", "5-5", "0-5", "11-12"],
        ["12-12:12-5,5-5,5-0,12-11"],
    ],
)
def test_solve_finds_the_longest_and_the_heaviest_train(here: Mextrain, hand: list[str]) -> None:
    done = here("solve", *hand)

    assert [
        "longest: 3 of 4 tiles, 32 points",
        "  12-5 5-5 5-0",
        "heaviest: 3 of 4 tiles, 32 points",
        "  12-5 5-5 5-0",
    ] == done.stdout.splitlines()


def test_solve_prints_one_object_when_asked(here: Mextrain) -> None:
    done = here("solve", "12: 12-2 2-1 1-0 0-0 12-11", "--double-blank", "50", "--json")

    facts = json.loads(done.stdout)
    assert {"start": 12, "tiles": 5}.items() <= facts.items()
    assert ["12-2", "2-1", "1-0", "0-0"] == facts["longest"]["tiles"]
    assert [12, 2, 1, 0, 0] == facts["longest"]["pips"]
    assert 68 == facts["heaviest"]["points"]
    assert facts["heaviest"]["exact"]
    assert facts["seconds"] < 1


def test_solve_says_so_when_no_tile_fits(here: Mextrain) -> None:
    done = here("solve", "12: 5-4 4-3")

    assert "longest: 0 of 2 tiles, 0 points\n  no tile fits\n" in done.stdout


def test_solve_takes_a_hand_of_any_size(here: Mextrain) -> None:
    tiles = [f"{high}-{low}" for high in range(13) for low in range(high + 1)]

    done = here("solve", "12: " + " ".join(tiles), "--json")

    assert 91 == json.loads(done.stdout)["longest"]["length"]
