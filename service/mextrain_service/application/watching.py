"""What a watcher of a game is told: batches of events, resets, heartbeats, and an end.

Only values that may leave: everything in them was redacted for that watcher.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mextrain_service.application.answers import GameAnswer, TableEvent


class ResetReason(Enum):
    """Why a watcher gets the whole table instead of what happened."""

    BEGINNING = "beginning"
    HISTORY_GONE = "history_gone"
    VERSION_AHEAD = "version_ahead"


class EndReason(Enum):
    """Why there is nothing more to tell, ever."""

    FINISHED = "finished"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened up to a version.

    Attributes:
        version: where to resume after it.
        events: in order; all of the versions since the message before.
    """

    version: int
    events: tuple[TableEvent, ...]


@dataclass(frozen=True, slots=True)
class Reset:
    """The table as it is: whatever the watcher knew is void.

    Attributes:
        reason: why.
        game: the game, at the version to resume after.
    """

    reason: ResetReason
    game: GameAnswer


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A sign that nothing has happened.

    Attributes:
        version: the version up to which the watcher was told everything.
        server_time_ms: when it was sent, in milliseconds since the epoch.
    """

    version: int
    server_time_ms: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The last that a watcher hears.

    Attributes:
        reason: why.
        version: the last version that there was.
    """

    reason: EndReason
    version: int


Update = Happened | Reset | Heartbeat | Ended
"""One message to a watcher."""
