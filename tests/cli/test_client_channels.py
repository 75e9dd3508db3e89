"""The Python client plays a round for two people over one stream."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest
from mextrain.v1.channel_pb2 import (
    ChannelRequest,
    ChannelResponse,
    CloseChannel,
    OpenChannel,
    PlayMoves,
)
from mextrain.v1.game_service_pb2 import CreateGameResponse, PlayGamesRequest
from mextrain.v1.view_pb2 import Phase

from mextrain_client import MextrainClient, MextrainError, from_status
from mextrain_service.local.discovery import Running
from tests.cli.test_client import PAIR


class Asking:
    """What is asked on a stream, as it comes up."""

    def __init__(self) -> None:
        self._requests: queue.SimpleQueue[PlayGamesRequest | None] = queue.SimpleQueue()

    def __call__(self, *asks: ChannelRequest) -> None:
        self._requests.put(PlayGamesRequest(requests=asks))

    def end(self) -> None:
        self._requests.put(None)

    def __iter__(self) -> Iterator[PlayGamesRequest]:
        while (request := self._requests.get()) is not None:
            yield request


def _answers(platform: MextrainClient, asking: Asking) -> Iterator[ChannelResponse]:
    for response in platform.play_games(asking):
        yield from response.responses


def _opening(created: CreateGameResponse, cursor: str = "") -> list[ChannelRequest]:
    game_id = created.game.game_id
    return [
        ChannelRequest(
            channel=1 + access.seat,
            open=OpenChannel(game_id=game_id, token=access.token, cursor=cursor),
        )
        for access in created.seat_tokens
    ]


def _closing(channel: int, tag: int = 0) -> ChannelRequest:
    return ChannelRequest(channel=channel, tag=tag, close=CloseChannel())


def _next_move(service: Running, created: CreateGameResponse) -> ChannelRequest | None:
    """Return the first of the legal moves, while the round lasts."""
    for access in created.seat_tokens:
        with MextrainClient(service.endpoint, access.token) as client:
            moves = client.list_legal_moves(created.game.game_id).moves
            if moves:
                return ChannelRequest(channel=1 + access.seat, play=PlayMoves(moves=moves[:1]))
    return None


def test_round_is_played_for_both_seats_over_one_stream(
    service: Running, platform: MextrainClient
) -> None:
    created = platform.create_game(PAIR, fixed_seed=5)
    platform.deal_round(created.game.game_id)
    asking, heard = Asking(), list[ChannelResponse]()
    asking(*_opening(created, created.game.view.cursor))
    for answer in _answers(platform, asking):
        heard.append(answer)
        assert not answer.HasField("error")
        if answer.HasField("played") or (answer.channel == 2 and answer.HasField("opened")):
            move = _next_move(service, created)
            if move is not None:
                asking(move)
            else:
                asking(_closing(1, tag=7), _closing(2))
                asking.end()
    assert Phase.PHASE_PLAYING != platform.get_game(created.game.game_id).game.view.phase
    assert sum(answer.HasField("played") for answer in heard) > 10
    for channel in (1, 2):
        own = [answer for answer in heard if answer.channel == channel]
        versions = [answer.events.version for answer in own if answer.HasField("events")]
        assert sorted(set(versions)) == versions, "each version once, in order"
        (closed,) = (answer for answer in own if answer.HasField("closed"))
        assert not closed.closed.HasField("status")
        assert {1: 7, 2: 0}[channel] == closed.tag


def test_channel_begins_with_the_table_and_says_why_it_refuses(
    platform: MextrainClient,
) -> None:
    created = platform.create_game(PAIR)
    asking, heard = Asking(), list[ChannelResponse]()
    asking(*_opening(created))
    asking(ChannelRequest(channel=1, tag=8, play=PlayMoves()))
    for answer in _answers(platform, asking):
        heard.append(answer)
        if 3 == sum(each.HasField("reset") or each.HasField("error") for each in heard):
            asking.end()
    resets = [each.reset.game.game_id for each in heard if each.HasField("reset")]
    assert 2 * [created.game.game_id] == resets
    refused = [from_status(each.error).reason for each in heard if each.HasField("error")]
    assert ["FIELD_INVALID"] == refused


def test_stream_of_somebody_who_is_no_platform_fails(
    service: Running, platform: MextrainClient
) -> None:
    created = platform.create_game(PAIR)
    seat = MextrainClient(service.endpoint, created.seat_tokens[0].token)
    with seat, pytest.raises(MextrainError, match="PERMISSION_DENIED"):
        list(seat.play_games([PlayGamesRequest(requests=[_closing(1)])]))
