"""The table as everyone sees it: hub, boneyard, and a line for each seat and the Mexican Train."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain.v1.round_pb2 import Round
from mextrain.v1.train_pb2 import Train
from rich import box
from rich.table import Table
from rich.text import Text

from mextrain_service.cli.drawing.dominoes import TrainLine

NAME_WIDTH = 10
"""Columns for a player's name."""


def draw_table(round_: Round, names: Sequence[str], totals: Sequence[int], *, title: str) -> Table:
    """Return the table, for rich.

    Args:
        round_: the round, live or over.
        names: what each seat is called, by seat.
        totals: points of the rounds that are over, by seat.
        title: what to write above it.
    """
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption=_caption(round_),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        expand=True,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column(" ", width=1)
    table.add_column("seat", justify="right", style="dim")
    table.add_column("player", max_width=NAME_WIDTH, no_wrap=True, overflow="ellipsis")
    table.add_column("tiles", justify="right")
    table.add_column("points", justify="right")
    table.add_column(" ", width=1)
    table.add_column("end", justify="right", style="bold cyan")
    table.add_column("train", ratio=1, no_wrap=True, overflow="ellipsis")
    for seat, name in enumerate(names):
        _add_seat(table, round_, seat, name, totals[seat])
    mexican = round_.trains[len(names)]
    table.add_row("", "M", Text("Mexican", "magenta"), "", "", "", *_train(mexican))
    return table


def _add_seat(table: Table, round_: Round, seat: int, name: str, total: int) -> None:
    train, count = round_.trains[seat], round_.hand_counts[seat]
    turn = round_.HasField("turn") and round_.turn == seat
    table.add_row(
        Text("▶" if turn else "", "bold green"),
        str(seat),
        Text(name, "bold green" if turn else ""),
        Text(str(count), "bold red" if count <= 1 else ""),
        str(total),
        Text("●" if train.marked else "", "bold red"),
        *_train(train),
    )


def _train(train: Train) -> tuple[str, TrainLine]:
    return str(train.pips[-1]), TrainLine(train)


def _caption(round_: Round) -> Text:
    hub = Text.assemble("hub ", (f"{round_.hub}-{round_.hub}", "bold cyan"))
    parts = [hub, Text(f"boneyard {round_.boneyard_count}")]
    if any(train.marked for train in round_.trains):
        parts.append(Text.assemble(("●", "bold red"), " marked, open to all"))
    if any(train.open_double for train in round_.trains):
        parts.append(Text("! double to cover"))
    if any(train.deferred_double for train in round_.trains):
        parts.append(Text("~ to cover after the first turns"))
    return Text(" · ", style="not italic").join(parts)
