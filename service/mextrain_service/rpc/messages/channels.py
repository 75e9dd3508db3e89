"""Channels of a stream: what is asked on them."""

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

MAX_ASKS = 1_000
"""Asks of one message."""

MAX_TOKEN_CHARACTERS = 8_192
"""Characters of a credential: what gRPC would take of all metadata together."""


def open_channel_query(message: pb.OpenChannel) -> WatchGameQuery:
    """Read which game a channel is opened for, and from where on to tell.

    Raises:
        InvalidRequestError: with every violation; the token's too.
    """
    checked = Checked()
    checked.text("open.token", message.token, MAX_TOKEN_CHARACTERS, required=True)
    query = watch_of(checked, message, "open.")
    checked.finish()
    return query


def moves_on_channel(
    message: pb.PlayOnChannel,
) -> tuple[tuple[Move, ...], str, int | None]:
    """Read which moves are asked for, the id of the request, and the version that it expects.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    moves = moves_of(checked, message.moves)
    request_id = checked.request_id("request_id", message.request_id)
    version = expected_version(checked, message)
    checked.finish()
    return moves, request_id, version


def asks_of(request: PlayGamesRequest) -> Sequence[pb.ChannelAsk]:
    """Return what a message asks.

    Raises:
        InvalidRequestError: nothing, or too much at once.
    """
    asks: Sequence[pb.ChannelAsk] = request.asks
    if not 1 <= len(asks) <= MAX_ASKS:
        checked = Checked()
        checked.found("asks", REQUIRED, f"1 to {MAX_ASKS} asks, not {len(asks)}")
        checked.finish()
    return asks
