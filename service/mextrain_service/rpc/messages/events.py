"""What happened, as messages. Takes events that were redacted for their reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mextrain.v1 import event_pb2 as pb
from mextrain.v1.tile_pb2 import Tile

from mextrain_engine import events as ev
from mextrain_service.application.answers import TableEvent, TableFact
from mextrain_service.application.model import EntropyAdded, SeatChange, SeatChanged
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.tiles import tile_message, train_message
from mextrain_service.rpc.messages.views import ROUND_ENDS

PASS_CAUSES = EnumPair(ev.PassCause, pb.PassCause.DESCRIPTOR)
SEAT_CHANGES = EnumPair(SeatChange, pb.SeatChange.DESCRIPTOR)


def event_messages(events: Iterable[TableEvent]) -> list[pb.Event]:
    """Return events in the order given."""
    messages = []
    for each in events:
        field, fact = FACTS[type(each.event)]
        messages.append(pb.Event(version=each.version, **{field: fact(each.event)}))
    return messages


def _round_dealt(event: ev.RoundDealt) -> pb.RoundDealt:
    return pb.RoundDealt(
        number=event.number, hand_size=event.hand_size, boneyard_count=event.boneyard
    )


def _hub_sought(event: ev.HubSought) -> pb.HubSought:
    return pb.HubSought(seat=event.seat, tile=_known(event.tile), returned=event.returned)


def _hub_laid(event: ev.HubLaid) -> pb.HubLaid:
    return pb.HubLaid(tile=tile_message(event.tile), seat=event.seat)


def _tile_played(event: ev.TilePlayed) -> pb.TilePlayed:
    return pb.TilePlayed(
        seat=event.seat,
        tile=tile_message(event.tile),
        train=train_message(event.train),
        end=event.end,
    )


def _tile_drawn(event: ev.TileDrawn) -> pb.TileDrawn:
    return pb.TileDrawn(seat=event.seat, tile=_known(event.tile), penalty=event.penalty)


def _round_ended(event: ev.RoundEnded) -> pb.RoundEnded:
    return pb.RoundEnded(
        number=event.number,
        end=ROUND_ENDS.wire[event.end],
        out=event.out,
        points=event.points,
    )


def _game_ended(event: ev.GameEnded) -> pb.GameEnded:
    return pb.GameEnded(winners=event.winners, totals=event.totals, places=event.places)


def _known(tile: int | None) -> Tile | None:
    return None if tile is None else tile_message(tile)


FACTS: Mapping[type[TableFact], tuple[str, Callable[[Any], Any]]] = {
    ev.RoundDealt: ("round_dealt", _round_dealt),
    ev.HubSought: ("hub_sought", _hub_sought),
    ev.DealVoided: ("deal_voided", lambda event: pb.DealVoided(number=event.number)),
    ev.HubLaid: ("hub_laid", _hub_laid),
    ev.TurnStarted: (
        "turn_started",
        lambda event: pb.TurnStarted(seat=event.seat, first=event.first),
    ),
    ev.TilePlayed: ("tile_played", _tile_played),
    ev.TileDrawn: ("tile_drawn", _tile_drawn),
    ev.Passed: (
        "turn_passed",
        lambda event: pb.TurnPassed(seat=event.seat, cause=PASS_CAUSES.wire[event.cause]),
    ),
    ev.MarkerPlaced: ("marker_placed", lambda event: pb.MarkerPlaced(seat=event.seat)),
    ev.MarkerRemoved: ("marker_removed", lambda event: pb.MarkerRemoved(seat=event.seat)),
    ev.DoubleOpened: (
        "double_opened",
        lambda event: pb.DoubleOpened(train=train_message(event.train), pip=event.pip),
    ),
    ev.DoubleCovered: (
        "double_covered",
        lambda event: pb.DoubleCovered(train=train_message(event.train), pip=event.pip),
    ),
    ev.DoubleReleased: (
        "double_released",
        lambda event: pb.DoubleReleased(train=train_message(event.train), pip=event.pip),
    ),
    ev.LastTileCalled: ("last_tile_called", lambda event: pb.LastTileCalled(seat=event.seat)),
    ev.LastTileMissed: ("last_tile_missed", lambda event: pb.LastTileMissed(seat=event.seat)),
    ev.WentOut: ("went_out", lambda event: pb.WentOut(seat=event.seat)),
    ev.RoundEnded: ("round_ended", _round_ended),
    ev.GameEnded: ("game_ended", _game_ended),
    SeatChanged: (
        "seat_changed",
        lambda event: pb.SeatChanged(seat=event.seat, change=SEAT_CHANGES.wire[event.change]),
    ),
    EntropyAdded: ("entropy_added", lambda event: pb.EntropyAdded(seat=event.seat)),
}
"""For each kind of event: the field of the message it goes into, and how. A test holds it whole."""
