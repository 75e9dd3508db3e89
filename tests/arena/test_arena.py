"""``mextrain arena``: what it plays and prints, and that each level beats the one below it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mextrain_arena.tournament import Played, pairings, play_pairing, results
from mextrain_engine import preset
from mextrain_service.application.model import BotLevel
from tests.cli.conftest import Mextrain

QUICK = ("--rounds", "1", "--jobs", "1")


def test_arena_prints_a_line_for_each_level(here: Mextrain) -> None:
    done = here("arena", "--levels", "greedy,random,pass", "--matches", "6", *QUICK)

    assert 0 == done.returncode
    assert "modern, 4 players, 6 matches, seed 1" in done.stdout
    for level in ("greedy", "random", "pass"):
        assert any(line.strip().startswith(level) for line in done.stdout.splitlines())
    assert "" == done.stderr


def test_arena_prints_one_object_when_asked_and_the_same_for_the_same_seed(here: Mextrain) -> None:
    command = ("arena", "-l", "greedy,random", "-p", "3", "-m", "8", "--json", *QUICK)
    first, again = (json.loads(here(*command).stdout) for _ in range(2))

    assert {"preset": "modern", "players": 3, "matches": 8, "seed": 1, "rounds": 8}.items() <= (
        first.items()
    )
    assert ["greedy", "random"] == [each["level"] for each in first["levels"]]
    assert first["levels"] == again["levels"]
    assert 1 == pytest.approx(sum(each["wins"] for each in first["levels"]))


def test_arena_comes_out_the_same_in_several_processes(here: Mextrain) -> None:
    command = ("arena", "-l", "greedy,random", "-p", "2", "-m", "4", "--rounds", "1", "--json")

    one, two = (json.loads(here(*command, "--jobs", jobs).stdout) for jobs in "12")
    assert one["levels"] == two["levels"]


def test_arena_is_imported_by_no_other_command() -> None:
    program = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from mextrain_service.cli.app import app\n"
        "assert CliRunner().invoke(app, ['rules']).exit_code == 0\n"
        "print(*(name for name in sys.modules if name.startswith('mextrain_arena')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert "\n" == done.stdout


def test_command_that_does_not_exist_is_answered_with_those_like_it(here: Mextrain) -> None:
    done = here("arana")

    assert 2 == done.returncode
    assert "Did you mean 'arena'?" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-l", "greedy,genius"), "There is no level 'genius'"),
        (("-l", "greedy"), "Two levels or more"),
        (("-l", "greedy,greedy"), "Each level competes once"),
        (("-l", "pass,random,greedy", "-p", "2"), "at most 2"),
        (("-r", "nothing"), "There is no preset 'nothing'"),
    ],
)
def test_arena_refuses_what_cannot_be_played(
    arguments: tuple[str, ...], complaint: str, here: Mextrain
) -> None:
    done = here("arena", *arguments)

    assert 1 == done.returncode
    assert complaint in done.stderr


def test_tournament_gives_every_level_the_same_hands() -> None:
    plan = pairings(preset("modern"), [BotLevel.GREEDY, BotLevel.RANDOM], 4, 4, seed=3)

    assert [0, 0, 1, 1] == [pairing.group for pairing in plan]
    assert plan[0].levels == (BotLevel.GREEDY, BotLevel.RANDOM) * 2
    assert plan[1].levels == (BotLevel.RANDOM, BotLevel.GREEDY) * 2


def test_results_are_means_and_confidence_intervals_over_groups() -> None:
    levels = (BotLevel.GREEDY, BotLevel.RANDOM)
    plan = pairings(preset("modern"), levels, 2, 4, seed=1)
    totals = [(10, 30), (50, 30), (0, 20), (40, 0)]
    played = [
        Played(pairing, 2, total, winners)
        for pairing, total, winners in zip(plan, totals, [(0,), (1,), (0, 1), (1,)], strict=True)
    ]

    greedy, chance = results(played, levels)

    assert (5.0, 17.5) == (greedy.score.mean, chance.score.mean)
    assert (0.875, 0.125) == (greedy.wins.mean, chance.wins.mean)
    assert (12.5, 0.0) == (chance.behind.mean, greedy.behind.margin)
    assert 9.8 == pytest.approx(greedy.score.margin)


@pytest.mark.parametrize(
    ("levels", "matches", "margin"),
    [
        ((BotLevel.GREEDY, BotLevel.RANDOM), 60, 20.0),
        ((BotLevel.PLANNER, BotLevel.GREEDY), 16, 1.0),
    ],
)
def test_level_beats_the_one_below_it_in_a_fixed_set_of_matches(
    levels: tuple[BotLevel, BotLevel], matches: int, margin: float
) -> None:
    rules = preset("modern").override(rounds="single")
    plan = pairings(rules, levels, players=4, matches=matches, seed=1)

    _, below = results(map(play_pairing, plan), levels)

    assert below.behind.mean > margin
