"""Events in words: one short line each, or nothing where the table shows it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mextrain.v1.event_pb2 import Event, PassCause, RoundEnded, SeatChange, TilePlayed
from mextrain.v1.round_pb2 import RoundEnd
from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import TrainReference

from mextrain_client import format_tile

YOU = "You"
"""What the person at the terminal is called; their train is "your train"."""

_PASSED = {
    PassCause.PASS_CAUSE_UNABLE: "no play",
    PassCause.PASS_CAUSE_DUTY_FAILED: "cannot cover the double",
    PassCause.PASS_CAUSE_FOLLOWUP_FAILED: "cannot follow the double",
    PassCause.PASS_CAUSE_FOLLOWUP_DECLINED: "double not followed",
    PassCause.PASS_CAUSE_OPENING_DONE: "opening train done",
    PassCause.PASS_CAUSE_SKIPPED: "turn lost, time is up",
}


_BECAME_OF_SEAT = {
    SeatChange.SEAT_CHANGE_CLAIMED: "seat taken",
    SeatChange.SEAT_CHANGE_RESIGNED: "left the match",
    SeatChange.SEAT_CHANGE_STOOD_IN: "a bot plays on",
    SeatChange.SEAT_CHANGE_RETURNED: "back at the table",
    SeatChange.SEAT_CHANGE_REASSIGNED: "somebody else sits here now",
    SeatChange.SEAT_CHANGE_TIMED_OUT: "time is up",
}


def tell(event: Event, names: Sequence[str]) -> str | None:
    """Return what happened in words; None for what needs none.

    Args:
        event: what happened, redacted for its reader.
        names: what each seat is called, by seat.
    """
    return (
        _tell_play(event, names)
        or _tell_double(event, names)
        or _tell_stage(event, names)
        or _tell_seat(event, names)
    )


def tell_all(happened: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """Yield what happened in words, tiles laid on one train in a row as one line.

    Tiles are written as they lie: the end that was joined first.
    """
    row: list[TilePlayed] = []
    for event in happened:
        if row and not _goes_on(row[-1], event.tile_played):
            yield _tell_row(row, names)
            row = []
        if event.HasField("tile_played"):
            row.append(event.tile_played)
        elif line := tell(event, names):
            yield line
    if row:
        yield _tell_row(row, names)


def train_in_words(train: TrainReference, names: Sequence[str]) -> str:
    """Return what a train is called.

    >>> mexican, first = TrainReference(mexican=True), TrainReference(seat=0)
    >>> [train_in_words(*each) for each in ((mexican, []), (first, ["Ada"]), (first, ["You"]))]
    ['the Mexican Train', "Ada's train", 'your train']
    """
    if train.HasField("mexican"):
        return "the Mexican Train"
    return "your train" if names[train.seat] == YOU else f"{names[train.seat]}'s train"


def _goes_on(last: TilePlayed, laid: TilePlayed) -> bool:
    """Tell whether a tile was laid by the same seat on the same train; an unset one was not."""
    return laid.HasField("tile") and laid.seat == last.seat and laid.train == last.train


def _tell_row(row: Sequence[TilePlayed], names: Sequence[str]) -> str:
    tiles = " ".join(_as_it_lies(laid) for laid in row)
    return f"{names[row[0].seat]}: {tiles} on {_where(row[0], names)}"


def _as_it_lies(laid: TilePlayed) -> str:
    return f"{laid.tile.high + laid.tile.low - laid.end}-{laid.end}"


def _where(laid: TilePlayed, names: Sequence[str]) -> str:
    own = TrainReference(seat=laid.seat)
    return "own train" if laid.train == own else train_in_words(laid.train, names)


def _tell_play(event: Event, names: Sequence[str]) -> str | None:
    match event.WhichOneof("fact"):
        case "tile_played":
            return _tell_row([event.tile_played], names)
        case "tile_drawn":
            drawn = event.tile_drawn
            why = " for the last tile not announced" if drawn.penalty else ""
            shown = _shown(drawn.tile) if drawn.HasField("tile") else ""
            return f"{names[drawn.seat]}: draw{shown}{why}"
        case "turn_passed":
            passed = event.turn_passed
            return f"{names[passed.seat]}: pass, {_PASSED.get(passed.cause, 'turn over')}"
        case "last_tile_called":
            return f"{names[event.last_tile_called.seat]}: last tile!"
        case "last_tile_missed":
            return f"{names[event.last_tile_missed.seat]}: last tile not announced"
        case "went_out":
            return f"{names[event.went_out.seat]}: out!"
        case _:
            return None


def _tell_double(event: Event, names: Sequence[str]) -> str | None:
    match event.WhichOneof("fact"):
        case "marker_placed":
            return f"{names[event.marker_placed.seat]}: marker on"
        case "marker_removed":
            return f"{names[event.marker_removed.seat]}: marker off"
        case "double_opened":
            pip, train = event.double_opened.pip, event.double_opened.train
            return f"{pip}-{pip} on {train_in_words(train, names)} is to be covered"
        case "double_released":
            pip, train = event.double_released.pip, event.double_released.train
            return f"{pip}-{pip} on {train_in_words(train, names)} can never be covered: released"
        case _:
            return None


def _tell_stage(event: Event, names: Sequence[str]) -> str | None:
    match event.WhichOneof("fact"):
        case "round_dealt":
            dealt = event.round_dealt
            boneyard = f"{dealt.boneyard_count} in the boneyard"
            return f"Round {dealt.number}: {dealt.hand_size} tiles each, {boneyard}"
        case "hub_sought":
            sought = event.hub_sought
            shown = _shown(sought.tile) if sought.HasField("tile") else ""
            back = ", shown and put back" if sought.returned else ""
            return f"{names[sought.seat]}: draw for the hub{shown}{back}"
        case "deal_voided":
            return "No hand holds the hub: the tiles are dealt again"
        case "hub_laid":
            hub = event.hub_laid
            by = f", laid by {names[hub.seat]}" if hub.HasField("seat") else ""
            return f"The hub is {format_tile(hub.tile)}{by}"
        case "round_ended":
            return _tell_end(event.round_ended, names)
        case "game_ended":
            winners = " and ".join(names[seat] for seat in event.game_ended.winners)
            return f"The match is over, won by {winners}"
        case _:
            return None


def _tell_end(ended: RoundEnded, names: Sequence[str]) -> str:
    why = "blocked" if ended.end == RoundEnd.ROUND_END_BLOCKED else "over"
    scored = ", ".join(f"{name} {count}" for name, count in zip(names, ended.points, strict=True))
    return f"Round {ended.number} {why}: {scored}"


def _tell_seat(event: Event, names: Sequence[str]) -> str | None:
    match event.WhichOneof("fact"):
        case "seat_changed" if event.seat_changed.change in _BECAME_OF_SEAT:
            return f"{names[event.seat_changed.seat]}: {_BECAME_OF_SEAT[event.seat_changed.change]}"
        case "entropy_added":
            return f"{names[event.entropy_added.seat]}: added to the chance of the next deal"
        case _:
            return None


def _shown(tile: Tile) -> str:
    return f" {format_tile(tile)}"
