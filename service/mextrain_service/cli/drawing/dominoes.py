"""Tiles as text: a train on one line of any width, a hand as a row of dominoes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import Train
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from mextrain_client import format_tile

_DOMINO_WIDTH = 8
"""Columns of one domino of a hand, the gap after it included."""


_LEAST_WIDTH = 18
"""Columns in which both ends of any train fit: ``18-17 …99… 17-17!``."""


class TrainLine:
    """A train on one line: its tiles as they lie, the middle left out when the line is too short.

    ``12-5 5-5 …9… 3-0 0-7!``: nine tiles are not shown, and the last one is a double to be covered
    if it is followed by ``!`` (by ``~`` if it opens only after the first turns).
    """

    def __init__(self, train: Train) -> None:
        self._tiles = [f"{near}-{far}" for near, far in pairwise(train.pips)]
        self._doubles = [near == far for near, far in pairwise(train.pips)]
        self._suffix = "!" if train.open_double else "~" if train.deferred_double else ""

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Tell rich how narrow and how wide the line can be."""
        return Measurement(_LEAST_WIDTH, max(_LEAST_WIDTH, len(self.text(10_000))))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the line as wide as rich allows."""
        yield self.text(options.max_width)

    def text(self, width: int) -> Text:
        """Return the line in at most this many columns, 18 or more."""
        if not self._tiles:
            return Text("not started", style="dim")
        head, hidden, tail = self._fitting(width)
        parts = [self._tile(index) for index in range(head)]
        if hidden:
            parts.append(Text(f"…{hidden}…", style="dim"))
        parts += [self._tile(index) for index in range(len(self._tiles) - tail, len(self._tiles))]
        return Text(" ").join(parts)

    def _fitting(self, width: int) -> tuple[int, int, int]:
        """Return how many tiles are shown at the hub, left out, and shown at the end."""
        count = len(self._tiles)
        room = width - len(self._suffix)
        if sum(map(len, self._tiles)) + count - 1 <= room:
            return count, 0, 0
        room -= len(self._tiles[0]) + len(f" …{count}…")
        tail = 0
        while tail < count - 1 and room > len(self._tiles[count - 1 - tail]):
            room -= len(self._tiles[count - 1 - tail]) + 1
            tail += 1
        return 1, count - 1 - tail, tail

    def _tile(self, index: int) -> Text:
        last = index == len(self._tiles) - 1
        if last and self._suffix:
            return Text(self._tiles[index] + self._suffix, style="bold black on yellow")
        style = "bold" if self._doubles[index] else ""
        return Text(self._tiles[index], style=style)


class Hand:
    """A hand as dominoes side by side, those that can be played standing out."""

    def __init__(self, tiles: Sequence[Tile], playable: Iterable[Tile] = ()) -> None:
        self._tiles = tiles
        self._playable = frozenset(map(format_tile, playable))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw as many dominoes in a row as there is room for."""
        in_row = max(1, options.max_width // _DOMINO_WIDTH)
        for start in range(0, len(self._tiles), in_row):
            yield self._row(self._tiles[start : start + in_row])

    def _row(self, tiles: Sequence[Tile]) -> Text:
        lines = (Text(), Text(), Text())
        for tile in tiles:
            style = "bold green" if format_tile(tile) in self._playable else "dim"
            for line, drawn in zip(lines, _domino(tile), strict=True):
                line.append(drawn, style=style)
                line.append(" ")
        return Text("\n").join(lines)


def _domino(tile: Tile) -> tuple[str, str, str]:
    return "╭──┬──╮", f"│{tile.high:>2}│{tile.low:>2}│", "╰──┴──╯"
