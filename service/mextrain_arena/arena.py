"""``mextrain arena``: levels of play against each other, over many matches, without a service."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from mextrain_arena.tournament import (
    Estimate,
    LevelResult,
    Pairing,
    Played,
    pairings,
    play_pairing,
    results,
)
from mextrain_service.application.model import BotLevel
from mextrain_service.cli.choices import PlayersOption, PresetOption, rules_named
from mextrain_service.cli.complaints import CliError

_SHARE_OF_A_PROCESS = 8
"""Each process gets its matches in about so many parts, so that none waits long for another."""


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("arena", help="Let levels of play compete over many matches.")(_arena)


def _arena(
    levels: Annotated[
        str, typer.Option("--levels", "-l", metavar="A,B", help="Two or more levels.")
    ] = "planner,greedy",
    players: PlayersOption = 4,
    matches: Annotated[
        int, typer.Option("--matches", "-m", min=1, max=1_000_000, help="How many matches.")
    ] = 100,
    preset: PresetOption = "modern",
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=50, help="Rounds of a match instead of the preset's."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", "-s", help="Repeats a tournament: the same number, all alike.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes; one for each core by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    rules = rules_named(preset, players)
    if rounds is not None:
        rules = rules.override(rounds="fixed", round_count=rounds)
    competing = read_levels(levels, players)
    plan = pairings(rules, competing, players, matches, seed)
    began = time.perf_counter()
    played = list(_watched(plan, min(jobs or os.cpu_count() or 1, matches)))
    seconds = time.perf_counter() - began
    found = results(played, competing)
    if as_json:
        facts = {"preset": preset, "players": players, "matches": matches, "seed": seed}
        facts["rounds"] = sum(match.rounds for match in played)
        levels_found = [_facts(result) for result in found]
        print(json.dumps({**facts, "levels": levels_found, "seconds": round(seconds, 3)}))
        return
    console = Console(highlight=False)
    console.print(f"{preset}, {players} players, {matches} matches, seed {seed}")
    console.print(_table(found))
    console.print(f"± is half a 95 % confidence interval. {seconds:.1f} s.")


def read_levels(text: str, players: int) -> tuple[BotLevel, ...]:
    """Return the levels of a text like ``planner,greedy``.

    Raises:
        CliError: a level does not exist, stands twice, or there are too few or too many.
    """
    known = {level.value: level for level in BotLevel}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise CliError(f"There is no level {name!r}.", f"There are: {', '.join(known)}.")
    if len(set(names)) != len(names):
        raise CliError("Each level competes once.")
    if not 2 <= len(names) <= players:
        raise CliError(f"Two levels or more compete, and at most {players} at {players} seats.")
    return tuple(known[name] for name in names)


def _watched(plan: Sequence[Pairing], jobs: int) -> Iterator[Played]:
    """Yield the matches as they are played, with a bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("matches"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        yield from progress.track(_played(plan, jobs), total=len(plan))


def _played(plan: Sequence[Pairing], jobs: int) -> Iterator[Played]:
    if jobs == 1:
        yield from map(play_pairing, plan)
        return
    part = max(1, len(plan) // (jobs * _SHARE_OF_A_PROCESS))
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as processes:
        yield from processes.map(play_pairing, plan, chunksize=part)


def _table(found: Sequence[LevelResult]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("level")
    table.add_column("points a round", justify="right")
    table.add_column("matches won", justify="right")
    table.add_column(f"more than {found[0].level.value}", justify="right")
    for at, result in enumerate(found):
        wins = Estimate(100 * result.wins.mean, 100 * result.wins.margin)
        table.add_row(
            result.level.value,
            _words(result.score),
            f"{_words(wins)} %",
            _words(result.behind) if at else "",
        )
    return table


def _words(estimate: Estimate) -> str:
    return f"{estimate.mean:.1f} ± {estimate.margin:.1f}"


def _facts(result: LevelResult) -> dict[str, object]:
    return {
        "level": result.level.value,
        "points_per_round": round(result.score.mean, 3),
        "points_per_round_margin": round(result.score.margin, 3),
        "wins": round(result.wins.mean, 4),
        "wins_margin": round(result.wins.margin, 4),
        "more_than_first": round(result.behind.mean, 3),
        "more_than_first_margin": round(result.behind.margin, 3),
    }
