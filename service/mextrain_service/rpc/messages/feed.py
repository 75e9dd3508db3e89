"""The feed of a platform: what is asked for, and what is told."""

from __future__ import annotations

from typing import assert_never

from mextrain.v1 import event_pb2, feed_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import SeatChange
from mextrain_service.application.news import GameNews, NewsKind
from mextrain_service.application.watch_games import (
    FeedHeartbeat,
    FeedReset,
    FeedUpdate,
    NewsTold,
    WatchGamesQuery,
)
from mextrain_service.rpc.messages.checking import TOO_LONG, Checked
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.times import timestamp
from mextrain_service.rpc.messages.watching import RESET_REASONS, heartbeat_s

NEWS_KINDS = EnumPair(NewsKind, feed_pb2.NewsKind.DESCRIPTOR)
SEAT_CHANGES = EnumPair(SeatChange, event_pb2.SeatChange.DESCRIPTOR)

MAX_CURSOR_CHARACTERS = 4_096


def watch_games_query(request: pb.WatchGamesRequest) -> WatchGamesQuery:
    """Read a WatchGamesRequest; whether the cursor is one, the feed says.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    if len(request.cursor) > MAX_CURSOR_CHARACTERS:
        checked.found("cursor", TOO_LONG, f"at most {MAX_CURSOR_CHARACTERS} characters")
    checked.finish()
    return WatchGamesQuery(request.cursor, heartbeat_s(request))


def feed_message(update: FeedUpdate) -> pb.WatchGamesResponse:
    """Return one message of the feed."""
    match update:
        case NewsTold(news, cursor):
            batch = feed_pb2.NewsBatch(news=map(_news, news), cursor=cursor)
            return pb.WatchGamesResponse(news=batch)
        case FeedReset(reason, cursor):
            reset = feed_pb2.FeedReset(reason=RESET_REASONS.wire[reason], cursor=cursor)
            return pb.WatchGamesResponse(reset=reset)
        case FeedHeartbeat(cursor, server_time_ms):
            beat = feed_pb2.FeedHeartbeat(cursor=cursor, server_time=timestamp(server_time_ms))
            return pb.WatchGamesResponse(heartbeat=beat)
        case _:
            assert_never(update)


def _news(news: GameNews) -> feed_pb2.GameNews:
    message = feed_pb2.GameNews(
        game_id=news.game_id,
        version=news.version,
        kind=NEWS_KINDS.wire[news.kind],
        time=timestamp(news.time_ms),
        round=news.round,
        seat=news.seat,
    )
    if news.change is not None:
        message.seat_change = SEAT_CHANGES.wire[news.change]
    return message
