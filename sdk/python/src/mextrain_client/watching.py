"""Streams that resume where they ended: nothing is missed or sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.event_pb2 import Event
from mextrain.v1.watch_pb2 import END_REASON_DELETED, WatchEnd

from mextrain_client.errors import MextrainError

Opener = Callable[[Callable[[], Any]], Iterator[Any]]
"""Follows the stream of requests that are made anew each time, as ``following.followed`` does."""


def watch_game(follow: Opener, first: pb.WatchGameRequest) -> Iterator[pb.WatchGameResponse]:
    """Yield the updates of a game, without heartbeats; the last of them is an ``end``.

    A game that was there and is not any more was deleted while the stream was away.

    Args:
        follow: opens the stream, and opens it again when it ends too early.
        first: the game, and from where on; the stream resumes by itself.

    Raises:
        MextrainError: the stream failed for good.
    """
    reached: int | None = None
    try:
        for update in _updates(follow, first):
            match update.WhichOneof("update"):
                case "events":
                    reached = update.events.version
                case "reset":
                    reached = update.reset.game.view.version
            yield update
    except MextrainError as error:
        if reached is None or error.reason != "GAME_NOT_FOUND":
            raise
        yield pb.WatchGameResponse(end=WatchEnd(reason=END_REASON_DELETED, version=reached))


def _updates(follow: Opener, first: pb.WatchGameRequest) -> Iterator[pb.WatchGameResponse]:
    seen = first.after_version if first.HasField("after_version") else None
    request = pb.WatchGameRequest()
    request.CopyFrom(first)

    def resume(cursor: str) -> None:
        request.cursor = cursor
        request.ClearField("after_version")

    for message in follow(lambda: request):
        match message.WhichOneof("update"):
            case "events":
                _require_all(message.events.events, seen)
                seen = message.events.version
                resume(message.events.cursor)
                yield message
            case "reset":
                view = message.reset.game.view
                seen = view.version
                resume(view.cursor)
                yield message
            case "end":
                yield message
                return


def watch_games(follow: Opener, first: pb.WatchGamesRequest) -> Iterator[pb.WatchGamesResponse]:
    """Yield what happens to all games of a platform, without heartbeats, for ever.

    Raises:
        MextrainError: the stream failed for good.
    """
    request = pb.WatchGamesRequest()
    request.CopyFrom(first)
    for message in follow(lambda: request):
        kind = message.WhichOneof("update")
        if kind is None:
            continue
        request.cursor = getattr(message, kind).cursor
        if kind != "heartbeat":
            yield message


def heartbeat(seconds: float | None) -> Duration | None:
    """Return how often the service is to send a heartbeat, for a request; None for its default."""
    if seconds is None:
        return None
    interval = Duration()
    interval.FromNanoseconds(round(seconds * 1e9))
    return interval


def _require_all(events: Iterable[Event], seen: int | None) -> None:
    """Return if nothing is missing between what was seen and these events.

    Raises:
        MextrainError: the service left something out.
    """
    for version, _ in groupby(events, lambda event: event.version):
        if seen is not None and version != seen + 1:
            raise MextrainError("HISTORY_GAP", f"The service sent version {version} after {seen}.")
        seen = version
