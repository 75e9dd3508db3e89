"""A worker warns when its store is set wrong, once, and says when it is right again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis import Redis
from structlog.testing import capture_logs

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import open_client
from mextrain_service.worker.store_check import StoreCheck
from tests.polling import eventually
from tests.worker.processes import fetch, log_lines, page, served


@pytest.fixture
def valkey() -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey() as server:
        yield server


def _set_policy(valkey: EmbeddedValkey, policy: str) -> None:
    with Redis.from_url(valkey.url) as client:
        client.config_set("maxmemory-policy", policy)


async def _events(check: StoreCheck) -> list[Any]:
    with capture_logs() as events:
        await check.check()
    return events


def _gauge(registry: CollectorRegistry, fault: str) -> float | None:
    return registry.get_sample_value("mextrain_store_faults", {"fault": fault})


async def test_store_check_warns_once_and_says_when_the_store_is_set_right_again(
    valkey: EmbeddedValkey,
) -> None:
    client, registry = open_client(valkey.url), CollectorRegistry()
    check = StoreCheck(client, 0, registry)
    assert [] == await _events(check)
    assert 0 == _gauge(registry, "evicts")
    _set_policy(valkey, "allkeys-lru")
    (warning,) = await _events(check)
    assert ("warning", "evicts", "maxmemory-policy", "allkeys-lru") == (
        *(warning["log_level"], warning["fault"]),
        *(warning["setting"], warning["set_to"]),
    )
    assert "noeviction" in warning["advice"]
    assert 1 == _gauge(registry, "evicts")
    assert [] == await _events(check)
    _set_policy(valkey, "noeviction")
    (right,) = await _events(check)
    assert ("info", "maxmemory-policy") == (right["log_level"], right["setting"])
    assert 0 == _gauge(registry, "evicts")
    await client.aclose()


def test_worker_warns_at_its_start_and_serves_when_the_store_evicts(
    valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    _set_policy(valkey, "allkeys-lru")
    with served(tmp_path, "--workers=1", "--no-front", "--redis-url", valkey.url) as service:
        (line,) = eventually(lambda: _warnings(service.logged()))
        (url,) = service.running.metrics_urls
        assert 'mextrain_store_faults{fault="evicts"} 1.0' in fetch(url)[1]
        assert "ready\n" == page(url, "/readyz")[1]
    assert ("warning", "evicts", "maxmemory-policy", "allkeys-lru") == (
        *(line["level"], line["fault"], line["setting"], line["set_to"]),
    )
    assert "noeviction" in str(line["advice"])


def _warnings(text: str) -> list[dict[str, object]]:
    return [line for line in log_lines(text) if line["event"] == "the store is set wrong"]
