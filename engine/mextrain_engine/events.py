"""What happened: one value per fact, in the order in which the table would see it.

An event may hold a hidden tile; ``redact`` gives what one viewer may know of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from mextrain_engine.tiles import TileId


class PassCause(Enum):
    """Why a turn ended with a pass. All of it can be read off the table, so all of it is public.

    ``UNABLE`` covers a drawn tile that was kept though it fits: which of the two it was is
    the seat's secret. ``SKIPPED`` is the host's doing, for a seat whose time is up.
    """

    UNABLE = "unable"
    DUTY_FAILED = "duty_failed"
    FOLLOWUP_FAILED = "followup_failed"
    FOLLOWUP_DECLINED = "followup_declined"
    OPENING_DONE = "opening_done"
    SKIPPED = "skipped"


class RoundEnd(Enum):
    """Why a round ended."""

    WENT_OUT = "went_out"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A round was dealt: hands of ``hand_size`` tiles each, before any hub left a hand.

    Attributes:
        number: the round, 1-based.
        hand_size: tiles dealt to each seat.
        boneyard: tiles left face down.
    """

    number: int
    hand_size: int
    boneyard: int


@dataclass(frozen=True, slots=True)
class HubSought:
    """No hand held the hub; a seat drew a tile for it. The tile is hidden unless shown to all.

    Attributes:
        seat: who drew.
        tile: what was drawn; None for a viewer who may not know.
        returned: the tile was shown to all and went back under the boneyard.
    """

    seat: int
    tile: TileId | None
    returned: bool = False


@dataclass(frozen=True, slots=True)
class DealVoided:
    """No hand held the hub and the rules ask for a new deal: all tiles go back, deal again."""

    number: int


@dataclass(frozen=True, slots=True)
class HubLaid:
    """The hub lies in the centre.

    Attributes:
        tile: the hub double.
        seat: who laid it from the hand; None when it was set aside before the deal.
    """

    tile: TileId
    seat: int | None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat is to move.

    Attributes:
        seat: whose turn it is.
        first: it is the first turn of this seat in the round.
    """

    seat: int
    first: bool


@dataclass(frozen=True, slots=True)
class TilePlayed:
    """A tile was laid on a train.

    Attributes:
        seat: who laid it.
        tile: the tile.
        train: the seat that owns the train, or ``MEXICAN``.
        end: the value that the train now ends in.
    """

    seat: int
    tile: TileId
    train: int
    end: int


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A seat took a tile from the boneyard.

    Attributes:
        seat: who drew.
        tile: the tile; None for everyone else.
        penalty: it was drawn for a last tile that was not called.
    """

    seat: int
    tile: TileId | None
    penalty: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat ended its turn without a tile.

    Attributes:
        seat: who passed.
        cause: why.
    """

    seat: int
    cause: PassCause


@dataclass(frozen=True, slots=True)
class MarkerPlaced:
    """A marker was put on a seat's own train: it is open to all.

    Attributes:
        seat: the owner.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class MarkerRemoved:
    """The marker was taken off a seat's train.

    Attributes:
        seat: the owner.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class DoubleOpened:
    """A double at the end of a train now waits to be covered.

    Attributes:
        train: where it lies.
        pip: its value.
    """

    train: int
    pip: int


@dataclass(frozen=True, slots=True)
class DoubleCovered:
    """An open double was covered.

    Attributes:
        train: where it lies.
        pip: its value.
    """

    train: int
    pip: int


@dataclass(frozen=True, slots=True)
class DoubleReleased:
    """An open double binds nobody any more: every tile of its value is on the table.

    Attributes:
        train: where it lies.
        pip: its value.
    """

    train: int
    pip: int


@dataclass(frozen=True, slots=True)
class LastTileCalled:
    """A seat announced that it holds one tile.

    Attributes:
        seat: who called.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class LastTileMissed:
    """A seat held one tile, did not call it, and the next seat has moved.

    Attributes:
        seat: who did not call.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class WentOut:
    """A seat has laid its last tile.

    Attributes:
        seat: who is out.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over and scored.

    Attributes:
        number: the round, 1-based.
        end: why it is over.
        out: the seats that went out, ascending; empty when blocked.
        points: points of this round, by seat.
    """

    number: int
    end: RoundEnd
    out: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over.

    Attributes:
        winners: the winning seats, ascending; several when they share the first place.
        totals: total points, by seat.
        places: 1 is the best; equal seats share the better number (1, 1, 3), by seat.
    """

    winners: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]


Event = (
    RoundDealt
    | HubSought
    | DealVoided
    | HubLaid
    | TurnStarted
    | TilePlayed
    | TileDrawn
    | Passed
    | MarkerPlaced
    | MarkerRemoved
    | DoubleOpened
    | DoubleCovered
    | DoubleReleased
    | LastTileCalled
    | LastTileMissed
    | WentOut
    | RoundEnded
    | GameEnded
)
"""Anything that can happen."""


def redact(event: Event, seat: int | None) -> Event:
    """Return what a viewer may know of an event: another seat's drawn tile is None.

    >>> redact(TileDrawn(seat=1, tile=TileId(7)), 0)
    TileDrawn(seat=1, tile=None, penalty=False)
    >>> redact(TileDrawn(seat=1, tile=TileId(7)), 1).tile
    7

    Args:
        seat: the viewer's seat; None for a spectator.
    """
    match event:
        case TileDrawn(seat=owner) if owner != seat:
            return replace(event, tile=None)
        case HubSought(seat=owner, returned=False) if owner != seat:
            return replace(event, tile=None)
        case _:
            return event
