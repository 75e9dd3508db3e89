"""Options that several commands share, and what is said when their value does not exist."""

from __future__ import annotations

import difflib
from enum import Enum
from typing import Annotated

import typer
from mextrain.v1.rule_options_pb2 import ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import RuleSet as RuleSetMessage

from mextrain_engine import PRESETS, RuleSet
from mextrain_service.cli.complaints import CliError

PLAYER_NAMES = (
    *("Ada", "Bea", "Cy", "Dot", "Eli", "Fay", "Gus"),
    *("Hal", "Ida", "Jo", "Kit", "Lou", "Max", "Nan"),
)
"""What bots are called: short, so that fourteen fit a score sheet of 80 columns."""


class Level(Enum):
    """How well a bot plays; the levels of the service."""

    PASS = "pass"  # noqa: S105 - a level of play
    RANDOM = "random"
    GREEDY = "greedy"
    PLANNER = "planner"


PresetOption = Annotated[
    str,
    typer.Option("--preset", "-r", metavar="NAME", help="The rules; `mextrain rules` lists them."),
]
PlayersOption = Annotated[
    int, typer.Option("--players", "-p", min=2, max=14, help="How many play.")
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", "-s", help="Repeats a match: the same number, the same tiles."),
]


def rules_named(preset: str, players: int | None = None) -> RuleSet:
    """Return a preset.

    Args:
        preset: its name.
        players: how many are to play; None if that does not matter.

    Raises:
        CliError: there is no such preset, or it is not for so many players.
    """
    rules = PRESETS.get(preset)
    if rules is None:
        near = difflib.get_close_matches(preset, PRESETS, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise CliError(f"There is no preset {preset!r}.{hint}", f"There are: {', '.join(PRESETS)}.")
    if players is not None and not rules.min_players <= players <= rules.max_players:
        able = [name for name, other in PRESETS.items() if players <= other.max_players]
        raise CliError(
            f"{preset} is for {rules.min_players} to {rules.max_players} players, not {players}.",
            f"For {players} players: {', '.join(able)}.",
        )
    return rules


def fixed_rounds(rounds: int | None) -> RuleSetMessage:
    """Return the overrides for a match of so many rounds; None for those of its preset."""
    if rounds is None:
        return RuleSetMessage()
    return RuleSetMessage(rounds=ROUNDS_FIXED, round_count=rounds)
