"""The commands that run the service: ``serve``, ``worker``, ``config``.

Turns words of the command line into calls of ``main``; knows nothing of how a service is run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.command("serve")(serve)
    app.command("worker", hidden=True)(worker)
    app.command("front", hidden=True)(front)
    config = typer.Typer(help="Show and check the settings.", no_args_is_help=True)
    config.command("check")(check)
    config.command("reference")(reference)
    app.add_typer(config, name="config")


def serve(
    host: Annotated[str | None, typer.Option(help="Address of the gRPC port.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="gRPC port; 0 picks free ones. [7300]")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=0, max=64, help="Worker processes; 0 is one per core. [0]")
    ] = None,
    redis_url: Annotated[
        str | None, typer.Option(help="An existing Redis or Valkey; by default, its own.")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Keep games and keys here over restarts.")
    ] = None,
    front: Annotated[
        bool, typer.Option("--front/--no-front", help="Start the HTTP front (REST and more) too.")
    ] = True,
    http_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the HTTP front; 0 is free. [7380]")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="When ready, print one line of JSON instead.")
    ] = False,
) -> None:
    """Run the service on this machine: store, workers, keys. Ctrl-C stops all of it."""
    # Imported here, as is all of the service: the other commands start without it.
    from mextrain_service.local.plan import ServeOptions  # noqa: PLC0415
    from mextrain_service.local.supervisor import serve as run  # noqa: PLC0415

    options = ServeOptions(
        host=host,
        port=port,
        workers=workers,
        redis_url=redis_url,
        data_dir=str(data_dir) if data_dir is not None else None,
        front=front,
        http_port=http_port,
        as_json=as_json,
    )
    raise typer.Exit(run(options))


def worker() -> None:
    """Run one worker with the settings of the environment, as a container does."""
    from mextrain_service.worker.worker import run  # noqa: PLC0415

    raise typer.Exit(run())


def front(
    workers: Annotated[
        str, typer.Option(help="NAME:PORT of the workers; each address of the name is a worker.")
    ],
) -> None:
    """Run the HTTP front alone, before workers that are there, as a container does."""
    from mextrain_service.front.alone import run  # noqa: PLC0415
    from mextrain_service.front.configuration import Address  # noqa: PLC0415

    name, _, workers_port = workers.rpartition(":")
    if not name or not workers_port.isdecimal():
        raise typer.BadParameter("should be NAME:PORT", param_hint="--workers")
    raise typer.Exit(run(Address(name, int(workers_port))))


def check() -> None:
    """Show the settings in effect, or everything that is wrong with them."""
    from mextrain_service.settings.loading import SettingsError, load  # noqa: PLC0415
    from mextrain_service.settings.reference import in_effect  # noqa: PLC0415

    try:
        settings = load()
    except SettingsError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        raise typer.Exit(1) from None
    rows = tuple(in_effect(settings))
    width = max(len(row.variable) for row in rows)
    for row in rows:
        print(f"{row.variable:<{width}}  {row.value}{'' if row.given else '  (default)'}")


def reference() -> None:
    """Print the reference of all settings, in Markdown."""
    from mextrain_service.settings.reference import reference as text  # noqa: PLC0415

    print(text())
