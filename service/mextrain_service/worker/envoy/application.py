"""What runs inside Envoy: a worker for as long as Envoy lives, and its calls."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import structlog

from mextrain_service.process.logs import configure
from mextrain_service.process.ports import PortUnavailableError
from mextrain_service.process.stopping import Stopping
from mextrain_service.rpc.envoy.server import HostedServer
from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.settings.model import LoggingSettings
from mextrain_service.worker.envoy import signals
from mextrain_service.worker.envoy.inheritance import Inheritance
from mextrain_service.worker.envoy.leaving import hear
from mextrain_service.worker.envoy.own_pages import OwnPages
from mextrain_service.worker.recurring import running
from mextrain_service.worker.worker import EXIT_REFUSED, refuse, serve

if TYPE_CHECKING:
    from mextrain_service.rpc.dispatcher import Dispatcher
    from mextrain_service.settings.model import Settings
    from mextrain_service.worker.worker_options import WorkerOptions

_Event = dict[str, Any]
_Receive = Callable[[], Awaitable[_Event]]
_Send = Callable[[_Event], Awaitable[None]]

_LAST_WORDS_S: Final = 1.0
"""How long the answers that were given may take to leave Envoy, in seconds."""

_LEAVING_S: Final = 0.5
"""How long it is waited for callers to go elsewhere with their next call, in seconds."""


class _Port(HostedServer):
    """The service as Envoy has it, with an end like that of any other server."""

    def __init__(self, settings: Settings, dispatcher: Dispatcher, pages: OwnPages) -> None:
        super().__init__(dispatcher, settings.limits.max_request_bytes)
        self._pages = pages

    async def start(self) -> None:
        """Do nothing: Envoy listens when the worker is put together."""

    async def stop(self, grace: float | None) -> None:
        """Close the port, and wait for the calls; connections in use are asked to go."""
        await self._pages.take_no_more()
        await self.drained(grace or 0.0)
        await self._pages.until_sent(_LAST_WORDS_S)
        await self._pages.until_left(min(grace or 0.0, _LEAVING_S))


class _Worker:
    """The worker in this process."""

    def __init__(self) -> None:
        self._port: _Port | None = None

    async def serve(self, scope: _Event, receive: _Receive, send: _Send) -> None:
        """Carry out one call."""
        assert self._port is not None, "Envoy listens when the worker is put together"
        await self._port.serve(scope, receive, send)

    async def live(self, receive: _Receive, send: _Send) -> None:
        """Serve until a signal comes, or Envoy is told to end; then end both."""
        configure(LoggingSettings())  # until the settings are read: a fault may come before
        await receive()
        inheritance = Inheritance.taken()
        code, ended = EXIT_REFUSED, asyncio.ensure_future(receive())
        try:
            pages = OwnPages(inheritance.own_pages)
            await self._run(inheritance, pages, send, ended)
        except SettingsError as error:
            refuse("these settings cannot be used:", *error.problems)
        except PortUnavailableError as error:
            refuse(str(error))
        except Exception as fault:  # noqa: BLE001 - this is where all of them end
            structlog.get_logger("mextrain.worker").exception("fault", exc_info=fault)
            code = 1
        else:
            await pages.quit()
            with suppress(TimeoutError):  # whoever removed the socket of its pages, it ends
                await asyncio.wait_for(ended, _LAST_WORDS_S)
            code = 0
        finally:
            shutil.rmtree(inheritance.folder, ignore_errors=True)
        sys.stderr.flush()
        # Envoy would go on without a service in it, or hold on to connections that nobody serves
        # while it takes itself apart, or have an exit code of its own.
        os._exit(code)

    async def _run(
        self,
        inheritance: Inheritance,
        pages: OwnPages,
        send: _Send,
        ended: asyncio.Future[_Event],
    ) -> None:
        settings = load()
        configure(settings.logging, worker=inheritance.place.index, traced=settings.tracing.enabled)
        stopping = Stopping()
        signals.listen(stopping)
        ended.add_done_callback(lambda _: stopping.asked.set())  # Envoy was told to end

        def opened(
            settings: Settings, dispatcher: Dispatcher, place: WorkerOptions
        ) -> tuple[_Port, str]:
            self._port = _Port(settings, dispatcher, pages)
            host = settings.server.host
            return self._port, f"{f'[{host}]' if ':' in host else host}:{place.port}"

        async def listening() -> None:
            await send({"type": "lifespan.startup.complete"})
            await pages.until_ready()

        async with running(hear(inheritance.left, self._caller_left), "callers that left"):
            await serve(settings, inheritance.place, stopping, opened, listening)

    def _caller_left(self, call: bytes) -> None:
        if self._port is not None:
            self._port.caller_left(call)


_worker: Final = _Worker()


async def application(scope: _Event, receive: _Receive, send: _Send) -> None:
    """Serve one call, or be the worker; the application of ASGI."""
    if scope["type"] == "http":
        await _worker.serve(scope, receive, send)
    else:
        await _worker.live(receive, send)
