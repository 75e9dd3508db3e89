"""A front by itself, before workers that something else runs: what a container of its own does."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from mextrain_service.front.binary import envoy_program
from mextrain_service.front.configuration import Address, FrontTerms
from mextrain_service.front.planning import ENVOY_MISSING, FrontPlan, front_terms
from mextrain_service.front.process import FrontProcess
from mextrain_service.front.tls import require_sound
from mextrain_service.process.logs import configure
from mextrain_service.process.run_dir import RunDir
from mextrain_service.process.stopping import Stopping
from mextrain_service.settings.loading import SettingsError, load_front
from mextrain_service.settings.model import FrontAloneSettings

EXIT_REFUSED: Final = 78
"""How a front ends that cannot start as it is set; ``EX_CONFIG`` of sysexits.h."""


def run(workers: Address) -> int:
    """Serve until SIGTERM or SIGINT, with the settings of the environment.

    Args:
        workers: the name that stands for all workers, and their port.

    Returns:
        the exit code: 0 after a stop that was asked for, ``EXIT_REFUSED`` if it cannot start as it
        is set, 1 if Envoy is missing or ended by itself; why is on standard error.
    """
    try:
        return _run(load_front(), workers)
    except SettingsError as error:
        problems = "\n  ".join(("these settings cannot be used:", *error.problems))
        return _refuse(problems, EXIT_REFUSED)


def _run(settings: FrontAloneSettings, workers: Address) -> int:
    configure(settings.logging)
    require_sound(settings.server, settings.front)
    program = envoy_program()
    if program is None:
        return _refuse(ENVOY_MISSING, 1)
    folder = RunDir("front")
    try:
        terms = _terms(settings, folder.path, workers)
        plan = FrontPlan(program, folder.path, terms, settings.front.threads)
        return asyncio.run(_serve(plan))
    finally:
        folder.remove()


def _refuse(why: str, exit_code: int) -> int:
    sys.stderr.write(f"The front cannot start: {why}\n")
    return exit_code


def _terms(settings: FrontAloneSettings, folder: Path, workers: Address) -> FrontTerms:
    front = settings.front
    return front_terms(
        settings,
        folder,
        listen=Address(front.host, front.port),
        admin=Address("127.0.0.1", front.admin_port),
        operator=Address(settings.metrics.host, front.metrics_port),
        workers=workers,
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
