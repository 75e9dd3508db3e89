"""Finds the service that a command plays on: named, running on this machine, or started for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from mextrain_client import MextrainClient
from mextrain_service.cli.complaints import CliError
from mextrain_service.local.discovery import find_running
from mextrain_service.local.self_started import self_started

EndpointOption = Annotated[
    str,
    typer.Option(
        "--endpoint",
        envvar="MEXTRAIN_ENDPOINT",
        metavar="HOST:PORT",
        help="A service to play on. Without it: the one that runs on this machine, or a new one.",
        rich_help_panel="Service",
    ),
]
KeyOption = Annotated[
    str,
    typer.Option(
        "--key",
        envvar="MEXTRAIN_PLATFORM_KEY",
        help="The platform's key for --endpoint.",
        rich_help_panel="Service",
    ),
]
OwnOption = Annotated[
    bool,
    typer.Option(
        "--own",
        help="Start a service for this command alone, whatever runs.",
        rich_help_panel="Service",
    ),
]


@dataclass(frozen=True, slots=True)
class Reached:
    """A service that can be called.

    Attributes:
        endpoint: ``host:port``.
        key: a platform's key.
        origin: where it comes from, in words.
    """

    endpoint: str
    key: str
    origin: str


@contextmanager
def reached(endpoint: str, key: str, *, own: bool) -> Iterator[Reached]:
    """Yield a service to play on; one that was started for it ends with the context.

    Raises:
        CliError: an endpoint without a key, or with ``own``.
        MextrainError: nothing that is a service answers at the endpoint.
        SelfStartError: none runs, and none could be started.
    """
    if endpoint and own:
        raise CliError("--own starts a service and --endpoint names another: give one of them.")
    if endpoint:
        if not key:
            raise CliError(
                f"Creating a game on {endpoint} takes a platform's key.",
                "Give it with --key or MEXTRAIN_PLATFORM_KEY.",
            )
        _require_answer(endpoint)
        yield Reached(endpoint, key, f"the service at {endpoint}")
        return
    running = None if own else find_running()
    if running is not None and (key or running.platform_key):
        origin = f"the running service at {running.endpoint}"
        yield Reached(running.endpoint, key or running.platform_key, origin)
        return
    with self_started() as started:
        origin = f"a service of its own at {started.endpoint}"
        yield Reached(started.endpoint, started.platform_key, origin)


def _require_answer(endpoint: str) -> None:
    """Ask for what anyone may ask, once: a wrong address is said at once, not after repeating."""
    with MextrainClient(endpoint, patience_s=0) as anyone:
        anyone.list_presets()
