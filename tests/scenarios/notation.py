"""What happened, as lines of text that a table can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from google.protobuf.message import Message
from mextrain.v1 import event_pb2

from mextrain_client import format_tile as tile_of
from mextrain_client import format_train as train_of
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


def line_of_message(event: event_pb2.Event) -> str:
    """Return an event of the contract as ``line`` returns the engine's."""
    fact = event.WhichOneof("fact")
    assert fact is not None
    return _LINES[fact](getattr(event, fact))


_LINES: dict[str, Callable[[Any], str]] = {
    "round_dealt": lambda it: (
        f"dealt {it.number} hands {it.hand_size} boneyard {it.boneyard_count}"
    ),
    "hub_sought": lambda it: f"{'returned' if it.returned else 'sought'} {_known(it)} by {it.seat}",
    "deal_voided": lambda it: f"voided {it.number}",
    "hub_laid": lambda it: (
        f"hub {tile_of(it.tile)}" + (f" by {it.seat}" if it.HasField("seat") else "")
    ),
    "turn_started": lambda it: f"turn {it.seat}" + (" first" if it.first else ""),
    "tile_played": lambda it: f"played {tile_of(it.tile)}@{train_of(it.train)} by {it.seat}",
    "tile_drawn": lambda it: f"{'fined' if it.penalty else 'drew'} {_known(it)} by {it.seat}",
    "turn_passed": lambda it: f"passed {it.seat} {word(it, 'cause')}",
    "marker_placed": lambda it: f"marked {it.seat}",
    "marker_removed": lambda it: f"unmarked {it.seat}",
    "double_opened": lambda it: f"opened {train_of(it.train)} {it.pip}",
    "double_covered": lambda it: f"covered {train_of(it.train)} {it.pip}",
    "double_released": lambda it: f"released {train_of(it.train)} {it.pip}",
    "last_tile_called": lambda it: f"called {it.seat}",
    "last_tile_missed": lambda it: f"missed {it.seat}",
    "went_out": lambda it: f"out {it.seat}",
    "round_ended": lambda it: f"ended {it.number} {word(it, 'end')}",
    "game_ended": lambda it: f"won {' '.join(map(str, it.winners))}",
}


def _known(message: event_pb2.HubSought | event_pb2.TileDrawn) -> str:
    return tile_of(message.tile) if message.HasField("tile") else "hidden"


def word(message: Message, field: str) -> str:
    """Return the value of an enum field without its prefix, in lower case."""
    enum = message.DESCRIPTOR.fields_by_name[field].enum_type
    assert enum is not None
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    return enum.values_by_number[getattr(message, field)].name.removeprefix(prefix).lower()
