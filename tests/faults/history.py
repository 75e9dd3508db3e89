"""What clients of a run saw: acknowledgements, reads, streams, and the record at the end.

Plain values; knows nothing of how they came about, and nothing of what is right.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

ABSENT = -1
"""The version of a game that is not there."""


class Fact(NamedTuple):
    """One event, reduced to what everyone may know of it.

    Attributes:
        version: of the game after it.
        kind: the name of the event, like ``tile_played``.
        text: the rest of it, the same for every viewer.
        tile: the tile that it lays; empty for other kinds.
        seat: whose it is; -1 where it is nobody's.
    """

    version: int
    kind: str
    text: str = ""
    tile: str = ""
    seat: int = -1


Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """A write that was answered with OK.

    Attributes:
        game: the game's name.
        request_id: under which it was asked.
        asked: what was asked, like ``0 12-5@2`` or ``deal``.
        worker: who answered.
        sent_s: when it was first sent, in seconds of the monotonic clock.
        answered_s: when this answer came.
        version: of the game after it, by the answer.
        facts: what happened, by the answer.
        may_do_nothing: what was asked for may be so already, and is then answered with OK.
    """

    game: str
    request_id: str
    asked: str
    worker: int
    sent_s: float
    answered_s: float
    version: int
    facts: Facts = ()
    may_do_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A read through another worker, right after an acknowledgement.

    Attributes:
        after: the acknowledgement.
        worker: who was asked.
        version: of the game, by the answer; ABSENT if it was not found.
        facts: what happened after the version before the acknowledged ones; None if not asked.
    """

    after: Acknowledgement
    worker: int
    version: int
    facts: Facts | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """A view as a viewer was shown it, without what differs from second to second.

    Attributes:
        game: the game's name.
        viewer: a seat, or ``public``.
        version: of the view.
        digest: of all that it shows.
        seen_s: when it came.
    """

    game: str
    viewer: str
    version: int
    digest: str
    seen_s: float


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a stream.

    Attributes:
        kind: ``events``, ``reset``, ``heartbeat`` or ``end``.
        version: that it names.
        heard_s: when it came.
        facts: what it tells.
        reason: of a reset or an end, without the prefix of its enum.
        digest: of the view of a reset, as ``Sight`` has it.
    """

    kind: str
    version: int
    heard_s: float
    facts: Facts = ()
    reason: str = ""
    digest: str = ""


@dataclass(slots=True)
class Stream:
    """What one watcher was told, over all streams that it resumed.

    Attributes:
        game: the game's name.
        viewer: a seat, or ``public``.
        messages: in the order in which they came.
        silence_s: the longest time without a message.
        left: the viewer may no longer watch, so that the rest is not missing.
    """

    game: str
    viewer: str
    messages: list[Message] = field(default_factory=list)
    silence_s: float = 0.0
    left: bool = False


@dataclass(frozen=True, slots=True)
class Final:
    """What a worker says of a game at the end.

    Attributes:
        game: the game's name.
        worker: who was asked.
        version: of the game; ABSENT if there is none.
        facts: the whole history.
        entries: the deals and moves of its record, as ``asked`` in acknowledgements has them.
        problem: why the game cannot be read; empty if it can.
    """

    game: str
    worker: int
    version: int
    facts: Facts = ()
    entries: tuple[str, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class History:
    """All that was seen in a run.

    Attributes:
        acknowledgements: of writes, in the order in which they came.
        reads: right after some of them.
        sights: views that were shown.
        streams: one for each watcher.
        finals: for each game one of each worker.
        asked: how many requests asked for this of a game: the game and what was asked.
        errors: attempts that failed, by reason.
        damaged: what was found wrong with games by then, and while they were played: the game and
            what.
        windows: times from and to which a write may be acknowledged and yet be lost, because the
            configuration promises no more; in seconds of the monotonic clock.
        returns: when the store was back with less than it had, or may have been.
        resumed_s: how long after each fault ended the next write was acknowledged.
    """

    acknowledgements: list[Acknowledgement] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    streams: list[Stream] = field(default_factory=list)
    finals: list[Final] = field(default_factory=list)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    damaged: list[tuple[str, str]] = field(default_factory=list)
    windows: list[tuple[float, float]] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    resumed_s: list[float] = field(default_factory=list)
