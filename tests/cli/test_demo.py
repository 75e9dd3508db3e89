"""``mextrain demo``: whole matches between clients of a real service."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from mextrain_service.local.discovery import Running
from tests.cli.conftest import Mextrain

ESCAPE = "\x1b"
PRESETS = ("modern", "thoughtco", "masters", "wikihow", "ehow", "pagat")


def result_of(output: str) -> dict[str, object]:
    """Return the one object that was printed, less the time that it took."""
    facts = json.loads(output)
    assert isinstance(facts, dict)
    assert isinstance(facts.pop("seconds"), float)
    return facts


@pytest.mark.parametrize("preset", PRESETS)
def test_demo_finishes_a_round_of_every_preset(on_service: Mextrain, preset: str) -> None:
    done = on_service("demo", "--preset", preset, "--seed", "7", "--rounds", "1", "--json")

    assert 0 == done.returncode, done.stderr
    facts = result_of(done.stdout)
    assert {
        "preset": preset,
        "players": 4,
        "seed": 7,
        "levels": ["greedy"] * 4,
        "rounds": 1,
        "tiles_conserved": True,
    }.items() <= facts.items()
    assert 1 == len(done.stdout.splitlines())


def test_demo_prints_scores_that_add_up_when_the_match_has_several_rounds(
    on_service: Mextrain,
) -> None:
    done = on_service("demo", "-p", "2", "-s", "3", "--rounds", "3", "--level", "random", "--json")

    facts = json.loads(done.stdout)
    assert 3 == facts["rounds"] == len(facts["scores"])
    assert [sum(points) for points in zip(*facts["scores"], strict=True)] == facts["totals"]
    best = min(facts["totals"])
    assert [total == best for total in facts["totals"]] == [
        seat in facts["winners"] for seat in range(2)
    ]
    assert [1 if total == best else 2 for total in facts["totals"]] == facts["places"]
    assert facts["moves"] > 20


@pytest.mark.parametrize(("preset", "players"), [("modern", "8"), ("thoughtco", "14")])
def test_demo_finishes_when_the_table_is_full(
    on_service: Mextrain, preset: str, players: str
) -> None:
    done = on_service("demo", "-r", preset, "-p", players, "-s", "7", "--rounds", "1", "--json")

    facts = result_of(done.stdout)
    assert int(players) == facts["players"]
    assert facts["tiles_conserved"]


def test_demo_plays_the_same_match_when_the_seed_is_the_same(on_service: Mextrain) -> None:
    command = ("demo", "-p", "3", "--rounds", "1", "--level", "random", "--json", "--seed")

    first, again, other = (result_of(on_service(*command, seed).stdout) for seed in "556")

    assert first == again
    assert first["scores"] != other["scores"]


def test_demo_needs_no_service_and_leaves_none_when_it_starts_its_own(mextrain: Mextrain) -> None:
    done = mextrain("demo", "--own", "-p", "2", "--rounds", "1", "--json")

    assert 0 == done.returncode, done.stderr
    facts = result_of(done.stdout)
    assert facts["seed"] is None
    assert facts["tiles_conserved"]


def test_demo_writes_plain_lines_when_it_runs_in_a_pipe(on_service: Mextrain) -> None:
    done = on_service("demo", "-p", "2", "-s", "1", "--rounds", "1")

    assert ESCAPE not in done.stdout
    assert "\r" not in done.stdout
    lines = done.stdout.splitlines()
    assert "Round 1: 15 tiles each, 60 in the boneyard" in lines
    assert "The hub is 12-12" in lines
    assert any(line.startswith("Ada: ") and "on own train" in line for line in lines)
    assert any(line.startswith("Round 1 over: ") for line in lines)
    assert "Final standings" in done.stdout
    assert "no tile lost or doubled" in lines[-1]


@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_demo_draws_a_live_table_when_it_runs_on_a_terminal(
    service: Running, environment: dict[str, str], *, coloured: bool
) -> None:
    output = on_a_terminal(
        ["demo", "-p", "2", "-s", "1", "--rounds", "1", "--fast"],
        {
            "MEXTRAIN_ENDPOINT": service.endpoint,
            "MEXTRAIN_PLATFORM_KEY": service.platform_key,
            **environment,
        },
    )

    assert "Round 1 of 1 · modern" in output
    assert "boneyard" in output
    assert "Final standings" in output
    green = f"{ESCAPE}[1;32m"
    assert coloured == (green in output)


def on_a_terminal(arguments: list[str], environment: dict[str, str]) -> str:
    """Return what the command writes to a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mextrain_service.cli", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40", **environment},
    )
    os.close(theirs)
    parts = []
    try:
        while part := os.read(ours, 65_536):
            parts.append(part)
    except OSError:
        pass  # the terminal is closed once nobody writes to it any more
    finally:
        os.close(ours)
    assert 0 == process.wait(100)
    return b"".join(parts).decode()
