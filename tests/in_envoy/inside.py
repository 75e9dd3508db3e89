"""The worker of the tests, inside Envoy: what any other serves, over the transport under test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from mextrain_service.process.logs import configure
from mextrain_service.rpc.envoy.server import HostedServer
from mextrain_service.settings.model import LogFormat, LoggingSettings
from mextrain_service.storage import RedisGameStore
from mextrain_service.worker.envoy.leaving import hear
from tests.in_envoy.shared import Shared
from tests.rpc.serving import MAX_REQUEST_BYTES, RETENTION, opened
from tests.storage.library import open_redis
from tests.storage.limits import PATIENT

LEFT = "LEFT_OF_TESTS"
"""The variable with the end of the pipe that names calls whose callers are gone."""

_Event = dict[str, Any]
_server: list[HostedServer] = []


async def application(
    scope: _Event,
    receive: Callable[[], Awaitable[_Event]],
    send: Callable[[_Event], Awaitable[None]],
) -> None:
    """Serve one call, or be the worker."""
    if scope["type"] == "http":
        await _server[0].serve(scope, receive, send)
        return
    await receive()
    configure(LoggingSettings(format=LogFormat.JSON))
    shared = Shared.taken()
    redis = open_redis(shared.redis_url, PATIENT)
    # Tests give different games the same name, each to a worker that knew none of them.
    forgetful = RedisGameStore(redis, replace(RETENTION, remembered_games=0))
    async with opened(shared.house(redis), forgetful) as door:
        server = HostedServer(door, MAX_REQUEST_BYTES)
        _server.append(server)
        hearing = asyncio.create_task(hear(int(os.environ[LEFT]), server.caller_left))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        hearing.cancel()
    await redis.aclose()
    await send({"type": "lifespan.shutdown.complete"})
