"""Hints from Redis: one connection to each node, however many games are listened for.

Sharded publish and subscribe: a channel lives on the node that has the slot of its game. Knows
channels and nodes; nothing of what a hint is about.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

import structlog

from mextrain_service.application.model import GameId, PlatformId
from mextrain_service.storage.breaker import FIRST_PAUSE_S, LONGEST_PAUSE_S
from mextrain_service.storage.failures import FAILURES
from mextrain_service.storage.keys import feed_key, game_keys

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mextrain_service.storage.connection import RedisClient
    from mextrain_service.storage.node import Node

_Hear = Callable[[bytes], None]
_Connection = Any  # what the Redis client connects with; of several classes without a common type

_CANCEL_AGAIN_S = 0.05
_LOOK_ROUND_S = 1.0
"""How often it is looked which node a channel belongs to, and whether a new one is wanted."""


class RedisChangeNotifier:
    """The `ChangeNotifier` of the service, alive while its `listening` context is open."""

    def __init__(self, client: RedisClient, feed_partitions: int = 8) -> None:
        """Listen where a client is connected to, over connections of its own.

        Args:
            client: connected to the store.
            feed_partitions: parts of a platform's feed.
        """
        self._feed_partitions = feed_partitions
        self._client = client
        self._wanted: dict[bytes, list[_Hear]] = {}
        self._lines: dict[str, _Line] = {}
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen while the context is open."""
        looking_round = asyncio.create_task(self._look_round())
        try:
            yield
        finally:
            await _end(looking_round)
            for line in self._lines.values():
                await line.close()

    @contextmanager
    def of_game(self, game_id: GameId, heard: Callable[[int], None]) -> Iterator[None]:
        """Call `heard` when the game was changed; see `ChangeNotifier`."""
        with self._on(game_keys(game_id).channel, lambda hint: heard(_version_in(hint))):
            yield

    @contextmanager
    def of_feed(self, platform_id: PlatformId, heard: Callable[[], None]) -> Iterator[None]:
        """Call `heard` when there is news of any game of a platform; see `ChangeNotifier`."""
        with ExitStack() as stack:
            for partition in range(self._feed_partitions):
                stack.enter_context(self._on(feed_key(platform_id, partition), lambda _: heard()))
            yield

    @contextmanager
    def _on(self, channel: str, heard: _Hear) -> Iterator[None]:
        name = channel.encode()
        self._wanted.setdefault(name, []).append(heard)
        self._changed.set()
        try:
            yield
        finally:
            self._wanted[name].remove(heard)
            if not self._wanted[name]:
                del self._wanted[name]
            self._changed.set()

    def _hear(self, channel: bytes, hint: bytes) -> None:
        for heard in tuple(self._wanted.get(channel, ())):
            heard(hint)

    async def _look_round(self) -> None:
        """Keep each channel on the line to its node."""
        while True:
            await self._place()
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_ROUND_S):
                    await self._changed.wait()
            self._changed.clear()

    async def _place(self) -> None:
        homes: dict[str, set[bytes]] = {}
        for channel in self._wanted:
            with suppress(*FAILURES):  # the node is not known just now: look again soon
                node = await self._client.master_of(channel.decode())
                homes.setdefault(node.name, set()).add(channel)
                if node.name not in self._lines:
                    self._lines[node.name] = _Line(node, self._hear)
        for home, line in tuple(self._lines.items()):
            wanted = homes.get(home, set())
            if not wanted and home:
                await self._lines.pop(home).close()
            else:
                await line.want(wanted)


class _Line:
    """One connection, and the channels that are subscribed to over it."""

    def __init__(self, node: Node, hear: Callable[[bytes, bytes], None]) -> None:
        self._node = node
        self._hear = hear
        self._wanted: set[bytes] = set()
        self._asked: set[bytes] = set()
        self._connection: _Connection | None = None
        self._log = structlog.get_logger("mextrain.notifier")
        self._running = asyncio.create_task(self._run())

    async def want(self, channels: set[bytes]) -> None:
        """Listen for these channels and no others."""
        self._wanted = channels
        if self._connection is not None:
            with suppress(*FAILURES):  # the reader sees the same, and begins anew
                await self._ask(self._connection)

    async def close(self) -> None:
        """Listen no more."""
        await _end(self._running)

    async def _run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while True:
            connection: _Connection = self._node.new_connection()
            try:
                await connection.connect()
                self._asked = set()
                self._connection = connection
                await self._ask(connection)
                pause_s = FIRST_PAUSE_S
                await self._listen(connection)
            except FAILURES as error:
                self._log.warning("hints lost", error=type(error).__name__, pause_s=pause_s)
            finally:
                self._connection = None
                await connection.disconnect(nowait=True)
            await asyncio.sleep(random.uniform(pause_s / 2, pause_s))  # noqa: S311 - spreads load
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _ask(self, connection: _Connection) -> None:
        """Subscribe to what is wanted, channel by channel, as they may be of several slots."""
        asked, self._asked = self._asked, set(self._wanted)
        for channel in self._wanted - asked:
            await connection.send_command("SSUBSCRIBE", channel)
        for channel in asked - self._wanted:
            await connection.send_command("SUNSUBSCRIBE", channel)

    async def _listen(self, connection: _Connection) -> None:
        """Pass on what is heard; that a subscription stands is a hint as well.

        Raises:
            RedisError: the connection broke, or a channel has moved to another node.
        """
        while True:
            kind, channel, hint = await connection.read_response(
                timeout=math.inf, disconnect_on_error=False, push_request=True
            )
            if kind == b"sunsubscribe":
                self._asked.discard(channel)  # its slot may have moved away
            else:
                self._hear(channel, hint if kind == b"smessage" else b"")


def _version_in(hint: bytes) -> int:
    """Return the version that a hint names; 0 if it names none."""
    return int(hint) if hint.isdigit() else 0


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it ends: the Redis client loses a cancellation while it connects."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_CANCEL_AGAIN_S)
