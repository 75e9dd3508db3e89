"""The score sheet of a match and its final standings."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain.v1.round_pb2 import RoundEnd
from mextrain.v1.score_pb2 import Score
from rich import box
from rich.table import Table
from rich.text import Text

_BAR_WIDTH = 24


def score_sheet(sheet: Score, names: Sequence[str]) -> Table:
    """Return the sheet as on paper: a line for each round, a column for each player."""
    width = 10 if len(names) <= 5 else 4
    table = Table(
        title="Score sheet",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        show_footer=True,
    )
    table.add_column("hub", footer="all", justify="right", style="cyan")
    for name, standing in zip(names, sheet.standings, strict=True):
        table.add_column(
            name[:width], footer=Text(str(standing.total), "bold"), justify="right", no_wrap=True
        )
    for result in sheet.rounds:
        cells = [
            _points(points, out=seat in result.out) for seat, points in enumerate(result.points)
        ]
        blocked = Text(" blocked", "dim") if result.end == RoundEnd.ROUND_END_BLOCKED else Text()
        table.add_row(f"{result.hub}-{result.hub}", *cells[:-1], cells[-1] + blocked)
    return table


def standings(sheet: Score, names: Sequence[str]) -> Table:
    """Return who came where, the best first, with a bar for the points."""
    table = Table(
        title="Final standings" if sheet.finished else "Standings so far",
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    table.add_column("place", justify="right")
    table.add_column("player")
    table.add_column("points", justify="right")
    table.add_column("won", justify="right")
    table.add_column("", width=_BAR_WIDTH)
    most = max((abs(standing.total) for standing in sheet.standings), default=0) or 1
    for seat in sorted(range(len(names)), key=lambda seat: (sheet.standings[seat].place, seat)):
        standing = sheet.standings[seat]
        winner = seat in sheet.winners
        table.add_row(
            str(standing.place),
            Text(f"{names[seat]} ★" if winner else names[seat], "bold green" if winner else ""),
            str(standing.total),
            str(standing.zero_rounds),
            Text(
                "█" * round(_BAR_WIDTH * abs(standing.total) / most), "green" if winner else "blue"
            ),
        )
    return table


def _points(points: int, *, out: bool) -> Text:
    return Text(str(points), "bold green" if out else "")
