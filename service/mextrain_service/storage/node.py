"""One server of Redis, or the master that Sentinels point to: the connections to it.

Requests share one connection, but for a write that waits for replicas: it has one for itself
meanwhile, as the server takes nothing else from that connection. What each level of durability
promises is in `docs/durability.md`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import redis.exceptions as failure
from redis.asyncio import ConnectionPool

from mextrain_service.storage.pipelined_connection import Command, PipelinedConnection

_ASKING: Command = ("ASKING",)


class TooFewReplicasError(failure.RedisError):
    """The master has a write, and fewer replicas than asked for have it in time."""


@dataclass(frozen=True, slots=True)
class Durability:
    """How many replicas have a write before it counts.

    Attributes:
        replicas: that must have it; 0 leaves it to the master.
        wait_ms: how long to wait for them, in milliseconds.
    """

    replicas: int = 0
    wait_ms: int = 500

    @property
    def command(self) -> tuple[str, int, int]:
        """What to send after the write, over the same connection."""
        return ("WAIT", self.replicas, self.wait_ms)

    def require(self, reached: int) -> None:
        """Return if so many replicas are enough.

        Raises:
            TooFewReplicasError: they are not.
        """
        if reached < self.replicas:
            raise TooFewReplicasError(f"{reached} of {self.replicas} replicas have the write")


class Node:
    """A server. Where there is one, it is the whole `RedisClient`.

    Attributes:
        name: host and port of a node of a Cluster; empty where there is one server, or one master.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        durability: Durability,
        answer_timeout_s: float,
        *,
        name: str = "",
        leaves_replicas: bool = False,
    ) -> None:
        """Prepare to ask; the first command opens the first connection.

        Args:
            pool: opens the connections, and is closed with the node.
            durability: how many replicas have a write before it counts.
            answer_timeout_s: how long one answer may take, in seconds.
            name: host and port of a node of a Cluster.
            leaves_replicas: as `PipelinedConnection` takes it.
        """
        self.name = name
        self._pool = pool
        self._durability = durability
        self._pipe = PipelinedConnection(
            pool, answer_timeout_s, leaves_replicas=leaves_replicas, name=name or "master"
        )

    @property
    def is_away(self) -> bool:
        """Whether the server is known to be away."""
        return self._pipe.is_away

    def execute_command(
        self, *command: str | bytes | float, awaits_replicas: bool = False
    ) -> Awaitable[Any]:
        """Send one command and return its answer; see ``RedisClient.execute_command``.

        It returns what is to be waited for: a coroutine around it would cost each command as much
        as the rest of this.

        Raises:
            TooFewReplicasError: the server has the write, and too few replicas have it.
            KnownAwayError: the server is away, and was before; nothing was sent.
        """
        if awaits_replicas and self._durability.replicas:
            return self._execute_durably((command,))
        return self._pipe.ask(command)

    async def execute_asking(
        self, *command: str | bytes | float, awaits_replicas: bool = False
    ) -> Any:
        """Do as `execute_command` at the node that imports the slot of the command."""
        if awaits_replicas and self._durability.replicas:
            return await self._execute_durably((_ASKING, command))
        return (await self._pipe.ask_together((_ASKING, command)))[-1]

    async def masters(self) -> Sequence[Self]:
        """Return itself alone; see ``RedisClient.masters``."""
        return (self,)

    async def master_of(self, key: str) -> Self:
        """Return itself; see ``RedisClient.master_of``."""
        del key
        return self

    def new_connection(self) -> Any:
        """Return a connection of the client library that the caller opens and closes."""
        return self._pool.make_connection()  # type: ignore[no-untyped-call]

    async def aclose(self) -> None:
        """Close all connections but those of `new_connection`."""
        await self._pipe.aclose()
        await self._pool.aclose()

    async def _execute_durably(self, commands: Sequence[Command]) -> Any:
        """Send commands and `WAIT`, and return the answer to the last of them.

        Raises:
            ResponseError: the first of them that was refused.
        """
        await self._pipe.reach()
        connection: Any = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            packed = connection.pack_commands((*commands, self._durability.command))
            await connection.send_packed_command(packed)
            answers = [await _answer(connection) for _ in (*commands, "WAIT")]
        finally:
            await self._pool.release(connection)
        for answer in answers:
            if isinstance(answer, failure.ResponseError):
                raise answer
        self._durability.require(int(answers[-1]))
        return answers[-2]


async def _answer(connection: Any) -> Any:
    """Read one answer; a refusal is one too, as those after it must be read all the same."""
    try:
        return await connection.read_response()
    except failure.ResponseError as refusal:
        return refusal
