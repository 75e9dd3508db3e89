"""What a client hears from a stream, and how it is read from the messages of the contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from mextrain.v1 import event_pb2, feed_pb2, watch_pb2

from mextrain_service.client.answers import Game
from mextrain_service.client.event_from_proto import read_events
from mextrain_service.client.from_proto import read_game
from mextrain_service.client.seat_events import TableFact


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened up to a version.

    Attributes:
        version: the version of the game after it.
        events: what happened, in order.
        cursor: what to resume after; empty if the service told it together with what follows.
    """

    version: int
    events: tuple[TableFact, ...]
    cursor: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Reset:
    """The table as it is; whatever was known of it is void.

    Attributes:
        reason: ``BEGINNING``, ``HISTORY_GONE``, ``HISTORY_CHANGED`` or ``CURSOR_MISSING``.
        game: the game; resume after the cursor of its table.
    """

    reason: str
    game: Game


@dataclass(frozen=True, slots=True)
class Ended:
    """There is nothing more to hear, ever.

    Attributes:
        reason: ``FINISHED`` or ``DELETED``.
        version: the last version that there was.
    """

    reason: str
    version: int


Update = Happened | Reset | Ended
"""What a watcher of a game hears."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened to one of a platform's games; the same may come more than once.

    Attributes:
        kind: ``CREATED``, ``DEALT``, ``ROUND_OVER``, ``GAME_OVER``, ``SEAT_CHANGED``,
            ``DEADLINE_PASSED`` or ``DELETED``.
        game_id: the game.
        version: the version of the game after it.
        round: the number of the round that was dealt or is over, 1-based; None for others.
        seat: the seat that changed or whose time was up, 0-based; None for others.
    """

    kind: str
    game_id: str
    version: int
    round: int | None
    seat: int | None


@dataclass(frozen=True, slots=True)
class NewsBatch:
    """News up to a cursor.

    Attributes:
        news: what happened.
        cursor: what to go on with later.
        lost: news before it was lost: list the games.
    """

    news: tuple[News, ...]
    cursor: str
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """A game as its record.

    Attributes:
        record: the text, as ``mextrain_engine.parse_record`` reads it.
        version: the version that it is of.
        redacted: something is left out that is hidden as yet, so that it does not replay.
    """

    record: str
    version: int
    redacted: bool


def event_batch(events: Sequence[event_pb2.Event], cursor: str) -> watch_pb2.EventBatch:
    """Return listed events as a watcher hears them."""
    version = events[-1].version if events else 0
    return watch_pb2.EventBatch(version=version, events=events, cursor=cursor)


def read_happened(batch: watch_pb2.EventBatch) -> Iterator[Happened]:
    """Yield events by version; the last has the cursor of all of them."""
    by_version = [
        (version, tuple(read_events(group)))
        for version, group in groupby(batch.events, key=lambda event: event.version)
    ]
    for version, events in by_version:
        last = version == by_version[-1][0]
        yield Happened(version, events, batch.cursor if last else "")


def read_reset(reset: watch_pb2.WatchReset) -> Reset:
    """Return a reset."""
    reason = watch_pb2.ResetReason.Name(reset.reason).removeprefix("RESET_REASON_")
    return Reset(reason, read_game(reset.game))


def read_end(end: watch_pb2.WatchEnd) -> Ended:
    """Return an end."""
    return Ended(watch_pb2.EndReason.Name(end.reason).removeprefix("END_REASON_"), end.version)


def read_news(batch: feed_pb2.NewsBatch) -> NewsBatch:
    """Return news."""
    return NewsBatch(tuple(map(_read_one, batch.news)), batch.cursor)


def _read_one(news: feed_pb2.GameNews) -> News:
    return News(
        kind=feed_pb2.NewsKind.Name(news.kind).removeprefix("NEWS_KIND_"),
        game_id=news.game_id,
        version=news.version,
        round=news.round if news.HasField("round") else None,
        seat=news.seat if news.HasField("seat") else None,
    )
