"""The reading side of the client: streams that resume, and histories of more than a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.client.errors import MextrainError
from mextrain_service.client.updates import (
    Ended,
    Happened,
    NewsBatch,
    Reset,
    Update,
    event_batch,
    read_end,
    read_happened,
    read_news,
    read_reset,
)

Opener = Callable[[Callable[[], Any]], Iterator[Any]]
"""Follows the stream of requests that are made anew each time, as ``following.followed`` does."""


def watch_game(
    follow: Opener, first: pb.WatchGameRequest, heartbeat_s: float | None
) -> Iterator[Update]:
    """Yield what a watcher hears; the last of it is ``Ended``.

    Args:
        follow: opens the stream, and opens it again when it ends too early.
        first: which game, and from where on; the stream resumes by itself.
        heartbeat_s: how often the service is to say that nothing happens, in seconds.

    A game that was there and is not any more was deleted while the stream was away.

    Raises:
        MextrainError: the stream failed for good.
    """
    reached: int | None = None
    try:
        for update in _updates(follow, first, heartbeat_s):
            reached = update.game.table.version if isinstance(update, Reset) else update.version
            yield update
    except MextrainError as error:
        if reached is None or error.reason != "GAME_NOT_FOUND":
            raise
        yield Ended("DELETED", reached)


def _updates(
    follow: Opener, first: pb.WatchGameRequest, heartbeat_s: float | None
) -> Iterator[Update]:
    start = first.after_version if first.HasField("after_version") else None
    seen, cursor = start, first.cursor

    def request() -> pb.WatchGameRequest:
        return pb.WatchGameRequest(
            game_id=first.game_id,
            after_version=None if cursor else start,
            cursor=cursor,
            heartbeat_interval=_interval(heartbeat_s),
        )

    for message in follow(request):
        match message.WhichOneof("update"):
            case "events":
                for happened in read_happened(message.events):
                    _require_next(happened, seen)
                    seen = happened.version
                    yield happened
                seen, cursor = message.events.version, message.events.cursor
            case "reset":
                reset = read_reset(message.reset)
                seen, cursor = reset.game.table.version, reset.game.table.cursor
                yield reset
            case "end":
                yield read_end(message.end)
                return
            case _:
                continue


def watch_games(follow: Opener, cursor: str, heartbeat_s: float | None) -> Iterator[NewsBatch]:
    """Yield what happens to all games of a platform, for ever.

    Raises:
        MextrainError: the stream failed for good.
    """
    reached = cursor

    def request() -> pb.WatchGamesRequest:
        return pb.WatchGamesRequest(cursor=reached, heartbeat_interval=_interval(heartbeat_s))

    for message in follow(request):
        match message.WhichOneof("update"):
            case "news":
                batch = read_news(message.news)
            case "reset":
                batch = NewsBatch((), message.reset.cursor, lost=True)
            case "heartbeat":
                reached = message.heartbeat.cursor
                continue
            case _:
                continue
        reached = batch.cursor
        yield batch


def list_events(
    ask: Callable[[pb.ListEventsRequest], pb.ListEventsResponse], first: pb.ListEventsRequest
) -> Iterator[Happened]:
    """Yield what is listed, up to the present, page by page; ``first`` says from where on."""
    token = ""
    pending: list[Any] = []
    while True:
        page = ask(
            pb.ListEventsRequest(
                game_id=first.game_id,
                after_version=first.after_version,
                cursor=first.cursor,
                page_size=500,
                page_token=token,
            )
        )
        pending += page.events
        token = page.next_page_token
        last = pending[-1].version if pending and token else None
        told = [event for event in pending if event.version != last]
        yield from read_happened(event_batch(told, "" if token else page.cursor))
        pending = [event for event in pending if event.version == last]
        if not token:
            return


def _require_next(happened: Happened, seen: int | None) -> None:
    """Return if nothing is missing between what was seen and this.

    Raises:
        MextrainError: the service left something out.
    """
    if seen is not None and happened.version != seen + 1:
        raise MextrainError(
            "HISTORY_GAP", f"The service told of version {happened.version} after {seen}."
        )


def _interval(seconds: float | None) -> Duration | None:
    if seconds is None:
        return None
    interval = Duration()
    interval.FromNanoseconds(round(seconds * 1e9))
    return interval
