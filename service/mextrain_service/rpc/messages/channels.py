"""Reads the requests on the channels of a stream."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain.v1 import channel_pb2 as pb
from mextrain.v1.game_service_pb2 import PlayGamesRequest

from mextrain_engine import Move
from mextrain_service.application.watch_game import WatchGameQuery
from mextrain_service.rpc.messages.checking import REQUIRED, Checked
from mextrain_service.rpc.messages.move_requests import moves_of
from mextrain_service.rpc.messages.requests import expected_version
from mextrain_service.rpc.messages.watching import watch_of

MAX_REQUESTS = 1_000
"""Most requests in one message."""

MAX_TOKEN_CHARACTERS = 8_192
"""Most characters of a credential: gRPC's limit for all metadata together."""


def open_channel_query(message: pb.OpenChannel) -> WatchGameQuery:
    """Read which game a channel is opened for, and the point to watch from.

    Raises:
        InvalidRequestError: with every violation; the token's too.
    """
    checked = Checked()
    checked.text("open.token", message.token, MAX_TOKEN_CHARACTERS, required=True)
    query = watch_of(checked, message, "open.")
    checked.finish()
    return query


def moves_on_channel(
    message: pb.PlayMoves,
) -> tuple[tuple[Move, ...], str, int | None]:
    """Read the moves, the request ID, and the expected version.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    moves = moves_of(checked, message.moves)
    request_id = checked.request_id("request_id", message.request_id)
    version = expected_version(checked, message)
    checked.finish()
    return moves, request_id, version


def requests_of(message: PlayGamesRequest) -> Sequence[pb.ChannelRequest]:
    """Return the requests of a message.

    Raises:
        InvalidRequestError: none, or too many.
    """
    requests: Sequence[pb.ChannelRequest] = message.requests
    if not 1 <= len(requests) <= MAX_REQUESTS:
        checked = Checked()
        checked.found("requests", REQUIRED, f"1 to {MAX_REQUESTS} requests, not {len(requests)}")
        checked.finish()
    return requests
