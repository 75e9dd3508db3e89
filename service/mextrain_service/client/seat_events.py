"""What happens to a seat beside the game, as the client tells it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mextrain_engine import Event


class SeatChange(Enum):
    """What became of a seat."""

    CLAIMED = "claimed"
    TOKEN_ROTATED = "token_rotated"  # noqa: S105 - a kind of change, no password
    RESIGNED = "resigned"
    STOOD_IN = "stood_in"
    RETURNED = "returned"
    REASSIGNED = "reassigned"
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """Something became of a seat.

    Attributes:
        seat: which seat, 0-based.
        change: what became of it.
    """

    seat: int
    change: SeatChange


@dataclass(frozen=True, slots=True)
class EntropyAdded:
    """A seat added to the chance of the next deal.

    Attributes:
        seat: which seat, 0-based.
    """

    seat: int


TableFact = Event | SeatChanged | EntropyAdded
"""Anything that can happen at a table: in the game, or to a seat."""
