"""Warns, as long as the worker runs, when the store may lose what was acknowledged."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Final

import structlog
from prometheus_client import Gauge

from mextrain_service.storage.failures import FAILURES
from mextrain_service.storage.server_check import NOTES, ServerFault, check_servers
from mextrain_service.worker.recurring import running

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractAsyncContextManager

    from prometheus_client import CollectorRegistry

    from mextrain_service.storage.connection import RedisClient
    from mextrain_service.storage.server_check import ServerFinding

_AGAIN_S: Final = 60.0
"""How long until it looks again: somebody may have put it right, or not, in seconds."""

_AWAY_S: Final = 1.0
"""How long until it looks again when the store did not answer, in seconds."""


class StoreCheck:
    """Looks at the start, and then from time to time. It never keeps a worker from serving."""

    def __init__(
        self, client: RedisClient, wait_replicas: int, registry: CollectorRegistry
    ) -> None:
        """Take the store, for how many replicas a change waits, and where metrics go."""
        self._client = client
        self._wait_replicas = wait_replicas
        self._known: frozenset[ServerFinding] = frozenset()
        self._log = structlog.get_logger("mextrain.store")
        self._faults = Gauge(
            "mextrain_store_faults",
            "Servers of the store that are set so that acknowledged changes can be lost.",
            ("fault",),
            registry=registry,
        )
        self._count(())

    def checking(self) -> AbstractAsyncContextManager[None]:
        """Look as long as the context is open."""
        return running(self._run(), "store check")

    async def check(self) -> None:
        """Look once, and warn of what was not wrong before.

        Raises:
            RedisError, OSError: a server does not answer.
        """
        found = await check_servers(self._client, self._wait_replicas)
        for finding in found:
            if finding not in self._known:
                self._tell(finding)
        for finding in self._known.difference(found):
            self._log.info(
                "the store is set right again", setting=finding.setting, node=finding.node
            )
        self._known = frozenset(found)
        self._count(found)

    async def _run(self) -> None:
        while True:
            try:
                await self.check()
            except FAILURES:  # readiness says that it is away
                await asyncio.sleep(_AWAY_S)
            except Exception:  # noqa: BLE001 - whatever it is, calls are served all the same
                self._log.exception("the store cannot be checked")
                return
            else:
                await asyncio.sleep(_AGAIN_S)

    def _tell(self, finding: ServerFinding) -> None:
        log = self._log.warning if finding.serious else self._log.info
        log(
            "the store is set wrong" if finding.serious else "the store may be set wrong",
            fault=finding.fault.value,
            setting=finding.setting,
            set_to=finding.value,
            advice=finding.advice,
            node=finding.node,
        )

    def _count(self, found: Iterable[ServerFinding]) -> None:
        counts = Counter(finding.fault for finding in found)
        for fault in ServerFault:
            if fault not in NOTES:
                self._faults.labels(fault.value).set(counts[fault])
