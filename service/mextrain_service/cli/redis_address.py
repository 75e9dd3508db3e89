"""Where the Redis is that a command looks at, and how it is asked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from mextrain_service.cli.complaints import CliError
from mextrain_service.local.discovery import find_running

if TYPE_CHECKING:
    from mextrain_service.storage import RedisClient

_Answer = TypeVar("_Answer")

RedisUrlOption = Annotated[
    str,
    typer.Option(
        envvar="MEXTRAIN_REDIS_URL",
        metavar="URL",
        help="Which Redis. Without it: the Valkey of the service that runs here.",
    ),
]


def asked(url: str, ask: Callable[[RedisClient], Awaitable[_Answer]]) -> _Answer:
    """Return what is found out with a client of the Redis, which is closed then.

    Args:
        url: its address; empty for that of a file, or of the service that runs here.
        ask: finds it out.

    Raises:
        CliError: there is no such Redis, or it does not answer.
    """
    from mextrain_service.storage import open_client  # noqa: PLC0415 - others start without it
    from mextrain_service.storage.failures import FAILURES  # noqa: PLC0415

    address = url or _url_of_file() or _own_url()

    async def run() -> _Answer:
        client = open_client(address)
        try:
            return await ask(client)
        finally:
            await client.aclose()

    try:
        return asyncio.run(run())
    except ValueError as error:
        raise CliError(f"This is no address of a Redis: {error}.") from None
    except FAILURES as error:
        raise CliError(f"The Redis does not answer: {error}") from None


def _url_of_file() -> str:
    """Return the address that a container gets as a file; empty if it gets none."""
    path = os.environ.get("MEXTRAIN_REDIS_URL_FILE", "")
    try:
        return Path(path).read_text("utf-8").strip() if path else ""
    except (OSError, UnicodeDecodeError):
        raise CliError(
            "The file with the address of Redis cannot be read.",
            "MEXTRAIN_REDIS_URL_FILE should name it; or name a Redis with --redis-url.",
        ) from None


def _own_url() -> str:
    running = find_running()
    if running is not None and running.redis_url:
        return running.redis_url
    raise CliError(
        "There is nothing to look at: no service with a Valkey of its own runs here.",
        "Name a Redis with --redis-url or MEXTRAIN_REDIS_URL.",
    )
