"""Turns end when they should, wherever a worker's clock stands and whoever was away."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.local.embedded import EmbeddedValkey
from tests.polling import eventually
from tests.worker.processes import fetch, log_lines, served
from tests.worker.table import bearer, channel_to, unless_away

_SKEWED = """
import time

_right = time.time_ns
time.time_ns = lambda: _right() + {ahead_s} * 10**9
"""
"""The clock that the service reads; the libraries beside it compare theirs with the kernel's."""

_ALONE = ("--workers=1", "--no-front")

_AWAY_S = 5.0
"""Longer than any pause between two looks that is no outage."""


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


class _Table:
    """A game of two persons who never move: the first to be late has resigned."""

    def __init__(self, stub: GameServiceStub, key: str, turn_s: int) -> None:
        self._stub = stub
        self._metadata = bearer(key)
        clock = game_pb2.TurnClock(per_turn=Duration(seconds=turn_s), forfeit_after=1)
        policy = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_AUTOMATIC, clock=clock)
        seats = [game_pb2.Seat(person=game_pb2.Person(player_id=f"p{seat}")) for seat in range(2)]
        request = pb.CreateGameRequest(seats=seats, policy=policy)
        created = stub.CreateGame(request, metadata=self._metadata, timeout=5)
        self.game: game_pb2.Game = created.game

    @property
    def deadline_s(self) -> float:
        """When the first turn ends, in seconds since the epoch."""
        return self.game.view.turn_deadline.ToNanoseconds() / 1e9

    def resigned(self) -> game_pb2.Game | None:
        """Return the game once somebody has resigned."""
        request = pb.GetGameRequest(game_id=self.game.game_id)
        answer = unless_away(
            lambda: self._stub.GetGame(request, metadata=self._metadata, timeout=5)
        )
        if answer is None or not any(seat.resigned for seat in answer.game.seats):
            return None
        return answer.game


@pytest.mark.parametrize("ahead_s", [60, -30])
def test_turns_end_by_the_stores_clock_wherever_that_of_the_worker_stands(
    ahead_s: int, tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    (tmp_path / "sitecustomize.py").write_text(_SKEWED.format(ahead_s=ahead_s))
    skewed = {"PYTHONPATH": str(tmp_path), "MEXTRAIN_REDIS_URL": valkey.url}
    with served(tmp_path, *_ALONE, MEXTRAIN_GAMES_SWEEP_MS="50", **skewed) as service:
        with channel_to(service.running.endpoint) as channel:
            before_s = time.time()
            table = _Table(GameServiceStub(channel), service.running.platform_key, turn_s=3)
            assert before_s + 2.5 <= table.deadline_s <= time.time() + 3.5
            eventually(table.resigned)
            assert table.deadline_s - 0.5 <= time.time() < table.deadline_s + 20
        shown = "".join(fetch(url)[1] for url in service.running.metrics_urls)
        (skew_s,) = re.findall(r"^mextrain_clock_skew_seconds (\S+)$", shown, re.MULTILINE)
        assert abs(float(skew_s) - ahead_s) < 1
        warned = [line for line in log_lines(service.logged()) if "clock" in str(line["event"])]
        assert warned


def test_nobody_loses_a_seat_when_the_store_stood_still_for_longer_than_a_turn(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with (
        served(tmp_path, *_ALONE, MEXTRAIN_REDIS_URL=valkey.url) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = _Table(GameServiceStub(channel), service.running.platform_key, turn_s=4)
        assert valkey.pid is not None
        went_s = time.time()
        os.kill(valkey.pid, signal.SIGSTOP)
        try:
            eventually(lambda: time.time() > went_s + _AWAY_S)
        finally:
            back_s = time.time()
            os.kill(valkey.pid, signal.SIGCONT)
        game = eventually(table.resigned, within_s=60)
        resigned_s = game.update_time.ToNanoseconds() / 1e9
        assert table.deadline_s - went_s <= resigned_s - back_s
