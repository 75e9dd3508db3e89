"""One service and one browser for all the tests here; windows for each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from mextrain_service.local.discovery import Running
from mextrain_service.local.self_started import self_started
from tests.front.rest import Rest
from tests.web.browser import Windows, chromium
from tests.web.wire import NewWire, wire_to


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    with self_started(workers=2, front=True) as service:
        yield service


@pytest.fixture
def platform(running: Running) -> Rest:
    return Rest(running.http_url, running.platform_key)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def new_wire(running: Running) -> AsyncIterator[NewWire]:
    async with AsyncExitStack() as wires:
        yield lambda: wires.enter_async_context(wire_to(running.http_url))


@pytest_asyncio.fixture(loop_scope="session")
async def windows(browser: Browser, new_wire: NewWire) -> AsyncIterator[Windows]:
    """Closed before the wires are, lest pages complain of those."""
    opened = Windows(browser)
    yield opened
    await opened.close()
    assert [] == opened.complaints
