"""The Lua scripts of the store: read from the package once, run by digest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import resources
from typing import Any

from redis.exceptions import NoScriptError

from mextrain_service.storage.connection import RedisCommands

Argument = bytes | str | int

_READS_ONLY = b"no-writes"


class Script:
    """One script, the same for every connection."""

    def __init__(self, name: str) -> None:
        """Read a script of this package by its name, without the ending.

        Raises:
            FileNotFoundError: the package has no such script.
        """
        file = resources.files(__package__) / "scripts" / f"{name}.lua"
        self._text = file.read_bytes()
        self._digest = hashlib.sha1(self._text, usedforsecurity=False).hexdigest()
        self._writes = _READS_ONLY not in self._text.partition(b"\n")[0]

    async def run(
        self, client: RedisCommands, keys: Sequence[str], arguments: Sequence[Argument] = ()
    ) -> Any:
        """Run the script: one round trip, or two on a server that does not know it yet.

        A server forgets its scripts when it restarts; the full text then both runs and teaches
        it, which is safe because a script that was not known has not run. What a script writes is
        as durable as the client was opened for, unless its first line says `no-writes`.
        """
        tail = (len(keys), *keys, *arguments)
        send, waits = client.execute_command, self._writes
        try:
            return await send("EVALSHA", self._digest, *tail, awaits_replicas=waits)
        except NoScriptError:
            return await send("EVAL", self._text, *tail, awaits_replicas=waits)
