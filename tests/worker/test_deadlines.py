"""Deadlines are kept by the workers that run, whichever set them."""

from __future__ import annotations

import os
import signal
from itertools import pairwise
from pathlib import Path

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import event_pb2, game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from tests.polling import WITHIN_S, eventually
from tests.worker.processes import fetch, served, workers
from tests.worker.table import bearer, channel_to, unless_away

_SKIPPED = event_pb2.PASS_CAUSE_SKIPPED


def _created(stub: GameServiceStub, key: str) -> pb.CreateGameResponse:
    """Create a game that is dealt at once, with a second for each turn."""
    clock = game_pb2.TurnClock(per_turn=Duration(seconds=1), on_timeout=game_pb2.ON_TIMEOUT_SKIP)
    policy = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_AUTOMATIC, clock=clock)
    seats = [game_pb2.Seat(person=game_pb2.Person(player_id=f"p{seat}")) for seat in range(2)]
    request = pb.CreateGameRequest(seats=seats, policy=policy)
    created: pb.CreateGameResponse = stub.CreateGame(
        request, metadata=bearer(key), timeout=WITHIN_S
    )
    return created


def test_turns_are_skipped_when_time_is_up_though_a_worker_was_killed(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=2", MEXTRAIN_GAMES_SWEEP_MS="100") as service:
        key = service.running.platform_key
        with channel_to(service.running.endpoint) as channel:
            stub = GameServiceStub(channel)
            game_id = _created(stub, key).game.game_id
            os.kill(min(workers(service.process.pid)), signal.SIGKILL)

            def skipped() -> list[int]:
                request = pb.ListEventsRequest(game_id=game_id, page_size=500)
                answer = unless_away(
                    lambda: stub.ListEvents(request, metadata=bearer(key), timeout=WITHIN_S)
                )
                passed = [each.turn_passed for each in answer.events] if answer else []
                seats = [each.seat for each in passed if each.cause == _SKIPPED]
                return seats if len(seats) >= 3 else []

            seats = eventually(skipped)
            assert all(one != other for one, other in pairwise(seats))
        lags = [fetch(url)[1] for url in service.running.metrics_urls]
        assert any("mextrain_deadline_lag_seconds_count" in page for page in lags)
