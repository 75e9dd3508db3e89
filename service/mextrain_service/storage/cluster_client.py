"""A client of a Cluster that follows games while slots move and masters change.

It differs from the client that it is made of where that one loses requests:

* `ASKING` and the request that it is for go over one connection. The other one takes whichever is
  free for each, so that among several the request is refused and sent to and fro.
* A node without slots of its own can be asked: the first slot that moves to a new node is such a
  case, and the other one fails with an `AttributeError`.
* Requests wait for a connection, for a bounded time, instead of failing at once.
* No request is repeated after its connection broke: whether that is safe is known only above.
* Nodes are learned anew in the background while one of them fails, not by each request that fails.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import redis.exceptions as failure
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from mextrain_service.storage.addresses import Host
from mextrain_service.storage.breaker import LONGEST_PAUSE_S, Breaker, KnownAwayError
from mextrain_service.storage.pipelined_connection import (
    Command,
    PipelinedConnection,
    as_words,
    given,
)
from mextrain_service.storage.replication import AWAITS_REPLICAS, Durability

_MAX_REDIRECTIONS = 5
"""A request follows so many; a sound cluster needs one, or two while a slot moves."""

_TRY_AGAIN_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Pauses while the keys of one game are on two nodes: moving them takes milliseconds."""

_BROKEN = (failure.ConnectionError, failure.TimeoutError, OSError)

_Answer = TypeVar("_Answer")


class ClusterClient(RedisCluster):
    """Sends each request to the master of its slot."""

    def __init__(
        self,
        seeds: Sequence[Host],
        durability: Durability,
        *,
        max_requests: int,
        pool_timeout_s: float,
        connections: Mapping[str, Any],
    ) -> None:
        """Prepare a client; the first request learns the nodes from one of the seeds.

        Args:
            seeds: nodes to begin with, and to fall back on when all nodes known are gone.
            durability: how many replicas have a write before it counts.
            max_requests: requests under way at once, so also connections to each node.
            pool_timeout_s: how long a request waits for its turn, in seconds.
            connections: options of each connection.
        """
        super().__init__(
            startup_nodes=[ClusterNode(seed.name, seed.port) for seed in seeds],
            require_full_coverage=False,  # games whose slots are served go on
            retry=Retry(NoBackoff(), retries=0),
            max_connections=2**31,  # `max_requests` bounds them, waiting instead of failing
            **connections,
        )
        self._seeds = [(seed.name, seed.port) for seed in seeds]
        self._durability = durability
        self._learning = asyncio.Lock()
        self._turns = asyncio.Semaphore(max_requests)
        self._pool_timeout_s = pool_timeout_s
        self._answer_timeout_s: float = connections["socket_timeout"]
        self._pipes: dict[str, _NodePipe] = {}
        self._breaker = Breaker(self._learn, "cluster")
        self._failed_node: str | None = None
        self._doubted = False
        self._dispelling: asyncio.Task[None] | None = None

    async def initialize(
        self,
        additional_startup_nodes_info: list[tuple[str, int]] | None = None,
        last_failed_node_name: str | None = None,
    ) -> RedisCluster:
        """Learn the nodes, from the seeds if none of those known answers.

        The other client fetches the table of all commands with them each time, from
        one certain node; here any master is asked, once.

        Raises:
            ConnectionError: no node answers.
            KnownAwayError: none does, and none did before.
        """
        del additional_startup_nodes_info, last_failed_node_name
        if self._initialize:
            self._breaker.require_closed()
            async with self._learning:
                if self._initialize:
                    self._breaker.require_closed()  # another may have found out meanwhile
                    try:
                        await self._learn()
                    except _BROKEN as error:
                        self._breaker.trip(error)
                        raise
        return self

    async def _learn(self) -> None:
        """Ask the nodes for each other, the one that failed last at the end.

        Raises:
            ConnectionError: no node answers.
        """
        try:
            await self.nodes_manager.initialize(self._seeds, self._failed_node)
        except failure.RedisClusterException as error:
            raise failure.ConnectionError("no node of the cluster answers") from error
        await self._learn_commands()
        self._initialize = False

    def _doubt(self) -> None:
        """Learn the nodes anew in the background: now, or soon if that was just done."""
        self._doubted = True
        if self._dispelling is None and not self._breaker.is_open:
            self._dispelling = asyncio.create_task(self._dispel())

    async def _dispel(self) -> None:
        while self._doubted and self._dispelling is asyncio.current_task():
            self._doubted = False
            with suppress(*_BROKEN):  # whoever asks next finds out
                await self._learn()
            await asyncio.sleep(random.uniform(LONGEST_PAUSE_S / 2, LONGEST_PAUSE_S))  # noqa: S311
        if self._dispelling is asyncio.current_task():
            self._dispelling = None

    async def _learn_commands(self) -> None:
        """Ask any master, once, where commands have their keys."""
        if not self.commands_parser.commands:
            await self._ask_any(self.commands_parser.initialize)

    async def _ask_any(self, ask: Callable[[ClusterNode], Awaitable[_Answer]]) -> _Answer:
        """Return the answer of the first master that gives one."""
        latest: Exception = failure.ConnectionError("the cluster has no master")
        for node in sorted(self.get_primaries(), key=self._is_away):
            try:
                return await ask(node)
            except _BROKEN as error:
                latest = error
        self._initialize = True
        raise latest

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send one command and return its answer. `PING` is answered by any master that lives."""
        async with self._turn():
            if args == ("PING",):
                await self.initialize()
                return await self._ask_any(self._ping)
            try:
                return await super().execute_command(*args, **options)
            except failure.SlotNotCoveredError:
                self._doubt()
                raise

    async def _ping(self, node: ClusterNode) -> Any:
        (answer,) = await self._exchange(node, [("PING",)], waits=False)
        return given(self, "PING", answer, {})

    def _is_away(self, node: ClusterNode) -> bool:
        pipe = self._pipes.get(node.name)
        return pipe is not None and pipe.is_away

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait until fewer than the most requests are under way."""
        try:
            async with asyncio.timeout(self._pool_timeout_s if self._turns.locked() else None):
                await self._turns.acquire()
        except TimeoutError:
            raise failure.MaxConnectionsError("no connection became free in time") from None
        try:
            yield
        finally:
            self._turns.release()

    async def _execute_command(self, target_node: ClusterNode, *args: Any, **options: Any) -> Any:
        """Send a command to a node and follow where that one points to."""
        waits = bool(options.pop(AWAITS_REPLICAS, False) and self._durability.replicas)
        commands: list[Command] = [args, self._durability.command] if waits else [args]
        node, asking, pauses = target_node, False, iter(_TRY_AGAIN_S)
        for _ in range(_MAX_REDIRECTIONS + len(_TRY_AGAIN_S)):
            try:
                together = [("ASKING",), *commands] if asking else commands
                answers = await self._exchange(node, together, waits=waits)
            except failure.MovedError as moved:
                await self.nodes_manager.move_slot(moved)
                node, asking = self._node_at(moved), False
            except failure.AskError as ask:
                node, asking = self._node_at(ask), True
            except failure.TryAgainError:
                pause_s = next(pauses, None)
                if pause_s is None:
                    raise
                await asyncio.sleep(pause_s)
            except (KnownAwayError, failure.ClusterDownError):
                self._doubt()
                raise
            except _BROKEN as broken:
                await self._give_up(node, broken)
                raise
            else:
                if waits:
                    self._durability.require(int(answers[-1]))
                return given(self, args[0], answers[int(asking)], options)
        raise failure.ClusterError("the nodes of the cluster send a request to and fro")

    async def _exchange(
        self, node: ClusterNode, commands: Sequence[Command], *, waits: bool
    ) -> list[Any]:
        """Send commands over one connection, with nothing between them; return their answers.

        A write that waits for replicas has a connection for itself meanwhile.
        """
        pipe = self._pipes.get(node.name)
        if pipe is not None and pipe.node is not node:
            pipe.abandon()
            pipe = None
        if pipe is None:
            pipe = self._pipes[node.name] = _NodePipe(node, self._answer_timeout_s)
        if waits:
            await pipe.reach()
            return await _exchange_alone(node, commands)
        return await pipe.ask_together([as_words(command) for command in commands])

    async def aclose(self) -> None:
        """Close all connections."""
        await self._breaker.stop()
        dispelling, self._dispelling = self._dispelling, None
        if dispelling is not None:
            dispelling.cancel()
            await asyncio.wait((dispelling,))
        pipes, self._pipes = self._pipes, {}
        for pipe in pipes.values():
            await pipe.aclose()
        await super().aclose()

    def _node_at(self, redirection: failure.AskError) -> ClusterNode:
        """Return the node that a redirection names, also one without slots."""
        known = self.get_node(redirection.host, redirection.port)
        if known is not None:
            return known
        node = ClusterNode(redirection.host, redirection.port, **self.connection_kwargs)
        self.nodes_manager.set_nodes(self.nodes_manager.nodes_cache, {node.name: node})
        return node

    async def _give_up(self, node: ClusterNode, error: Exception) -> None:
        """Mistrust what was known of the nodes; the next request asks them anew."""
        if isinstance(error, failure.MaxConnectionsError):
            return
        node.update_active_connections_for_reconnect()
        await node.disconnect_free_connections()
        self.nodes_manager.move_node_to_end_of_cached_nodes(node.name)
        self._failed_node = node.name
        self._initialize = True


