"""A client of a Cluster that follows games while slots move and masters change.

* `ASKING` and the request that it is for go over one connection.
* No request is repeated after its connection broke: only the store knows whether that is safe.
* The slots are learned again in the background while a node fails or redirects, not by each
  request that fails.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, Final

import redis.exceptions as failure
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from mextrain_service.storage.addresses import Host
from mextrain_service.storage.breaker import LONGEST_PAUSE_S
from mextrain_service.storage.node import Node

_MAX_REDIRECTIONS: Final = 5
"""A request follows so many; a sound cluster needs one, or two while a slot moves."""

_TRY_AGAIN_S: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Mean pauses while the keys of one game are on two nodes: moving them takes milliseconds."""

_KEY_AT: Final = {"EVALSHA": 3, "EVAL": 3, "MEMORY": 2}
"""Where a command has its first key, if not right after its name."""

_UNKNOWN_HOSTS: Final = ("", "?")
"""What a node names a host whose address it does not know: the one that it was asked under."""

_BROKEN: Final = (failure.ConnectionError, failure.TimeoutError, OSError)


class ClusterClient:
    """The `RedisClient` that sends each command to the master of its key's slot."""

    def __init__(self, seeds: Sequence[Host], new_node: Callable[[Host], Node]) -> None:
        """Prepare a client; the first command learns the slots from one of the seeds.

        Args:
            seeds: nodes to begin with, and to fall back on when all nodes known are gone.
            new_node: makes a node, which the client closes.
        """
        self._seeds = tuple(seeds)
        self._new_node = new_node
        self._nodes: dict[Host, Node] = {}
        self._slots: list[Host | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._masters: dict[Host, None] = {}  # in the order of their slots
        self._first_learning = asyncio.Lock()
        self._doubted = False
        self._refreshing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def execute_command(
        self, *command: str | bytes | float, awaits_replicas: bool = False
    ) -> Any:
        """Send one command with a key and return its answer; see ``RedisClient``.

        `PING` has no key; any master that lives answers it.

        Raises:
            SlotNotCoveredError: no master has the slot.
            ClusterError: the nodes redirect the command to and fro.
            TryAgainError: the slot's keys have been on two nodes for too long.
        """
        if command[0] == "PING":
            return await self._ping()
        key = command[_KEY_AT.get(str(command[0]), 1)]
        slot = key_slot(key if isinstance(key, bytes) else str(key).encode())
        host, asking, pauses = await self._master_at(slot), False, iter(_TRY_AGAIN_S)
        for _ in range(_MAX_REDIRECTIONS + len(_TRY_AGAIN_S)):
            node = self._node_at(host)
            send = node.execute_asking if asking else node.execute_command
            try:
                return await send(*command, awaits_replicas=awaits_replicas)
            except failure.MovedError as moved:
                host, asking = _host(moved.host, moved.port, told_by=host), False
                self._slots[slot] = host
                self._masters[host] = None
                self._doubt()
            except failure.AskError as ask:
                host, asking = _host(ask.host, ask.port, told_by=host), True
            except failure.TryAgainError:
                pause_s = next(pauses, None)
                if pause_s is None:
                    raise
                await asyncio.sleep(random.uniform(pause_s / 2, 3 * pause_s / 2))  # noqa: S311
            except (failure.ClusterDownError, *_BROKEN):
                self._doubt()
                raise
        raise failure.ClusterError("the nodes of the cluster send a request to and fro")

    async def masters(self) -> Sequence[Node]:
        """Return every master that has slots, as the cluster is now; see ``RedisClient``."""
        await self._learn()
        return [self._node_at(host) for host in self._masters]

    async def master_of(self, key: str) -> Node:
        """Return the master of a key's slot; see ``RedisClient``.

        Raises:
            SlotNotCoveredError: there is none.
        """
        return self._node_at(await self._master_at(key_slot(key.encode())))

    async def aclose(self) -> None:
        """Close all connections; what is not answered yet fails."""
        self._is_closed = True
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.wait((self._refreshing,))
        self._keep_only(set())
        while self._closing:
            await asyncio.wait(self._closing)

    async def _master_at(self, slot: int) -> Host:
        host = self._slots[slot]
        if host is None:
            await self._learn_first()
            host = self._slots[slot]
        if host is None:
            self._doubt()
            raise failure.SlotNotCoveredError(f"no master has slot {slot}")
        return host

    async def _ping(self) -> Any:
        """Return the answer of the first master that gives one."""
        await self._learn_first()
        latest: Exception = failure.ConnectionError("the cluster has no master")
        for host in self._in_order(self._masters):
            try:
                return await self._node_at(host).execute_command("PING")
            except _BROKEN as error:
                latest = error
        self._doubt()
        raise latest

    async def _learn_first(self) -> None:
        """Learn the slots unless some are known; one request does, the others wait for it."""
        if self._masters:
            return
        async with self._first_learning:
            if not self._masters:
                await self._learn()

    async def _learn(self) -> None:
        """Ask one node which master has which slots.

        Raises:
            ConnectionError: no node answers, or none that does is of a cluster.
        """
        latest: Exception = failure.ConnectionError("the nodes of the cluster know no slots")
        masters = random.sample(list(self._masters), len(self._masters))
        for host in self._in_order(dict.fromkeys((*masters, *self._seeds))):
            try:
                ranges = await self._node_at(host).execute_command("CLUSTER", "SLOTS")
            except (failure.RedisError, OSError) as error:
                latest = error
            else:
                if ranges:
                    self._take(ranges, host)
                    return
        if isinstance(latest, (*_BROKEN, failure.NoPermissionError)):
            raise latest
        raise failure.ConnectionError("no node of the cluster answers") from latest

    def _take(self, ranges: Sequence[Any], told_by: Host) -> None:
        """Take the slots as a node told them; close nodes that have none and had none."""
        slots: list[Host | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        masters: dict[Host, None] = {}
        for first, last, (name, port, *_), *_ in ranges:
            host = _host(bytes(name or b"").decode(), int(port), told_by)
            masters[host] = None
            slots[first : last + 1] = [host] * (last + 1 - first)
        former, self._slots, self._masters = self._masters, slots, masters
        self._keep_only(masters.keys() | former)

    def _doubt(self) -> None:
        """Learn the slots again in the background: now, or soon if that was just done."""
        self._doubted = True
        if self._refreshing is None and not self._is_closed:
            self._refreshing = asyncio.create_task(self._refresh())

    async def _refresh(self) -> None:
        try:
            while self._doubted:
                self._doubted = False
                with suppress(*_BROKEN, failure.NoPermissionError):  # the next request finds out
                    await self._learn()
                pause_s = random.uniform(LONGEST_PAUSE_S / 2, LONGEST_PAUSE_S)  # noqa: S311
                await asyncio.sleep(pause_s)
        finally:
            self._refreshing = None

    def _node_at(self, host: Host) -> Node:
        node = self._nodes.get(host)
        if node is None:
            node = self._nodes[host] = self._new_node(host)
        return node

    def _in_order(self, hosts: Iterable[Host]) -> list[Host]:
        """Return hosts, those at the end whose nodes are known to be away."""
        return sorted(hosts, key=lambda host: host in self._nodes and self._nodes[host].is_away)

    def _keep_only(self, kept: AbstractSet[Host]) -> None:
        """Close all other nodes in the background."""
        for host in self._nodes.keys() - kept:
            closing = asyncio.create_task(self._nodes.pop(host).aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


def _host(name: str, port: int, told_by: Host) -> Host:
    return Host(told_by.name if name in _UNKNOWN_HOSTS else name.lower(), port)
