"""Reads the events of the contract into the engine's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mextrain.v1 import event_pb2, round_pb2, tile_pb2, train_pb2

from mextrain_engine import MEXICAN, Event, PassCause, RoundEnd, TileId, events, tile
from mextrain_service.client.seat_events import EntropyAdded, SeatChange, SeatChanged, TableFact

_SEAT_CHANGES = {
    event_pb2.SeatChange.Value(f"SEAT_CHANGE_{change.name}"): change for change in SeatChange
}


def read_events(messages: Iterable[event_pb2.Event]) -> Iterator[TableFact]:
    """Yield the facts in order."""
    for message in messages:
        event = (
            _read_play(message)
            or _read_double(message)
            or _read_stage(message)
            or _read_seat(message)
        )
        if event is not None:
            yield event


def read_tile(message: tile_pb2.Tile) -> TileId:
    """Return a tile."""
    return tile(message.high, message.low)


def read_train(message: train_pb2.TrainReference) -> int:
    """Return a train: a seat or ``MEXICAN``."""
    return MEXICAN if message.WhichOneof("train") == "mexican" else message.seat


def _read_play(message: event_pb2.Event) -> Event | None:
    """Return what a seat did, if it is that."""
    match message.WhichOneof("fact"):
        case "turn_started":
            return events.TurnStarted(message.turn_started.seat, message.turn_started.first)
        case "tile_played":
            laid = message.tile_played
            return events.TilePlayed(
                laid.seat, read_tile(laid.tile), read_train(laid.train), laid.end
            )
        case "tile_drawn":
            drawn = message.tile_drawn
            return events.TileDrawn(drawn.seat, _tile_shown(drawn), drawn.penalty)
        case "turn_passed":
            cause = event_pb2.PassCause.Name(message.turn_passed.cause)
            return events.Passed(
                message.turn_passed.seat, PassCause[cause.removeprefix("PASS_CAUSE_")]
            )
        case "last_tile_called":
            return events.LastTileCalled(message.last_tile_called.seat)
        case "last_tile_missed":
            return events.LastTileMissed(message.last_tile_missed.seat)
        case "went_out":
            return events.WentOut(message.went_out.seat)
        case _:
            return None


def _read_double(message: event_pb2.Event) -> Event | None:
    """Return what became of a marker or of a double, if it is that."""
    match message.WhichOneof("fact"):
        case "marker_placed":
            return events.MarkerPlaced(message.marker_placed.seat)
        case "marker_removed":
            return events.MarkerRemoved(message.marker_removed.seat)
        case "double_opened":
            opened = message.double_opened
            return events.DoubleOpened(read_train(opened.train), opened.pip)
        case "double_covered":
            covered = message.double_covered
            return events.DoubleCovered(read_train(covered.train), covered.pip)
        case "double_released":
            released = message.double_released
            return events.DoubleReleased(read_train(released.train), released.pip)
        case _:
            return None


def _read_stage(message: event_pb2.Event) -> Event | None:
    """Return what happened to the round or the match, if it is that."""
    match message.WhichOneof("fact"):
        case "round_dealt":
            dealt = message.round_dealt
            return events.RoundDealt(dealt.number, dealt.hand_size, dealt.boneyard_count)
        case "hub_sought":
            sought = message.hub_sought
            return events.HubSought(sought.seat, _tile_shown(sought), sought.returned)
        case "deal_voided":
            return events.DealVoided(message.deal_voided.number)
        case "hub_laid":
            laid = message.hub_laid
            return events.HubLaid(
                read_tile(laid.tile), laid.seat if laid.HasField("seat") else None
            )
        case "round_ended":
            ended = message.round_ended
            end = round_pb2.RoundEnd.Name(ended.end).removeprefix("ROUND_END_")
            return events.RoundEnded(
                ended.number, RoundEnd[end], tuple(ended.out), tuple(ended.points)
            )
        case "game_ended":
            ended_game = message.game_ended
            return events.GameEnded(
                tuple(ended_game.winners), tuple(ended_game.totals), tuple(ended_game.places)
            )
        case _:
            return None


def _read_seat(message: event_pb2.Event) -> TableFact | None:
    """Return what became of a seat beside the game, if it is that."""
    match message.WhichOneof("fact"):
        case "seat_changed":
            changed = message.seat_changed
            change = _SEAT_CHANGES.get(changed.change)
            return None if change is None else SeatChanged(changed.seat, change)
        case "entropy_added":
            return EntropyAdded(message.entropy_added.seat)
        case _:
            return None


def _tile_shown(message: event_pb2.TileDrawn | event_pb2.HubSought) -> TileId | None:
    return read_tile(message.tile) if message.HasField("tile") else None
