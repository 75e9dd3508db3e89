"""``mextrain solve``: the longest and the heaviest train that a hand can open with."""

from __future__ import annotations

import json
import re
import time
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mextrain_engine import TileId, format_tile, parse_tile
from mextrain_service.bots import TrainPlan, heaviest_train, longest_train
from mextrain_service.bots.train_search import EXACT_HAND_LIMIT
from mextrain_service.cli.complaints import CliError

_WRITTEN = "Write it like `12: 12-5 5-5 5-0`: the hub's value, a colon, the tiles of the hand."
_POSITIONS_BEYOND_LIMIT = 100_000


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("solve", help="Find the longest and the heaviest opening train of a hand.")(_solve)


def _solve(
    hand: Annotated[
        list[str], typer.Argument(metavar="HAND", help='As in "12: 12-5 5-5 5-0 0-7".')
    ],
    double_blank: Annotated[
        int, typer.Option(min=0, max=100, help="Points of the double-blank.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    start, tiles = read_hand(" ".join(hand))
    budget = None if len(tiles) <= EXACT_HAND_LIMIT else _POSITIONS_BEYOND_LIMIT
    began = time.perf_counter()
    longest = longest_train(tiles, start, double_blank=double_blank, max_positions=budget)
    heaviest = heaviest_train(tiles, start, double_blank=double_blank, max_positions=budget)
    seconds = time.perf_counter() - began
    if as_json:
        facts = {"start": start, "tiles": len(tiles), "longest": _facts(longest)}
        print(json.dumps({**facts, "heaviest": _facts(heaviest), "seconds": round(seconds, 4)}))
        return
    console = Console(highlight=False)
    console.print(_line("longest", longest, len(tiles)))
    console.print(_line("heaviest", heaviest, len(tiles)))


def read_hand(text: str) -> tuple[int, tuple[TileId, ...]]:
    """Return the hub's value and the tiles of a text like ``12: 12-5 5-5``.

    Tiles may be separated by spaces or commas; the hub may also be written as its double.

    Raises:
        CliError: the text says something else, or names a tile twice.
        NotationError: a tile cannot be read.
    """
    found = re.fullmatch(r"\s*(\d{1,2})(?:-\1)?\s*:(.*)", text, re.DOTALL | re.ASCII)
    if found is None or int(found[1]) > 18:
        raise CliError(f"This is no hand: {text[:60]!r}.", _WRITTEN)
    tiles = tuple(parse_tile(word) for word in re.split(r"[\s,]+", found[2]) if word)
    twice = {format_tile(tile_id) for tile_id in tiles if tiles.count(tile_id) > 1}
    if twice:
        raise CliError(f"A hand holds each tile once: {', '.join(sorted(twice))} is there twice.")
    return int(found[1]), tiles


def _line(name: str, plan: TrainPlan, held: int) -> Text:
    exact = "" if plan.exact else ", the best found"
    head = f"{name}: {len(plan.tiles)} of {held} tiles, {plan.weight} points{exact}"
    return Text.assemble((head, "bold"), "\n  ", _chain(plan) or "no tile fits")


def _chain(plan: TrainPlan) -> str:
    return " ".join(f"{near}-{far}" for near, far in zip(plan.pips, plan.pips[1:], strict=False))


def _facts(plan: TrainPlan) -> dict[str, object]:
    return {
        "tiles": [format_tile(tile_id) for tile_id in plan.tiles],
        "pips": list(plan.pips),
        "length": len(plan.tiles),
        "points": plan.weight,
        "exact": plan.exact,
    }
