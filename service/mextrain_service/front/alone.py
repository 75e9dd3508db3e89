"""A front by itself, before workers that something else runs: what a container of its own does."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Final

import structlog

from mextrain_service.front.binary import envoy_program
from mextrain_service.front.configuration import Address, FrontTerms
from mextrain_service.front.planning import ENVOY_MISSING, FrontPlan
from mextrain_service.front.process import FrontProcess
from mextrain_service.process.logs import configure, writes_json
from mextrain_service.process.run_dir import RunDir
from mextrain_service.process.stopping import Stopping
from mextrain_service.settings.loading import SettingsError, load_front
from mextrain_service.settings.model import FrontAloneSettings

EXIT_REFUSED: Final = 78
"""How a front ends that cannot start as it is set; ``EX_CONFIG`` of sysexits.h."""

_MS: Final = 1_000


def run(workers: Address) -> int:
    """Serve until SIGTERM or SIGINT, with the settings of the environment.

    Args:
        workers: the name that stands for all workers, and their port.

    Returns:
        the exit code: 0 after a stop that was asked for, ``EXIT_REFUSED`` if it cannot start as it
        is set, 1 if Envoy is missing or ended by itself; why is on standard error.
    """
    try:
        settings = load_front()
    except SettingsError as error:
        problems = "\n  ".join(("these settings cannot be used:", *error.problems))
        return _refuse(problems, EXIT_REFUSED)
    configure(settings.logging)
    program = envoy_program()
    if program is None:
        return _refuse(ENVOY_MISSING, 1)
    folder = RunDir("front")
    try:
        plan = FrontPlan(program, folder.path, _terms(settings, workers), settings.front.threads)
        return asyncio.run(_serve(plan))
    finally:
        folder.remove()


def _refuse(why: str, exit_code: int) -> int:
    sys.stderr.write(f"The front cannot start: {why}\n")
    return exit_code


def _terms(settings: FrontAloneSettings, workers: Address) -> FrontTerms:
    front, server = settings.front, settings.server
    return FrontTerms(
        listen=Address(front.host, front.port),
        admin=Address("127.0.0.1", front.admin_port),
        operator=Address(settings.metrics.host, front.metrics_port),
        workers=workers,
        cors_origins=front.cors_origins,
        max_request_bytes=settings.limits.max_request_bytes,
        longest_call_s=settings.limits.max_deadline_ms / _MS,
        drain_s=server.drain_delay_s + server.grace_s,
        access_log=front.access_log and writes_json(settings.logging),
    )


async def _serve(plan: FrontPlan) -> int:
    """Run Envoy; when asked to stop, let its connections go first, as long as a worker would."""
    stopping = Stopping()
    stopping.listen()
    front = FrontProcess(plan)
    running = asyncio.create_task(front.run_once())
    asked = asyncio.create_task(stopping.asked.wait())
    await asyncio.wait((running, asked), return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        return running.result() or 1
    structlog.get_logger("mextrain.front").info("draining", delay_s=plan.terms.drain_s)
    await front.drain()
    force_stop = asyncio.create_task(stopping.force_stop.wait())
    await asyncio.wait(
        (running, force_stop), timeout=plan.terms.drain_s, return_when=asyncio.FIRST_COMPLETED
    )
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    return 0
