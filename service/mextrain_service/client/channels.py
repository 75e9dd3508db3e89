"""Many seats on one stream: what is asked on their channels, and what is heard from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mextrain.v1 import channel_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.move_pb2 import Move as MoveMessage

from mextrain_engine import Move, format_move
from mextrain_service.client.errors import MextrainError, from_status
from mextrain_service.client.updates import (
    Ended,
    Happened,
    Reset,
    read_end,
    read_happened,
    read_reset,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenChannel:
    """Take a seat to a channel.

    Attributes:
        channel: a number that is not in use on the stream, 1 to 2^32 - 1.
        game_id: the game.
        token: that of the seat, of a spectator, or of a player of the platform who has a seat.
        cursor: that of the update heard last of the game; empty begins with a ``Reset``.
        watched: anything is to be heard but answers.
        tag: what the answer is known by.
    """

    channel: int
    game_id: str
    token: str
    cursor: str = ""
    watched: bool = True
    tag: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOnChannel:
    """Make moves of the seat of a channel, all of them or none.

    Attributes:
        channel: the channel.
        moves: at least one.
        request_id: makes a repetition harmless, on another stream too; empty for none.
        expected_version: the version that was seen; None for whatever it is.
        tag: what the answer is known by.
    """

    channel: int
    moves: Sequence[Move]
    request_id: str = ""
    expected_version: int | None = None
    tag: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseChannel:
    """Close a channel.

    Attributes:
        channel: the channel.
        tag: what the answer is known by.
    """

    channel: int
    tag: int = 0


Ask = OpenChannel | PlayOnChannel | CloseChannel
"""What is asked on a channel."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A channel is open.

    Attributes:
        version: that of the game.
    """

    version: int


@dataclass(frozen=True, slots=True)
class Made:
    """Moves were made.

    Attributes:
        version: that of the game after them.
    """

    version: int


@dataclass(frozen=True, slots=True)
class Refused:
    """What was asked was not done.

    Attributes:
        error: why.
    """

    error: MextrainError


@dataclass(frozen=True, slots=True)
class Closed:
    """A channel is closed.

    Attributes:
        error: why; None if it was asked for.
    """

    error: MextrainError | None


@dataclass(frozen=True, slots=True)
class Heard:
    """What is heard on a channel.

    Attributes:
        channel: which one.
        tag: that of the ask which this answers; 0 for what nobody asked for.
        what: the answer, or what happened in the game.
    """

    channel: int
    tag: int
    what: Opened | Made | Refused | Closed | Happened | Reset | Ended


def play_games(
    stream: Callable[[Iterator[Any]], Iterator[Any]], asks: Iterable[Sequence[Ask]]
) -> Iterator[Heard]:
    """Yield what is heard while ``asks`` are sent, each sequence as one message.

    Raises:
        MextrainError: the stream failed. What was not answered may have been done.
    """
    for message in stream(map(_request, asks)):
        for answer in message.responses:
            for what in _said(answer):
                yield Heard(answer.channel, answer.tag, what)


def _request(asks: Sequence[Ask]) -> pb.PlayGamesRequest:
    return pb.PlayGamesRequest(requests=[_ask(each) for each in asks])


def _ask(ask: Ask) -> channel_pb2.ChannelRequest:
    message = channel_pb2.ChannelRequest(channel=ask.channel, tag=ask.tag)
    match ask:
        case OpenChannel():
            message.open.CopyFrom(
                channel_pb2.OpenChannel(
                    game_id=ask.game_id,
                    token=ask.token,
                    cursor=ask.cursor,
                    play_only=not ask.watched,
                )
            )
        case PlayOnChannel():
            message.play.CopyFrom(
                channel_pb2.PlayMoves(
                    moves=[MoveMessage(notation=format_move(move)) for move in ask.moves],
                    request_id=ask.request_id,
                    expected_version=ask.expected_version,
                )
            )
        case CloseChannel():
            message.close.SetInParent()
    return message


def _said(
    answer: channel_pb2.ChannelResponse,
) -> Iterator[Opened | Made | Refused | Closed | Happened | Reset | Ended]:
    """Yield what an answer says: several things, if it is what happened at several versions."""
    match answer.WhichOneof("response"):
        case "opened":
            yield Opened(answer.opened.version)
        case "played":
            yield Made(answer.played.version)
        case "error":
            yield Refused(from_status(answer.error))
        case "closed":
            failed = answer.closed.HasField("status")
            yield Closed(from_status(answer.closed.status) if failed else None)
        case "events":
            yield from read_happened(answer.events)
        case "reset":
            yield read_reset(answer.reset)
        case "end":
            yield read_end(answer.end)
        case _:
            return
