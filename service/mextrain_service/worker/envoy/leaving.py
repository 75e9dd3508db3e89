"""How Envoy tells which callers are gone: by a pipe, a line for each call.

ASGI would tell who asks; but who has sent a whole request is not watched by ``pyvoy``, so that a
stream nobody reads would go on until its next message.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path


def pipe(path: Path) -> int:
    """Make a pipe that a process and what it becomes read from, and others write to by its path."""
    os.mkfifo(path, 0o600)
    reading = os.open(path, os.O_RDWR | os.O_NONBLOCK)  # held open, so that no writer has to wait
    os.set_inheritable(reading, True)
    return reading


async def hear(descriptor: int, tell: Callable[[bytes], None]) -> None:
    """Tell each line of a pipe, until this is cancelled."""
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
    )
    try:
        async for line in reader:
            tell(line.rstrip())
    finally:
        transport.close()
