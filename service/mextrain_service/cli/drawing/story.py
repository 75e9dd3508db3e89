"""Events in words: one short line each, or nothing where the table shows it anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mextrain_engine import MEXICAN, PassCause, RoundEnd, events, format_tile
from mextrain_engine.tiles import other_end
from mextrain_service.client import EntropyAdded, SeatChange, SeatChanged, TableFact

YOU = "You"
"""What the person at the terminal is called; their train is "your train"."""

_PASSED = {
    PassCause.UNABLE: "no play",
    PassCause.DUTY_FAILED: "cannot cover the double",
    PassCause.FOLLOWUP_FAILED: "cannot follow the double",
    PassCause.FOLLOWUP_DECLINED: "double not followed",
    PassCause.OPENING_DONE: "opening train done",
    PassCause.SKIPPED: "turn lost, time is up",
}


_BECAME_OF_SEAT = {
    SeatChange.CLAIMED: "seat taken",
    SeatChange.RESIGNED: "left the match",
    SeatChange.STOOD_IN: "a bot plays on",
    SeatChange.RETURNED: "back at the table",
    SeatChange.REASSIGNED: "somebody else sits here now",
    SeatChange.TIMED_OUT: "time is up",
}


def tell(event: TableFact, names: Sequence[str]) -> str | None:
    """Return what happened in words; None for what needs none.

    Args:
        event: what happened, redacted for whoever reads it.
        names: what each seat is called, by seat.
    """
    return (
        _tell_play(event, names)
        or _tell_double(event, names)
        or _tell_stage(event, names)
        or _tell_seat(event, names)
    )


def tell_all(happened: Iterable[TableFact], names: Sequence[str]) -> Iterator[str]:
    """Yield what happened in words, tiles laid on one train in a row as one line.

    Tiles are written as they lie: the end that was joined first.
    """
    row: list[events.TilePlayed] = []
    for event in happened:
        if row and not _goes_on(row[-1], event):
            yield _tell_row(row, names)
            row = []
        if isinstance(event, events.TilePlayed):
            row.append(event)
        elif line := tell(event, names):
            yield line
    if row:
        yield _tell_row(row, names)


def train_in_words(train: int, names: Sequence[str]) -> str:
    """Return what a train is called.

    >>> train_in_words(MEXICAN, ["Ada"]), train_in_words(0, ["Ada"]), train_in_words(0, ["You"])
    ('the Mexican Train', "Ada's train", 'your train')
    """
    if train == MEXICAN:
        return "the Mexican Train"
    return "your train" if names[train] == YOU else f"{names[train]}'s train"


def _goes_on(last: events.TilePlayed, event: TableFact) -> bool:
    return (
        isinstance(event, events.TilePlayed)
        and event.seat == last.seat
        and event.train == last.train
    )


def _tell_row(row: Sequence[events.TilePlayed], names: Sequence[str]) -> str:
    tiles = " ".join(f"{other_end(event.tile, event.end)}-{event.end}" for event in row)
    return f"{names[row[0].seat]}: {tiles} on {_where(row[0], names)}"


def _where(event: events.TilePlayed, names: Sequence[str]) -> str:
    return "own train" if event.train == event.seat else train_in_words(event.train, names)


def _tell_play(event: TableFact, names: Sequence[str]) -> str | None:
    match event:
        case events.TilePlayed():
            return _tell_row([event], names)
        case events.TileDrawn(seat, tile, penalty):
            why = " for the last tile not announced" if penalty else ""
            return f"{names[seat]}: draw{_shown(tile)}{why}"
        case events.Passed(seat, cause):
            return f"{names[seat]}: pass, {_PASSED[cause]}"
        case events.LastTileCalled(seat):
            return f"{names[seat]}: last tile!"
        case events.LastTileMissed(seat):
            return f"{names[seat]}: last tile not announced"
        case events.WentOut(seat):
            return f"{names[seat]}: out!"
        case _:
            return None


def _tell_double(event: TableFact, names: Sequence[str]) -> str | None:
    match event:
        case events.MarkerPlaced(seat):
            return f"{names[seat]}: marker on"
        case events.MarkerRemoved(seat):
            return f"{names[seat]}: marker off"
        case events.DoubleOpened(train, pip):
            return f"{pip}-{pip} on {train_in_words(train, names)} is to be covered"
        case events.DoubleReleased(train, pip):
            return f"{pip}-{pip} on {train_in_words(train, names)} can never be covered: released"
        case _:
            return None


def _tell_stage(event: TableFact, names: Sequence[str]) -> str | None:
    match event:
        case events.RoundDealt(number, hand_size, boneyard):
            return f"Round {number}: {hand_size} tiles each, {boneyard} in the boneyard"
        case events.HubSought(seat, tile, returned):
            back = ", shown and put back" if returned else ""
            return f"{names[seat]}: draw for the hub{_shown(tile)}{back}"
        case events.DealVoided():
            return "No hand holds the hub: the tiles are dealt again"
        case events.HubLaid(tile, seat):
            by = f", laid by {names[seat]}" if seat is not None else ""
            return f"The hub is {format_tile(tile)}{by}"
        case events.RoundEnded(number, end, _, points):
            why = "blocked" if end is RoundEnd.BLOCKED else "over"
            scored = ", ".join(f"{name} {count}" for name, count in zip(names, points, strict=True))
            return f"Round {number} {why}: {scored}"
        case events.GameEnded(winners):
            return f"The match is over, won by {' and '.join(names[seat] for seat in winners)}"
        case _:
            return None


def _tell_seat(event: TableFact, names: Sequence[str]) -> str | None:
    match event:
        case SeatChanged(seat, change) if change in _BECAME_OF_SEAT:
            return f"{names[seat]}: {_BECAME_OF_SEAT[change]}"
        case EntropyAdded(seat):
            return f"{names[seat]}: added to the chance of the next deal"
        case _:
            return None


def _shown(tile: int | None) -> str:
    return "" if tile is None else f" {format_tile(tile)}"
