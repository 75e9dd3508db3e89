"""What a watcher of a game is told: batches of events, resets, heartbeats, and an end.

Only values that may leave: everything in them was redacted for that watcher.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mextrain_service.application.answers import GameAnswer, TableEvent
from mextrain_service.application.chain import Position


class ResetReason(Enum):
    """Why a watcher gets the whole table instead of what happened."""

    BEGINNING = "beginning"
    HISTORY_GONE = "history_gone"
    HISTORY_CHANGED = "history_changed"
    CURSOR_MISSING = "cursor_missing"


class EndReason(Enum):
    """Why there is nothing more to tell, ever."""

    FINISHED = "finished"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened up to a place.

    Attributes:
        position: where to resume after it.
        events: in order; all of the versions since the message before.
    """

    position: Position
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class Reset:
    """The table as it is: whatever the watcher knew is void.

    Attributes:
        reason: why.
        game: the game, at the place to resume after.
    """

    reason: ResetReason
    game: GameAnswer

    @property
    def position(self) -> Position:
        """Where to resume after it."""
        return self.game.table.position


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign that nothing has happened.

    Attributes:
        position: the place up to which the watcher was told everything.
        server_time_ms: when it was sent, in milliseconds since the epoch.
    """

    position: Position
    server_time_ms: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The last that a watcher hears.

    Attributes:
        position: the last place that the watcher was told.
        reason: why.
    """

    position: Position
    reason: EndReason


Update = Happened | Reset | Heartbeat | Ended
"""One message to a watcher."""
