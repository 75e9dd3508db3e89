"""Streams are opened again where they ended, and nothing is missed or yielded twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import grpc
import pytest
from mextrain.v1.event_pb2 import Event
from mextrain.v1.game_service_pb2 import (
    WatchGameRequest,
    WatchGameResponse,
    WatchGamesRequest,
    WatchGamesResponse,
)
from mextrain.v1.watch_pb2 import EndReason, EventBatch, WatchEnd

from mextrain_client import MextrainError
from mextrain_client.following import followed
from mextrain_client.watching import watch_game, watch_games


class Stream:
    """A stream that says what a test lets it say, then ends in one way or another."""

    def __init__(self, *messages: str, failure: str = "") -> None:
        self._messages = messages
        self._failure = failure
        self.cancelled = threading.Event()

    def __iter__(self) -> Iterator[str]:
        yield from self._messages
        if self._failure == "silence":
            self.cancelled.wait(10)
            raise Failed(grpc.StatusCode.CANCELLED)
        if self._failure:
            raise Failed(grpc.StatusCode[self._failure])

    def cancel(self) -> None:
        self.cancelled.set()


class Failed(grpc.RpcError):
    def __init__(self, code: grpc.StatusCode) -> None:
        super().__init__()
        self._code = code

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return ""

    def trailing_metadata(self) -> tuple[Any, ...]:
        return ()


def following(*streams: Stream, patience_s: float = 5) -> Iterator[str]:
    left = iter(streams)
    opened: Callable[[], Stream] = lambda: next(left)  # noqa: E731
    return followed(opened, "here:1", patience_s=patience_s, silence_s=0.05)


def test_stream_is_opened_again_however_it_was_cut_off() -> None:
    cuts = ("", "UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN", "silence")
    streams = [Stream(str(at), failure=cut) for at, cut in enumerate(cuts)]
    heard = following(*streams, Stream("6"))
    assert [str(at) for at in range(7)] == list(islice(heard, 7))
    assert all(stream.cancelled.is_set() for stream in streams)


def test_stream_is_not_opened_again_when_that_is_no_help() -> None:
    with pytest.raises(MextrainError) as error:
        list(following(Stream("1", failure="PERMISSION_DENIED"), Stream("2")))
    assert "PERMISSION_DENIED" == error.value.reason


def test_stream_that_stays_away_is_given_up() -> None:
    away = [Stream(failure="UNAVAILABLE") for _ in range(50)]
    with pytest.raises(MextrainError) as error:
        list(following(*away, patience_s=0.2))
    assert "UNAVAILABLE" == error.value.reason


class Served:
    """Follows a stream that is cut after each message, and keeps what was asked each time."""

    def __init__(self, *messages: Any, end: MextrainError | None = None) -> None:
        self._messages = messages
        self._end = end
        self.asked: list[Any] = []

    def __call__(self, request: Callable[[], Any]) -> Iterator[Any]:
        for message in self._messages:
            asked = request()
            self.asked.append(type(asked).FromString(asked.SerializeToString()))
            yield message
        if self._end is not None:
            raise self._end


def events(*versions: int) -> WatchGameResponse:
    batch = EventBatch(version=versions[-1], cursor=f"c{versions[-1]}")
    batch.events.extend(Event(version=version) for version in versions)
    return WatchGameResponse(events=batch)


def test_watch_goes_on_after_the_cursor_of_the_update_before() -> None:
    end = WatchGameResponse()
    end.end.version = 4
    served = Served(events(1, 1, 2), events(3, 4, 4), end)
    updates = list(watch_game(served, WatchGameRequest(game_id="g", after_version=0)))
    assert [events(1, 1, 2), events(3, 4, 4), end] == updates
    assert [
        WatchGameRequest(game_id="g", after_version=0),
        WatchGameRequest(game_id="g", cursor="c2"),
        WatchGameRequest(game_id="g", cursor="c4"),
    ] == served.asked


@pytest.mark.parametrize("second", [events(2, 3), events(4), events(3, 5)])
def test_watch_fails_when_the_service_leaves_a_version_out_or_repeats_one(
    second: WatchGameResponse,
) -> None:
    with pytest.raises(MextrainError, match="HISTORY_GAP"):
        list(watch_game(Served(events(1, 2), second), WatchGameRequest()))


def test_watch_ends_when_the_game_was_deleted_while_the_stream_was_away() -> None:
    gone = MextrainError("GAME_NOT_FOUND", "gone")
    *_, end = watch_game(Served(events(1, 2), end=gone), WatchGameRequest())
    assert WatchEnd(reason=EndReason.END_REASON_DELETED, version=2) == end.end


def test_watch_of_a_game_that_never_was_fails() -> None:
    with pytest.raises(MextrainError, match="GAME_NOT_FOUND"):
        list(watch_game(Served(end=MextrainError("GAME_NOT_FOUND", "none")), WatchGameRequest()))


def test_feed_goes_on_after_a_heartbeat_which_is_not_yielded() -> None:
    heartbeat, news = WatchGamesResponse(), WatchGamesResponse()
    heartbeat.heartbeat.cursor, news.news.cursor = "h", "n"
    served = Served(heartbeat, news, heartbeat)
    assert [news] == list(watch_games(served, WatchGamesRequest(cursor="c")))
    assert ["c", "h", "n"] == [request.cursor for request in served.asked]
