"""One worker process: from its settings to its last answer."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, Final

import structlog

from mextrain_service.process.child import report
from mextrain_service.process.logs import configure
from mextrain_service.process.ports import PortUnavailableError
from mextrain_service.process.stopping import Stopping
from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.settings.model import Transport
from mextrain_service.worker import collector
from mextrain_service.worker.composition import Opening, build_worker
from mextrain_service.worker.envoy.launch import become_host
from mextrain_service.worker.grpc_server import grpc_server
from mextrain_service.worker.worker_options import WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from mextrain_service.settings.model import Settings


EXIT_REFUSED: Final = 78
"""How a worker ends that cannot start as it is set; ``EX_CONFIG`` of sysexits.h."""


def run(settings: Settings | None = None, place: WorkerOptions | None = None) -> int:
    """Serve until SIGTERM or SIGINT.

    Args:
        settings: read from the environment if not given.
        place: where this worker stands among others; alone if not given.

    Returns:
        the exit code: 0 after a stop that was asked for, ``EXIT_REFUSED`` if it cannot start as it
        is set; why is on standard error.
    """
    try:
        chosen = settings if settings is not None else load()
        where = place if place is not None else WorkerOptions()
        configure(chosen.logging, worker=where.index, traced=chosen.tracing.enabled)
        if chosen.server.transport is Transport.ENVOY:
            become_host(chosen, where)
        asyncio.run(_serve(chosen, where))
    except SettingsError as error:
        return refuse("these settings cannot be used:", *error.problems)
    except PortUnavailableError as error:
        return refuse(str(error))
    return 0


def refuse(*lines: str) -> int:
    """Say why a worker cannot start, and return the exit code that says so."""
    sys.stderr.write("A worker cannot start: " + "\n  ".join(lines) + "\n")
    return EXIT_REFUSED


async def _serve(settings: Settings, place: WorkerOptions) -> None:
    stopping = Stopping()
    stopping.listen()
    await serve(settings, place, stopping)


async def _at_once() -> None:
    """Wait for nothing: who is put together listens."""


async def serve(
    settings: Settings,
    place: WorkerOptions,
    stopping: Stopping,
    opening: Opening = grpc_server,
    listening: Callable[[], Awaitable[None]] = _at_once,
) -> None:
    """Serve until asked to stop.

    Args:
        settings: all of them.
        place: where the worker stands among others.
        stopping: asks it.
        opening: makes the server that carries calls.
        listening: returns when that takes calls, once the worker is put together.

    Raises:
        PortUnavailableError: a port is taken.
        SettingsError: a file that they name cannot be used.
    """
    async with build_worker(settings, place, stopping.force_stop, opening) as worker:
        await listening()
        collector.freeze()
        report(place.report_descriptor, {"metrics_url": worker.metrics_url})
        structlog.get_logger("mextrain.worker").info(
            "listening", endpoint=worker.endpoint, metrics_url=worker.metrics_url
        )
        following = asyncio.create_task(
            worker.readiness.follow(settings.redis.ping_interval_ms / 1_000)
        )
        asked = asyncio.create_task(stopping.asked.wait())
        await asyncio.wait((following, asked), return_when=asyncio.FIRST_COMPLETED)
        if following.done():
            following.result()  # a fault of this program: end, to be started anew
        following.cancel()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a worker as its supervisor starts it; see ``run`` for the exit code."""
    parser = argparse.ArgumentParser(prog="mextrain worker")
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--report", type=int, default=None)
    parser.add_argument("--metrics-port", type=int, default=None)
    parser.add_argument("--socket", default=None)
    parser.add_argument("--fronts", action="store_true")
    given = parser.parse_args(arguments)
    return run(
        place=WorkerOptions(
            index=given.index,
            shares_port=given.report is not None,
            report_descriptor=given.report,
            metrics_port=given.metrics_port,
            socket=given.socket,
            fronts=given.fronts,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
