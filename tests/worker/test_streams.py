"""Streams of real workers: through kills, to the end of a worker, and into its metrics."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.event_pb2 import Event
from mextrain.v1.watch_pb2 import EndReason, WatchEnd

from mextrain_client import MextrainClient
from tests.polling import WITHIN_S, eventually
from tests.rpc.serving import persons
from tests.worker.processes import Command, fetch, served, workers
from tests.worker.table import Table, bearer, channel_to, new_table, reason_of

_NO_DELAY = {"MEXTRAIN_SERVER_DRAIN_DELAY_S": "0"}
_MOVES = 60


@contextmanager
def _platform(service: Command) -> Iterator[MextrainClient]:
    with MextrainClient(
        service.running.endpoint, service.running.platform_key, patience_s=WITHIN_S
    ) as client:
        yield client


def _kill_one(service: Command, chance: random.Random) -> None:
    pid = chance.choice(sorted(eventually(lambda: workers(service.process.pid))))
    os.kill(pid, signal.SIGKILL)


def test_watchers_miss_nothing_while_workers_are_killed(tmp_path: Path) -> None:
    chance = random.Random(3)
    with (
        served(tmp_path, "--workers=2", **_NO_DELAY) as service,
        _platform(service) as platform,
        ThreadPoolExecutor() as threads,
    ):
        created = platform.create_game(persons(2))
        game_id = created.game.game_id
        heard: list[list[Event]] = [[] for _ in range(4)]
        watching = [threads.submit(_watch, service, game_id, events) for events in heard]
        platform.deal_round(game_id)
        _play(service, game_id, [access.token for access in created.seat_tokens], chance)
        _kill_one(service, chance)
        history = list(platform.events(game_id))
        eventually(lambda: all(events == history for events in heard))
        platform.delete_game(game_id)
        deleted = (EndReason.END_REASON_DELETED, history[-1].version)
        for future, events in zip(watching, heard, strict=True):
            end = future.result(timeout=WITHIN_S)
            assert deleted == (end.reason, end.version)
            assert history == events


def _watch(service: Command, game_id: str, events: list[Event]) -> WatchEnd:
    """Add what is heard to ``events``; return the end."""
    with _platform(service) as client:
        for update in client.watch_game(game_id, after_version=0):
            events.extend(update.events.events)
    return update.end


def _play(service: Command, game_id: str, tokens: Sequence[str], chance: random.Random) -> None:
    """Make some moves at random, and kill a worker at times."""
    clients = [
        MextrainClient(service.running.endpoint, token, patience_s=WITHIN_S) for token in tokens
    ]
    for count in range(_MOVES):
        round_ = clients[0].get_game(game_id).game.view.round
        if not round_.HasField("turn"):
            break
        mover = clients[round_.turn]
        mover.play_move(game_id, chance.choice(mover.list_legal_moves(game_id).moves))
        if count % 20 == 10:
            _kill_one(service, chance)
    for client in clients:
        client.close()


@contextmanager
def _stream(table: Table) -> Iterator[Any]:
    """Watch a game, from the moment on at which the stream stands."""
    request = pb.WatchGameRequest(game_id=table.game_id)
    stream: Any = table.stub.WatchGame(request, metadata=bearer(table.platform_key))
    try:
        assert next(stream).HasField("reset")
        yield stream
    finally:
        stream.cancel()


def test_stream_is_told_that_its_worker_stops_and_does_not_hold_it_up(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--workers=1", **_NO_DELAY) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = new_table(channel, service.running.platform_key)
        with _stream(table) as stream:
            ended: list[Any] = []
            reading = threading.Thread(target=_read_on, args=(stream, ended))
            reading.start()
            assert 0 == service.stop(signal.SIGTERM)
            reading.join(20)
        assert (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN") == (
            ended[0].code(),
            reason_of(ended[0]),
        )


def _read_on(stream: Any, ended: list[Any]) -> None:
    try:
        for _ in stream:
            pass
    except grpc.RpcError as error:
        ended.append(error)


def test_watchers_and_the_lag_of_what_they_are_told_are_measured(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--workers=1", **_NO_DELAY) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = new_table(channel, service.running.platform_key)
        (url,) = service.running.metrics_urls
        with _stream(table) as stream:
            table.play(*_first_move(table))
            assert next(stream).HasField("events")
            metrics = fetch(url)[1]
            assert 'mextrain_watchers{method="WatchGame"} 1.0' in metrics
            assert 'mextrain_delivery_lag_seconds_count{method="WatchGame"} 1.0' in metrics
        eventually(lambda: 'mextrain_watchers{method="WatchGame"} 0.0' in fetch(url)[1] or None)


def _first_move(table: Table) -> tuple[int, pb.PlayMoveRequest]:
    seat, move = table.next_move()
    return seat, table.play_request(move)
