"""Whether this worker can take calls: gRPC health and the HTTP probes tell the same story."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import structlog
from grpc_health.v1 import health, health_pb2

from mextrain_service.application.ports import GameStore, StoreUnavailableError
from mextrain_service.worker.operator_port import Page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

SERVICE_NAME: Final = "mextrain.v1.GameService"
"""The health service's name for the game service. The empty name means the whole server."""

OPERATOR_NAME: Final = "mextrain.v1.OperatorService"
"""The service for operators; it is as healthy as the game service."""

_NAMES: Final = ("", SERVICE_NAME)
_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING


_AWAY_S: Final = 0.25
"""How often a store that is away is asked: it answers without being reached, until it is back."""


class Readiness:
    """Follows the store, until the worker is asked to stop.

    Liveness is another matter: it is whether the event loop answers at all, so a store that is
    away never gets a worker killed.

    Attributes:
        servicer: the gRPC health service to register; NOT_SERVING under every name at first.
    """

    def __init__(
        self,
        store: GameStore,
        begin: Callable[[], Awaitable[None]],
        on_first_ready: Callable[[], None],
    ) -> None:
        """Take what is followed, what comes before the first call, and who is told of that.

        ``begin`` is called at each look, and raises as the store does while it is not done.
        """
        self.servicer = health.aio.HealthServicer()  # type: ignore[attr-defined]  # stubs lag
        self._store = store
        self._begin = begin
        self._on_first_ready = on_first_ready
        self._was_ready = False
        self._state = "starting"
        self._log = structlog.get_logger("mextrain.health")

    async def begin(self) -> None:
        """Answer NOT_SERVING under every name: the library starts the empty one as SERVING."""
        for name in _NAMES:
            await self.servicer.set(name, _NOT_SERVING)

    async def follow(self, interval_s: float) -> None:
        """Ask the store again and again, and tell; ends when it is cancelled.

        Args:
            interval_s: the pause, in seconds; a quarter of a second at most while it is away.
        """
        while True:
            await self.check()
            await asyncio.sleep(interval_s if self.is_ready else min(interval_s, _AWAY_S))

    async def check(self) -> None:
        """Ask the store once, and tell."""
        try:
            await self._store.ping()
            await self._begin()
        except StoreUnavailableError as error:
            await self._tell("store_unavailable", _NOT_SERVING, error=str(error))
        else:
            await self._tell("ready", _SERVING)

    async def stop(self) -> None:
        """Answer NOT_SERVING from now on, whatever the store does."""
        self._state = "stopping"
        await self.servicer.enter_graceful_shutdown()

    def live_page(self) -> Page:
        """Answer the liveness probe: 200 whenever the event loop gets here."""
        return Page(b"ok\n")

    @property
    def is_ready(self) -> bool:
        """Whether calls are taken."""
        return self._state == "ready"

    def ready_page(self) -> Page:
        """Answer the readiness probe: 200 or 503, with the state's name."""
        status = HTTPStatus.OK if self.is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return Page(f"{self._state}\n".encode(), status)

    async def _tell(self, state: str, status: int, error: str = "") -> None:
        if self._state in (state, "stopping"):
            return
        self._state = state
        for name in _NAMES:
            await self.servicer.set(name, status)
        if state == "ready":
            self._log.info("readiness", state=state)
        else:
            self._log.warning("readiness", state=state, error=error)
        if state == "ready" and not self._was_ready:
            self._was_ready = True
            self._on_first_ready()
