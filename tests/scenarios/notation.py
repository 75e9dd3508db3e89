"""What happened, as lines of text that a table can name."""

from __future__ import annotations

from typing import assert_never

from mextrain_engine import Event, format_tile, format_train
from mextrain_engine import events as ev


def line(event: Event) -> str:  # noqa: C901, PLR0912 - one arm for each kind of event
    """Return an event as a line: ``played 6-5@0 by 0``, ``marked 1``, ``opened M 5``."""
    match event:
        case ev.RoundDealt(number, hand_size, boneyard):
            return f"dealt {number} hands {hand_size} boneyard {boneyard}"
        case ev.HubSought(seat, tile, returned):
            return f"{'returned' if returned else 'sought'} {_tile(tile)} by {seat}"
        case ev.DealVoided(number):
            return f"voided {number}"
        case ev.HubLaid(tile, None):
            return f"hub {_tile(tile)}"
        case ev.HubLaid(tile, seat):
            return f"hub {_tile(tile)} by {seat}"
        case ev.TurnStarted(seat, first):
            return f"turn {seat} first" if first else f"turn {seat}"
        case ev.TilePlayed(seat, tile, train, _):
            return f"played {_tile(tile)}@{format_train(train)} by {seat}"
        case ev.TileDrawn(seat, tile, penalty):
            return f"{'fined' if penalty else 'drew'} {_tile(tile)} by {seat}"
        case ev.Passed(seat, cause):
            return f"passed {seat} {cause.value}"
        case ev.MarkerPlaced(seat):
            return f"marked {seat}"
        case ev.MarkerRemoved(seat):
            return f"unmarked {seat}"
        case ev.DoubleOpened(train, pip):
            return f"opened {format_train(train)} {pip}"
        case ev.DoubleCovered(train, pip):
            return f"covered {format_train(train)} {pip}"
        case ev.DoubleReleased(train, pip):
            return f"released {format_train(train)} {pip}"
        case ev.LastTileCalled(seat):
            return f"called {seat}"
        case ev.LastTileMissed(seat):
            return f"missed {seat}"
        case ev.WentOut(seat):
            return f"out {seat}"
        case ev.RoundEnded(number, end, _, _):
            return f"ended {number} {end.value}"
        case ev.GameEnded(winners, _, _):
            return f"won {' '.join(map(str, winners))}"
        case _:
            assert_never(event)


def _tile(tile: int | None) -> str:
    return "hidden" if tile is None else format_tile(tile)
