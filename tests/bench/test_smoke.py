"""Each benchmark of more than one process runs, and says what it found as one JSON object."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from benchmarks import door, scale, watch
from benchmarks.peers import __main__ as peers
from tests.project.tree import ROOT

SMALL = {
    "watch": ("--watchers=10", "--seconds=0.5", "--moves-per-s=10", "--processes=1"),
    "scale": ("--workers=1", "--repetitions=1", "--games=2"),
    "peers": ("--only=mextrain", "--games=2", "--repetitions=1", "--memory-games=1"),
}


def found(module: str, *arguments: str) -> dict[str, Any]:
    """Run a benchmark in the way that its make target does, and read its standard output."""
    ran = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{module}", *arguments],
        cwd=ROOT,
        env={**os.environ, "JSON": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


def test_watch_benchmark_tells_every_figure_and_hears_of_moves() -> None:
    figures = found("watch", *SMALL["watch"])
    assert set(watch.NOTES) == set(figures)
    assert figures["deliveries_per_s"] > 0


def test_door_benchmark_tells_every_figure_and_calls_enter_few_python_functions() -> None:
    figures = found("door", "--repetitions=1")
    assert set(door.NOTES) == set(figures)
    assert 0 < figures["list_legal_moves_us"]
    assert figures["play_move_calls"] <= 240
    assert figures["get_game_calls"] <= 145


def test_scale_benchmark_tells_every_figure() -> None:
    assert set(scale.NOTES) <= set(found("scale", *SMALL["scale"]))


def test_peers_benchmark_tells_every_figure_of_the_service() -> None:
    figures = found("peers", *SMALL["peers"])
    assert {f"mextrain_{column}" for column in peers.COLUMNS} <= set(figures)


@pytest.mark.parametrize("together", [(), ("--together", "--reread-s=30")])
def test_capacity_of_a_load_is_told(together: tuple[str, ...]) -> None:
    figures = found("capacity", "--games=1e6", "--moves-per-day=1e9", *together)
    assert figures["workers"] > 1
    assert figures["moves_per_s"] == pytest.approx(1e9 / 86_400)
