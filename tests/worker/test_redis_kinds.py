"""The whole service on a Cluster and behind Sentinels: play, watching, failover, no orphans."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from mextrain.v1 import game_service_pb2
from redis.crc import key_slot

from mextrain_service.application.model import GameId
from mextrain_service.storage import open_client
from mextrain_service.storage.doctor import Doctor, Report, Treatment
from mextrain_service.storage.keys import game_keys
from tests.polling import eventually
from tests.storage import valkeys
from tests.storage.limits import PATIENT
from tests.worker.processes import served
from tests.worker.table import Table, bearer, channel_to, new_table, unless_away

SETTINGS = {"MEXTRAIN_REDIS_TIMEOUT_MS": "500", "MEXTRAIN_REDIS_WAIT_MS": "300"}


PACE_S = 0.01
"""Between two moves while the store is rearranged, so that the match lasts as long."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[valkeys.Cluster]:
    with valkeys.cluster() as nodes:
        yield nodes


@pytest.fixture(scope="module")
def watched() -> Iterator[valkeys.Watched]:
    with valkeys.watched() as servers:
        yield servers


def _report(url: str) -> Report:
    async def examine() -> Report:
        client = open_client(url, PATIENT)
        try:
            return await Doctor(client, Treatment(replays=True)).examine()
        finally:
            await client.aclose()

    return asyncio.run(examine())


def _patiently(call: Callable[[], Any]) -> Any:
    def answered() -> tuple[Any] | None:
        answer = unless_away(call)
        return None if answer is None else (answer,)

    return eventually(answered)[0]


def _play(table: Table, request_id: str) -> None:
    """Make a move, or deal if the round is over: one entry of the log."""
    if _patiently(lambda: (table.awaits_deal(),))[0]:
        _patiently(lambda: table.deal(request_id))
        return
    seat, move = _patiently(table.next_move)
    request = table.play_request(move, request_id=request_id)
    _patiently(lambda: table.play(seat, request))


def _play_during(table: Table, change: Callable[[], object]) -> int:
    """Play while the store is rearranged, and a little longer; return how many moves."""
    changing = threading.Thread(target=change)
    changing.start()
    moves = 0
    while changing.is_alive():
        _play(table, f"during-{moves}")
        moves += 1
        changing.join(PACE_S)
    for number in range(3):
        _play(table, f"after-{number}")
    return moves + 3


def _watch(table: Table, versions: list[int]) -> Callable[[], None]:
    """Note the version of all that a watcher is told; return what ends that."""
    request = game_service_pb2.WatchGameRequest(game_id=table.game_id)
    stream: Any = table.stub.WatchGame(request, metadata=bearer(table.tokens[0]))

    def follow() -> None:
        with contextlib.suppress(grpc.RpcError):
            versions.extend(message.events.version for message in stream)

    following = threading.Thread(target=follow)
    following.start()

    def end() -> None:
        stream.cancel()
        following.join()

    return end


def _assert_sound(url: str) -> None:
    report = _report(url)
    assert report.sound, report.findings
    assert report.live > 0


def test_service_on_a_cluster_plays_on_through_a_failover(
    tmp_path: Path, cluster: valkeys.Cluster
) -> None:
    with (
        served(
            tmp_path, "--workers=2", "--no-front", "--redis-url", cluster.url, **SETTINGS
        ) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        key = service.running.platform_key
        table = _table_on(
            channel, key, lambda slot: cluster.replica_of(cluster.node_of(slot)) is not None
        )
        seen: list[int] = []
        end = _watch(table, seen)
        for number in range(5):
            _play(table, f"first-{number}")
        eventually(lambda: max(seen, default=0) >= 6)
        _play_during(table, lambda: cluster.fail_over_and_heal(_slot(table)))
        version = _patiently(table.version)
        assert version > 6
        eventually(lambda: max(seen) == version)
        end()
    _assert_sound(cluster.url)


def test_service_behind_sentinels_plays_on_through_a_failover(
    tmp_path: Path, watched: valkeys.Watched
) -> None:
    with (
        served(
            tmp_path,
            *("--workers=2", "--no-front", "--redis-url", watched.url),
            **SETTINGS,
            MEXTRAIN_REDIS_WAIT_REPLICAS="1",
        ) as service,
        channel_to(service.running.endpoint) as channel,
    ):
        table = new_table(channel, service.running.platform_key)
        made = _play_during(table, watched.fail_over_and_heal)
        assert 1 + made == _patiently(table.version)
    _assert_sound(watched.url)


def _slot(table: Table) -> int:
    return int(key_slot(game_keys(GameId(table.game_id)).snapshot.encode()))


def _table_on(channel: grpc.Channel, key: str, wanted: Callable[[int], bool]) -> Table:
    """Return a game in a slot that is wanted."""
    while True:
        table = new_table(channel, key)
        if wanted(_slot(table)):
            return table
