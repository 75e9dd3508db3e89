"""Watches: what is asked for, and what watchers are told. Takes redacted updates only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from mextrain.v1 import channel_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.answers import TableEvent
from mextrain_service.application.chain import Position
from mextrain_service.application.watch_game import WatchGameQuery
from mextrain_service.application.watching import (
    Ended,
    EndReason,
    Happened,
    Heartbeat,
    Reset,
    ResetReason,
    Update,
)
from mextrain_service.rpc.messages.checking import Checked
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.events import event_messages
from mextrain_service.rpc.messages.games import game_message
from mextrain_service.rpc.messages.requests import MAX_VERSION
from mextrain_service.rpc.messages.times import timestamp

RESET_REASONS = EnumPair(ResetReason, watch_pb2.ResetReason.DESCRIPTOR)
END_REASONS = EnumPair(EndReason, watch_pb2.EndReason.DESCRIPTOR)


def watch_game_query(request: pb.WatchGameRequest) -> WatchGameQuery:
    """Read a WatchGameRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    query = watch_of(checked, request)
    checked.finish()
    return query


def watch_of(
    checked: Checked, message: pb.WatchGameRequest | channel_pb2.OpenChannel, within: str = ""
) -> WatchGameQuery:
    """Read which game is to be watched, and from where on; note what is wrong.

    Args:
        checked: where that is noted.
        message: what is asked.
        within: what comes before the names of its fields.
    """
    after = None
    if message.HasField("after_version"):
        after = checked.number(f"{within}after_version", message.after_version, 0, MAX_VERSION)
    return WatchGameQuery(
        game_id=checked.game_id(f"{within}game_id", message.game_id),
        after_version=after,
        after=checked.position(f"{within}cursor", message.cursor),
        heartbeat_s=heartbeat_s(message),
    )


def heartbeat_s(
    request: pb.WatchGameRequest | pb.WatchGamesRequest | channel_pb2.OpenChannel,
) -> float | None:
    """Return the interval that a watcher asks for, in seconds; its bounds are the host's matter."""
    if not request.HasField("heartbeat_interval"):
        return None
    interval: Duration = request.heartbeat_interval
    return interval.seconds + interval.nanos / 1e9


def begun_at(query: WatchGameQuery) -> str:
    """Return the cursor of a watcher who has taken no message; empty for the table as it is."""
    return "" if query.after is None else query.after.cursor


def resumed_after(update: Update) -> str:
    """Return the cursor after which a watcher resumes who has taken this update."""
    return update.position.cursor


class UpdateEncoder:
    """Encodes what watchers hear. What several of them hear alike is encoded once.

    They hear it one right after another, so the latest is all that is remembered.
    """

    def __init__(self, message: Callable[..., Message]) -> None:
        """Put updates into messages of a type whose fields are those of ``WatchGameResponse``."""
        self._message = message
        self._position = Position(0, b"")
        self._events: tuple[TableEvent, ...] = ()
        self._encoded = b""

    def __call__(self, update: Update) -> bytes:
        """Return the message that tells an update."""
        if not isinstance(update, Happened):
            return self._message(**_update_field(update)).SerializeToString()
        if update.events is not self._events or update.position != self._position:
            self._encoded = self._message(**_update_field(update)).SerializeToString()
            self._position, self._events = update.position, update.events
        return self._encoded


def _update_field(update: Update) -> dict[str, Any]:
    """Return what a watcher hears, by the name of the field that it goes into."""
    version, cursor = update.position.version, update.position.cursor
    match update:
        case Happened(events=events):
            told = event_messages(events)
            return {"events": watch_pb2.EventBatch(version=version, cursor=cursor, events=told)}
        case Reset(reason=reason, game=game):
            wire, shown = RESET_REASONS.wire[reason], game_message(game)
            return {"reset": watch_pb2.WatchReset(reason=wire, game=shown)}
        case Heartbeat(server_time_ms=server_time_ms):
            sent = timestamp(server_time_ms)
            beat = watch_pb2.Heartbeat(version=version, cursor=cursor, server_time=sent)
            return {"heartbeat": beat}
        case Ended(reason=reason):
            ended = END_REASONS.wire[reason]
            return {"end": watch_pb2.WatchEnd(reason=ended, version=version, cursor=cursor)}
        case _:
            assert_never(update)
