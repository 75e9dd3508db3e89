"""``mextrain rules``: a preset in plain words, from the same source as the call ExplainRules."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mextrain_engine import PRESETS, RuleSet
from mextrain_engine.rulebook import Chapter, describe
from mextrain_service.application.preset_summaries import SUMMARIES
from mextrain_service.cli.choices import rules_named
from mextrain_service.cli.drawing import print_chapters


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("rules", help="Explain a preset in words, or list the presets.")(_rules)


def _rules(
    preset: Annotated[
        str, typer.Argument(metavar="[PRESET]", help="The preset; without it, all are listed.")
    ] = "",
    players: Annotated[
        int | None,
        typer.Option("--players", "-p", min=2, max=14, help="Only for this number of players."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    if not preset:
        _print_presets_json() if as_json else _print_presets()
        return
    rules = rules_named(preset, players)
    chapters = describe(rules, players)
    if as_json:
        print(json.dumps(_explained(rules, chapters)))
    else:
        _print_chapters(rules, chapters, players)


def _print_presets() -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("preset", style="bold cyan", no_wrap=True)
    table.add_column("players", justify="right", no_wrap=True)
    table.add_column("what it is")
    for name, rules in PRESETS.items():
        table.add_row(name, f"{rules.min_players}-{rules.max_players}", SUMMARIES[name])
    console = Console(highlight=False)
    console.print(table)
    console.print("`mextrain rules PRESET` explains one.")


def _print_presets_json() -> None:
    presets = [
        {
            "preset": name,
            "min_players": rules.min_players,
            "max_players": rules.max_players,
            "summary": SUMMARIES[name],
        }
        for name, rules in PRESETS.items()
    ]
    print(json.dumps({"presets": presets}))


def _print_chapters(rules: RuleSet, chapters: tuple[Chapter, ...], players: int | None) -> None:
    console = Console(highlight=False)
    count = f"{rules.min_players} to {rules.max_players}" if players is None else str(players)
    console.print(Text.assemble((rules.name, "bold cyan"), f", for {count} players"))
    console.print(Text(SUMMARIES[rules.name], "italic"))
    print_chapters(console, chapters)


def _explained(rules: RuleSet, chapters: tuple[Chapter, ...]) -> dict[str, object]:
    return {
        "preset": rules.name,
        "summary": SUMMARIES[rules.name],
        "chapters": [
            {
                "id": chapter.id,
                "title": chapter.title,
                "sentences": [{"id": item.id, "text": item.text} for item in chapter.sentences],
            }
            for chapter in chapters
        ],
    }
