"""``mextrain demo``: a whole match between bots over gRPC, to look at."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mextrain_service.application.model import BotLevel
from mextrain_service.cli.choices import (
    PLAYER_NAMES,
    Level,
    PlayersOption,
    PresetOption,
    SeedOption,
    rules_named,
)
from mextrain_service.cli.connection import (
    EndpointOption,
    KeyOption,
    OwnOption,
    Reached,
    reached,
)
from mextrain_service.cli.drawing import draw_table, score_sheet, standings, tell
from mextrain_service.cli.match import BotMatch, MatchPlan, Moment, match_facts

_LINES_OF_STORY = 4
_LINES_ROUND_TABLE = 9
"""Lines of the screen that are neither a seat's nor the story's."""

_DELAY_S = 0.1
_ROUND_PAUSE_DELAYS = 10

Show = Callable[[Moment], None]


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("demo", help="Watch bots play a whole match over gRPC.")(_demo)


def _demo(
    players: PlayersOption = 4,
    preset: PresetOption = "modern",
    seed: SeedOption = None,
    level: Annotated[
        Level, typer.Option("--level", "-l", help="How well they play.")
    ] = Level.GREEDY,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=50, help="Play so many rounds instead of a whole match."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead, and nothing else.")
    ] = False,
    delay: Annotated[
        float,
        typer.Option(min=0, max=10, metavar="SECONDS", help="Pause after each move on a terminal."),
    ] = _DELAY_S,
    fast: Annotated[bool, typer.Option("--fast", help="No pauses: the same as --delay 0.")] = False,
    endpoint: EndpointOption = "",
    key: KeyOption = "",
    own: OwnOption = False,
) -> None:
    rules_named(preset, players)
    plan = MatchPlan(
        preset=preset,
        rounds=rounds,
        levels=(BotLevel(level.value),) * players,
        names=PLAYER_NAMES[:players],
        seed=seed,
    )
    with reached(endpoint, key, own=own) as service:
        if as_json:
            _print_json(service, plan)
        elif Console().is_terminal:
            _show_live(service, plan, 0.0 if fast else delay)
        else:
            _print_lines(service, plan)


def _print_json(service: Reached, plan: MatchPlan) -> None:
    started = time.perf_counter()
    with BotMatch(service.endpoint, service.key, plan) as match:
        for _ in match.moments():
            pass
        print(json.dumps(match_facts(match, plan, time.perf_counter() - started)))


def _print_lines(service: Reached, plan: MatchPlan) -> None:
    console = Console(highlight=False, soft_wrap=True)
    started = time.perf_counter()
    with BotMatch(service.endpoint, service.key, plan) as match:
        print(_headline(plan, service))
        for moment in match.moments():
            for event in moment.events:
                line = tell(event, plan.names)
                if line is not None:
                    print(line)
        _print_result(console, match, plan, time.perf_counter() - started)


def _show_live(service: Reached, plan: MatchPlan, delay: float) -> None:
    console = Console(highlight=False)
    started = time.perf_counter()
    with BotMatch(service.endpoint, service.key, plan) as match:
        console.print(Text(_headline(plan, service), "bold"))
        with Live(console=console, auto_refresh=False, transient=True) as live:
            screen = _Screen(live, plan)
            for moment in match.moments():
                screen.show(moment)
                time.sleep(delay * screen.pauses)
        _print_result(console, match, plan, time.perf_counter() - started)


class _Screen:
    """The live table and, under it, the latest of the story; rounds that are over stay above."""

    def __init__(self, live: Live, plan: MatchPlan) -> None:
        self._live = live
        self._names = plan.names
        self._title = plan.preset
        room = live.console.height - len(plan.names) - _LINES_ROUND_TABLE
        lines = max(0, min(_LINES_OF_STORY, room))
        self._story: deque[str] = deque([""] * lines, maxlen=lines)
        self.pauses = 1

    def show(self, moment: Moment) -> None:
        """Draw the table as it is now."""
        self.pauses = 1
        for event in moment.events:
            line = tell(event, self._names)
            if line is None:
                continue
            if event.HasField("round_ended"):
                self.pauses = _ROUND_PAUSE_DELAYS
                self._live.console.print(Text(line, "cyan"))
            else:
                self._story.append(line)
        view = moment.view
        title = f"Round {view.round.number} of {view.total_rounds} · {self._title}"
        table = draw_table(view.round, self._names, view.totals, title=title)
        story = Text("\n".join(self._story), "dim", no_wrap=True, overflow="ellipsis")
        self._live.update(Group(table, story), refresh=True)


def _headline(plan: MatchPlan, service: Reached) -> str:
    return f"{plan.preset}, {len(plan.names)} players, on {service.origin}"


def _print_result(console: Console, match: BotMatch, plan: MatchPlan, seconds: float) -> None:
    sheet = match.score()
    console.print()
    console.print(score_sheet(sheet, plan.names))
    console.print(standings(sheet, plan.names))
    conserved = "no tile lost or doubled" if match.tiles_conserved else "TILES LOST OR DOUBLED"
    console.print(f"{match.moves} moves in {seconds:.1f} s, {conserved}.")
