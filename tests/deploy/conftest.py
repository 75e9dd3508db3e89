"""A real worker, front and exporter that have something to show."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from mextrain.v1 import channel_pb2, game_service_pb2

from mextrain_client import MextrainClient
from tests.deploy.exported import labels_by_metric
from tests.deploy.servers import HOST, WITHIN_S, exporter
from tests.front.rest import Rest
from tests.polling import eventually
from tests.storage.valkeys import free_ports
from tests.worker.processes import fetch, served
from tests.worker.table import bearer, channel_to, failure_of, new_table


@dataclass(frozen=True)
class Shown:
    """What there is for Prometheus.

    Attributes:
        targets: where it asks, by job: host, port and path.
        labels: of each metric.
    """

    targets: dict[str, str]
    labels: dict[str, set[str]]


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("shown")
    front, admin, operator, exporting = free_ports(4)
    variables = {
        "MEXTRAIN_FRONT_PORT": str(front),
        "MEXTRAIN_FRONT_ADMIN_PORT": str(admin),
        "MEXTRAIN_FRONT_METRICS_PORT": str(operator),
    }
    with (
        served(folder, "--workers=1", **variables) as service,
        channel_to(service.running.endpoint) as channel,
        _exporter(service.running.redis_url, exporting) as exporter_url,
    ):
        _play_and_watch(channel, service.running.endpoint, service.running.platform_key)
        assert eventually(
            lambda: Rest(service.running.http_url).get("/v1/presets").status == 200, WITHIN_S
        )
        worker_url = service.running.metrics_urls[0]
        front_url = f"http://{HOST}:{operator}/stats/prometheus"
        eventually(lambda: "redis_up 1" in fetch(exporter_url)[1], WITHIN_S)
        targets = {"mextrain-worker": worker_url, "mextrain-front": front_url}
        targets["redis"] = exporter_url
        texts = [fetch(url)[1] for url in targets.values()]
        yield Shown(targets, labels_by_metric(*texts))


@contextlib.contextmanager
def _exporter(redis_url: str, port: int) -> Iterator[str]:
    words = ["-redis.addr", redis_url, "-web.listen-address", f"{HOST}:{port}"]
    nowhere = subprocess.DEVNULL
    with subprocess.Popen([exporter(), *words], stdout=nowhere, stderr=nowhere) as process:
        try:
            yield f"http://{HOST}:{port}/metrics"
        finally:
            process.kill()


def _play_and_watch(channel: grpc.Channel, endpoint: str, platform_key: str) -> None:
    """Make moves by calls and on a stream, have one refused, and be told of them."""
    table = new_table(channel, platform_key)
    seat, move = table.next_move()
    failure_of(lambda: table.play(1 - seat, table.play_request(move)))
    request = game_service_pb2.WatchGameRequest(game_id=table.game_id)
    stream: Any = table.stub.WatchGame(request, metadata=bearer(table.tokens[0]), timeout=60)
    told = threading.Event()

    def follow() -> None:
        with contextlib.suppress(grpc.RpcError):
            for message in stream:
                if message.events.version > 2:
                    told.set()

    watching = threading.Thread(target=follow)
    watching.start()
    for _ in range(4):
        seat, move = table.next_move()
        table.play(seat, table.play_request(move))
    assert told.wait(60)
    token = table.tokens[table.next_move()[0]]
    with MextrainClient(endpoint, token) as player:
        first = player.list_legal_moves(table.game_id).moves[0]
    opening = channel_pb2.OpenChannel(game_id=table.game_id, token=token)
    asks = (
        channel_pb2.ChannelRequest(channel=1, open=opening),
        channel_pb2.ChannelRequest(channel=1, play=channel_pb2.PlayMoves(moves=[first])),
    )
    with MextrainClient(endpoint, platform_key) as platform:
        requests = [game_service_pb2.PlayGamesRequest(requests=[ask]) for ask in asks]
        assert list(platform.play_games(requests))
    stream.cancel()
    watching.join(60)
