"""Runs a whole service on one machine until it is asked to stop."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog

from mextrain_service.front.process import FrontProcess
from mextrain_service.local.banner import Notes, print_banner, print_facts
from mextrain_service.local.discovery import Running, announced
from mextrain_service.local.embedded import EmbeddedValkey, EmbeddedValkeyError
from mextrain_service.local.local_keys import LOCAL_PLATFORM
from mextrain_service.local.plan import DataFolderError, Plan, ServeOptions, planned
from mextrain_service.local.worker_process import WorkerProcess, WorkerTerms
from mextrain_service.process.child import ChildFailedError
from mextrain_service.process.logs import configure
from mextrain_service.process.ports import PortUnavailableError
from mextrain_service.process.stopping import Stopping
from mextrain_service.settings.loading import SettingsError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_STOP_MARGIN_S: Final = 5.0
_SLOW_START_S: Final = 5.0
_VALKEY_CHECK_S: Final = 0.5
_CONTAINER: Final = "container"
"""The variable by which the image, and engines such as podman, name what contains a process."""


def serve(options: ServeOptions) -> int:
    """Run the service until SIGINT or SIGTERM; leave no process and no file behind.

    Returns:
        the exit code: 0 after a stop that was asked for; 1 if it could not be started, why is on
        standard error.
    """
    try:
        with planned(options) as plan:
            configure(plan.settings.logging)
            asyncio.run(_run(plan, options))
    except KeyboardInterrupt:  # before there was anything to stop
        return 0
    except SettingsError as error:
        return _refuse("these settings cannot be used:", *error.problems)
    except (ChildFailedError, DataFolderError, EmbeddedValkeyError, PortUnavailableError) as error:
        return _refuse(str(error))
    return 0


def _refuse(*lines: str) -> int:
    sys.stderr.write("Mextrain cannot start: " + "\n  ".join(lines) + "\n")
    return 1


async def _run(plan: Plan, options: ServeOptions) -> None:
    stopping = Stopping()
    stopping.listen()
    async with _kept_running(plan, stopping) as kept:
        if not await _all_ready(kept, stopping):
            return
        workers = kept.workers
        running = _running(plan, workers)
        async with AsyncExitStack() as stack:
            if options.announce:
                _announce(stack, running)
            if options.as_json:
                print_facts(running, sys.stdout)
            else:
                print_banner(running, _notes(plan), sys.stdout)
            await stopping.asked.wait()


def _announce(stack: AsyncExitStack, running: Running) -> None:
    """Let commands in other terminals find the service; it is of use without that too."""
    try:
        stack.enter_context(announced(running))
    except OSError as error:
        structlog.get_logger("mextrain.supervisor").warning("not announced", error=str(error))


def _notes(plan: Plan) -> Notes:
    server = plan.settings.server
    return Notes(
        store=plan.store,
        no_front=plan.no_front,
        front_admin_url=plan.front.admin_url if plan.front else "",
        certificate=server.tls_cert_file,
        shows_certificate=server.tls_client_ca_file is not None,
        in_container=bool(os.environ.get(_CONTAINER)),
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """What runs: the workers, and the front if there is one."""

    workers: Sequence[WorkerProcess]
    front: FrontProcess | None

    def ready(self) -> list[asyncio.Event]:
        """Return what is set when each of them takes calls."""
        front = [self.front.ready] if self.front else []
        return [*(worker.ready for worker in self.workers), *front]

    def kill(self) -> None:
        """End all of them at once."""
        for process in (*self.workers, *((self.front,) if self.front else ())):
            process.kill()


@asynccontextmanager
async def _kept_running(plan: Plan, stopping: Stopping) -> AsyncIterator[_Kept]:
    """Keep the workers, the front and the own Valkey running while the context is open.

    Raises:
        ChildFailedError: a worker or the front cannot be started; the others are stopped first.
    """
    server = plan.settings.server
    terms = WorkerTerms(
        environment=plan.environment,
        first_metrics_port=plan.metrics_port,
        stop_s=server.drain_delay_s + server.grace_s + _STOP_MARGIN_S,
        socket_folder=plan.front.folder if plan.front else None,
        fronts=plan.fronts,
    )
    workers = [WorkerProcess(index, terms) for index in range(plan.workers)]
    kept = _Kept(workers, FrontProcess(plan.front) if plan.front else None)
    try:
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(worker.keep_running()) for worker in workers]
            watching = [group.create_task(_kill_when_hurried(kept, stopping))]
            if kept.front is not None:
                watching.append(group.create_task(_keep_front(kept.front, workers)))
            if plan.valkey is not None:
                watching.append(group.create_task(_keep_valkey(plan.valkey)))
            yield kept
            if kept.front is not None:
                await kept.front.drain()  # it stays to bring home the answers of the workers
            await _cancel(running)
            await _cancel(watching)
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def _cancel(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def _keep_front(front: FrontProcess, workers: Sequence[WorkerProcess]) -> None:
    """Run the front from when there is something behind it."""
    await _all_set(worker.ready for worker in workers)
    await front.keep_running()


async def _all_ready(kept: _Kept, stopping: Stopping) -> bool:
    """Return True when everything takes calls, False when a stop is asked for before that."""
    serving = asyncio.create_task(_all_set(kept.ready()))
    asked = asyncio.create_task(stopping.asked.wait())
    try:
        done, _ = await asyncio.wait(
            (serving, asked), timeout=_SLOW_START_S, return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            structlog.get_logger("mextrain.supervisor").warning("still waiting for the store")
            await asyncio.wait((serving, asked), return_when=asyncio.FIRST_COMPLETED)
        return serving.done()
    finally:
        await _cancel((serving, asked))


async def _all_set(events: Iterable[asyncio.Event]) -> None:
    for event in events:
        await event.wait()


async def _kill_when_hurried(kept: _Kept, stopping: Stopping) -> None:
    await stopping.force_stop.wait()
    kept.kill()


async def _keep_valkey(valkey: EmbeddedValkey) -> None:
    """Start the own Valkey again if it ended; without a data folder its games are gone."""
    while True:
        await asyncio.sleep(_VALKEY_CHECK_S)
        if valkey.pid is None:
            structlog.get_logger("mextrain.supervisor").error("the store ended; starting it again")
            valkey.start()


def _running(plan: Plan, workers: Sequence[WorkerProcess]) -> Running:
    server = plan.settings.server
    host = "127.0.0.1" if server.host in ("0.0.0.0", "::", "[::]") else server.host  # noqa: S104
    return Running(
        endpoint=f"{host}:{server.port}",
        platform_key=plan.keys.platform_key if plan.keys else "",
        platform_id=LOCAL_PLATFORM if plan.keys else "",
        metrics_urls=tuple(worker.metrics_url for worker in workers),
        pid=os.getpid(),
        http_url=plan.http_url,
        redis_url=plan.valkey.url if plan.valkey else "",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a service as another program starts it, with its options as JSON."""
    (options,) = arguments if arguments is not None else sys.argv[1:]
    return serve(ServeOptions(**json.loads(options)))


if __name__ == "__main__":
    sys.exit(main())
