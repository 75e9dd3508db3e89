"""The same picture of a match from the engine's state and from the reference's table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any

from mextrain_engine import Event, Owed, Phase, RuleSet, State, format_tile, tiles_in
from mextrain_engine.events import HubLaid, HubSought, TileDrawn, TilePlayed
from mextrain_engine.state import Round, RoundResult
from tests.reference.game import Game
from tests.reference.scoring import Result
from tests.reference.table import MEXICAN, Happening, Table, Train
from tests.reference.tiles import Tile, tile_text

Picture = dict[str, Any]
"""Everything that can be compared, by name."""


def options_of(rules: RuleSet) -> Mapping[str, Any]:
    """Return every option of a rule set as words, numbers and truth values."""
    values = {option.name: getattr(rules, option.name) for option in fields(rules)}
    return {name: v.value if isinstance(v, Enum) else v for name, v in values.items()}


def engine_picture(state: State) -> Picture:
    """Return the picture of an engine state."""
    picture: Picture = {
        "phase": state.phase.value,
        "results": [_engine_result(result) for result in state.results],
    }
    if state.phase is Phase.AWAITING_DEAL or state.round is None:
        return picture
    return picture | _engine_round(state.round, state.seats, live=state.phase is Phase.PLAYING)


def reference_picture(game: Game) -> Picture:
    """Return the picture of a match of the reference."""
    picture: Picture = {
        "phase": game.phase,
        "results": [_reference_result(result) for result in game.results],
    }
    if game.phase == "awaiting_deal" or game.table is None:
        return picture
    return picture | _reference_round(game.table, game.rules.double_followup_draw)


def engine_events(events: Iterable[Event]) -> list[Happening]:
    """Return events as the reference writes them."""
    return [_engine_event(event) for event in events]


def chain(hub: int, tiles: Iterable[Tile]) -> list[int]:
    """Return a train as the pips along it, the hub's value first."""
    return [hub, *(outer for _, outer in tiles)]


def _engine_round(round_: Round, seats: int, *, live: bool) -> Picture:
    table: Picture = {
        "number": round_.number,
        "hub": round_.hub,
        "starter": round_.starter,
        "hands": [_tiles(tiles_in(hand)) for hand in round_.hands],
        "boneyard": [format_tile(tile) for tile in round_.boneyard],
        "trains": {_train(t): list(round_.trains[t]) for t in (*range(seats), -1)},
        "marked": _seats(round_.markers),
        "out": _seats(round_.out),
    }
    if not live:
        return table
    return table | {
        "open doubles": [_train(train) for train in round_.open_doubles],
        "deferred": [_train(train) for train in round_.deferred],
        "first turns over": _seats(round_.begun),
        "turn": round_.turn,
        "laid": round_.laid,
        "drawn": round_.drawn,
        "owed": round_.owed,
        "called": _seats(round_.called),
        "uncalled": round_.uncalled if round_.uncalled >= 0 else None,
    }


def _reference_round(table: Table, counted: str) -> Picture:
    seats = range(len(table.hands))
    earlier = table.drawn_before if counted == "once_per_turn" else 0
    picture: Picture = {
        "number": table.number,
        "hub": table.hub,
        "starter": table.starter,
        "hands": [_tile_texts(hand) for hand in table.hands],
        "boneyard": [tile_text(tile) for tile in table.boneyard],
        "trains": {train: chain(table.hub, tiles) for train, tiles in table.trains.items()},
        "marked": [seat for seat in seats if table.marked[seat]],
        "out": sorted(table.out),
    }
    if not table.live:
        return picture
    return picture | {
        "open doubles": list(table.open_doubles),
        "deferred": list(table.deferred),
        "first turns over": [seat for seat in seats if table.first_turn_over[seat]],
        "turn": table.turn,
        "laid": table.laid,
        "drawn": table.drawn + earlier,
        "owed": reference_owed(table),
        "called": sorted(table.called),
        "uncalled": table.uncalled,
    }


def reference_owed(table: Table) -> Owed:
    return {
        ("", False): Owed.NOTHING,
        ("anywhere", False): Owed.FOLLOW_ANYWHERE,
        ("cover", False): Owed.COVER,
        ("anywhere", True): Owed.MAY_FOLLOW,
        ("cover", True): Owed.MAY_COVER,
    }[table.follow_up, bool(table.follow_up) and table.follow_up_is_free]


def _engine_result(result: RoundResult) -> Picture:
    return {
        "hub": result.hub,
        "starter": result.starter,
        "end": result.end.value,
        "out": _seats(result.out),
        "points": list(result.points),
    }


def _reference_result(result: Result) -> Picture:
    return {
        "hub": result.hub,
        "starter": result.starter,
        "end": "blocked" if result.blocked else "went_out",
        "out": result.out,
        "points": result.points,
    }


def _engine_event(event: Event) -> Happening:
    values = {fact.name: getattr(event, fact.name) for fact in fields(event)}
    if isinstance(event, HubSought | HubLaid | TilePlayed | TileDrawn):
        values["tile"] = None if event.tile is None else format_tile(event.tile)
    if "train" in values:
        values["train"] = _train(values["train"])
    plain = (v.value if isinstance(v, Enum) else v for v in values.values())
    return (type(event).__name__, *(list(v) if isinstance(v, tuple) else v for v in plain))


def _train(train: int) -> Train:
    return MEXICAN if train < 0 else train


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def _tiles(tiles: Iterable[int]) -> list[str]:
    return sorted(format_tile(tile) for tile in tiles)


def _tile_texts(tiles: Iterable[Tile]) -> list[str]:
    return sorted(tile_text(tile) for tile in tiles)
