"""One service with its front for all the tests here: two workers, a real Envoy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.local.self_started import self_started
from tests.front.rest import Rest


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    with self_started(workers=2, front=True) as service:
        yield service


@pytest.fixture
def platform(running: Running) -> Rest:
    return Rest(running.http_url, running.platform_key)


@pytest.fixture
def nobody(running: Running) -> Rest:
    return Rest(running.http_url)