class _NodePipe(PipelinedConnection):
    """A pipe to one node.

    Attributes:
        node: the node.
    """

    def __init__(self, node: ClusterNode, answer_timeout_s: float) -> None:
        super().__init__(_NodeConnections(node), answer_timeout_s, name=node.name)
        self.node = node


class _NodeConnections:
    """Takes connections from those of a node, for a long time."""

    def __init__(self, node: ClusterNode) -> None:
        self._node = node

    async def take(self) -> Any:
        connection = self._node.acquire_connection()
        try:
            await self._node.disconnect_if_needed(connection)
            await connection.connect()  # type: ignore[no-untyped-call]
        except BaseException:
            self._node.release(connection)
            raise
        return connection

    async def give_back(self, connection: Any) -> None:
        await connection.disconnect(nowait=True)
        self._node.release(connection)


async def _exchange_alone(node: ClusterNode, commands: Sequence[Command]) -> list[Any]:
    """Send commands over a connection that nothing else uses meanwhile; return their answers.

    Raises:
        ResponseError: the first of them that was refused.
    """
    connection = node.acquire_connection()
    try:
        await node.disconnect_if_needed(connection)
        await connection.send_packed_command(connection.pack_commands(commands))
        answers = [await _answer(connection) for _ in commands]
    finally:
        node.release(connection)
    for answer in answers:
        if isinstance(answer, failure.ResponseError):
            raise answer
    return answers


async def _answer(connection: Any) -> Any:
    """Read one answer; a refusal is one too, as those after it must be read all the same."""
    try:
        return await connection.read_response()
    except failure.ResponseError as refusal:
        return refusal
