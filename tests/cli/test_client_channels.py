"""The Python client plays a round for two people over one stream."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence

import pytest

from mextrain_engine import Phase
from mextrain_service.client import (
    CloseChannel,
    Closed,
    Created,
    Happened,
    Made,
    MextrainClient,
    MextrainError,
    OpenChannel,
    Opened,
    PlayOnChannel,
    Refused,
    Reset,
)
from mextrain_service.client.channels import Ask, Heard
from mextrain_service.local.discovery import Running
from tests.cli.test_client import PAIR


class Asking:
    """What is asked on a stream, as it comes up."""

    def __init__(self) -> None:
        self._asks: queue.SimpleQueue[Sequence[Ask] | None] = queue.SimpleQueue()

    def __call__(self, *asks: Ask) -> None:
        self._asks.put(asks)

    def end(self) -> None:
        self._asks.put(None)

    def __iter__(self) -> Iterator[Sequence[Ask]]:
        while (asks := self._asks.get()) is not None:
            yield asks


def _opening(created: Created, cursor: str = "") -> list[Ask]:
    game_id = created.game.game_id
    return [
        OpenChannel(channel=1 + seat, game_id=game_id, token=token, cursor=cursor)
        for seat, token in created.seat_tokens.items()
    ]


def _next_move(service: Running, created: Created) -> PlayOnChannel | None:
    """Return the first of the legal moves, while the round lasts."""
    for seat, token in created.seat_tokens.items():
        with MextrainClient(service.endpoint, token) as client:
            moves = client.legal_moves(created.game.game_id).moves
            if moves:
                return PlayOnChannel(channel=1 + seat, moves=moves[:1])
    return None


def test_round_is_played_for_both_seats_over_one_stream(
    service: Running, platform: MextrainClient
) -> None:
    created = platform.create_game(PAIR, fixed_seed=5)
    platform.deal_round(created.game.game_id)
    asking, heard = Asking(), list[Heard]()
    asking(*_opening(created, created.game.table.cursor))
    for answer in platform.play_games(asking):
        heard.append(answer)
        assert not isinstance(answer.what, Refused)
        if isinstance(answer.what, Made) or answer == Heard(2, 0, Opened(1)):
            move = _next_move(service, created)
            if move is not None:
                asking(move)
            else:
                asking(CloseChannel(channel=1, tag=7), CloseChannel(channel=2))
                asking.end()
    assert Phase.PLAYING is not platform.get_game(created.game.game_id).table.view.phase
    assert sum(isinstance(each.what, Made) for each in heard) > 10
    for channel in (1, 2):
        versions = [
            each.what.version
            for each in heard
            if each.channel == channel and isinstance(each.what, Happened)
        ]
        assert sorted(set(versions)) == versions, "each version once, in order"
        assert Closed(None) in [each.what for each in heard if each.channel == channel]
    assert [7] == [each.tag for each in heard if each.what == Closed(None) and each.channel == 1]


def test_channel_begins_with_the_table_and_says_why_it_refuses(
    platform: MextrainClient,
) -> None:
    created = platform.create_game(PAIR)
    asking, heard = Asking(), list[Heard]()
    asking(*_opening(created))
    asking(PlayOnChannel(channel=1, moves=[], tag=8))
    for answer in platform.play_games(asking):
        heard.append(answer)
        if 3 == sum(isinstance(each.what, Reset | Refused) for each in heard):
            asking.end()
    assert 2 * [created.game.game_id] == [
        each.what.game.game_id for each in heard if isinstance(each.what, Reset)
    ]
    refused = [each.what.error.reason for each in heard if isinstance(each.what, Refused)]
    assert ["FIELD_INVALID"] == refused


def test_stream_of_somebody_who_is_no_platform_fails(
    service: Running, platform: MextrainClient
) -> None:
    created = platform.create_game(PAIR)
    seat = MextrainClient(service.endpoint, created.seat_tokens[0])
    with seat, pytest.raises(MextrainError, match="PERMISSION_DENIED"):
        list(seat.play_games([[CloseChannel(channel=1)]]))
