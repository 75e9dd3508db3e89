"""What was acknowledged stays, and what is repeated is made once, whatever is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from redis import Redis

from mextrain_service.local.embedded import EmbeddedValkey
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import Command, children, fetch, page, served, workers
from tests.worker.table import (
    Table,
    bearer,
    channel_to,
    failure_of,
    new_table,
    reason_of,
    unless_away,
)

_PATIENT = {
    "MEXTRAIN_REDIS_TIMEOUT_MS": "20000",
    "MEXTRAIN_LIMITS_MAX_DEADLINE_MS": "20000",
}


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey(tmp_path / "valkey") as server:
        yield server


@contextmanager
def _table_on(service: Command) -> Iterator[Table]:
    with channel_to(service.running.endpoint) as channel:
        yield new_table(channel, service.running.platform_key)


@contextmanager
def _writes_held(valkey: EmbeddedValkey) -> Iterator[None]:
    """Let every write wait until the context closes."""
    with Redis.from_url(valkey.url) as client:
        client.execute_command("CLIENT", "PAUSE", "60000", "WRITE")
        yield
        client.execute_command("CLIENT", "UNPAUSE")


def _kill_workers(service: Command) -> None:
    for pid in workers(service.process.pid):
        os.kill(pid, signal.SIGKILL)


def _in_flight(service: Command) -> bool:
    return any(
        "mextrain_calls_in_flight 1.0" in fetch(url)[1] for url in service.running.metrics_urls
    )


def test_an_acknowledged_move_is_there_and_made_once_after_its_worker_was_killed(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--workers=2") as service, _table_on(service) as table:
        seat, move = table.next_move()
        request = table.play_request(move, request_id="the-only-one")
        acknowledged = table.play(seat, request)
        _kill_workers(service)
        repeated = table.play_patiently(seat, request)
        assert repeated.events == acknowledged.events
        assert repeated.view.version == acknowledged.view.version
        assert table.version() == acknowledged.view.version


def test_a_move_is_made_once_when_its_worker_is_killed_before_it_could_answer(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with (
        served(tmp_path, "--workers=1", f"--redis-url={valkey.url}", **_PATIENT) as service,
        _table_on(service) as table,
    ):
        before = table.version()
        seat, move = table.next_move()
        request = table.play_request(move, request_id="the-only-one")
        with _writes_held(valkey):
            lost = table.stub.PlayMove.future(
                request, metadata=bearer(table.tokens[seat]), timeout=WITHIN_S
            )
            eventually(lambda: _in_flight(service))
            _kill_workers(service)
            assert failure_of(lost.result).code() is grpc.StatusCode.UNAVAILABLE
        repeated = table.play_patiently(seat, request)
        assert repeated.view.version == before + 1
        assert table.version() == before + 1


def test_a_call_in_flight_is_answered_when_the_service_is_asked_to_stop(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with (
        served(tmp_path, "--workers=1", f"--redis-url={valkey.url}", **_PATIENT) as service,
        _table_on(service) as table,
    ):
        before = table.version()
        seat, move = table.next_move()
        with _writes_held(valkey):
            answer = table.stub.PlayMove.future(
                table.play_request(move),
                metadata=bearer(table.tokens[seat]),
                timeout=WITHIN_S,
            )
            eventually(lambda: _in_flight(service))
            service.process.send_signal(signal.SIGTERM)
            (url,) = service.running.metrics_urls
            eventually(lambda: page(url, "/readyz") == (503, "stopping\n"))
            assert not answer.done()
        assert answer.result(timeout=WITHIN_S).view.version == before + 1
        assert service.process.wait(WITHIN_S) == 0


def test_a_call_fails_with_a_reason_while_the_store_is_away_and_works_when_it_is_back(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with (
        served(tmp_path, "--workers=1", f"--redis-url={valkey.url}") as service,
        _table_on(service) as table,
    ):
        before = table.version()
        seat, move = table.next_move()
        request = table.play_request(move, request_id="patience")
        valkey.stop()
        refused = failure_of(lambda: table.play(seat, request))
        assert refused.code() is grpc.StatusCode.UNAVAILABLE
        assert reason_of(refused) == "STORE_UNAVAILABLE"
        valkey.start()
        assert table.play_patiently(seat, request).view.version == before + 1


def test_an_own_store_is_started_again_with_its_games_when_it_was_killed(tmp_path: Path) -> None:
    with (
        served(tmp_path, "--workers=1", "--no-front", f"--data-dir={tmp_path / 'data'}") as service,
        _table_on(service) as table,
    ):
        before = table.version()
        (store,) = children(service.process.pid) - workers(service.process.pid)
        with Redis.from_url(service.running.redis_url) as client:  # it holds back during a sync
            eventually(lambda: not client.info("persistence")["aof_buffer_length"])
        os.kill(store, signal.SIGKILL)
        seat, move = eventually(lambda: unless_away(table.next_move))
        table.play_patiently(seat, table.play_request(move, request_id="after"))
        assert table.version() == before + 1


def test_games_and_keys_are_there_after_a_restart_when_there_is_a_data_folder(
    tmp_path: Path,
) -> None:
    folder = f"--data-dir={tmp_path / 'data'}"
    with served(tmp_path, "--workers=1", folder) as first, _table_on(first) as table:
        seat, move = table.next_move()
        version = table.play(seat, table.play_request(move)).view.version
    with (
        served(tmp_path, "--workers=1", folder) as second,
        channel_to(second.running.endpoint) as channel,
    ):
        again = Table(type(table.stub)(channel), table.platform_key, table.game_id, table.tokens)
        assert again.version() == version
