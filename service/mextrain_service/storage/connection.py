"""Opens the way to Redis from its address, with bounded waiting.

The rest of the package needs no more of a client than `RedisClient`, whatever it is connected to.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Final, Protocol, assert_never

import redis.exceptions as failure
from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from mextrain_service.storage.addresses import (
    ClusterAddress,
    SentinelAddress,
    SingleAddress,
    parse_address,
)
from mextrain_service.storage.cluster_client import ClusterClient
from mextrain_service.storage.pipelined_connection import PipelinedConnection, as_words, given
from mextrain_service.storage.replication import AWAITS_REPLICAS, Durability


class RedisClient(Protocol):
    """What the store needs of a client, whatever it is connected to."""

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]:
        """Send one command and return its answer.

        With the option `awaits_replicas`, the write is as durable as the client was opened for
        before the answer comes.
        """
        ...

    def aclose(self) -> Awaitable[None]:
        """Close all connections."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How long and how much a worker asks of Redis. Times are in seconds.

    A healthy store answers in well under a millisecond; the defaults leave room for a virtual
    machine that stands still for a moment. An operation makes at most one more try, and only when
    its connection broke, so it ends within twice the sum of the three times. A store that refuses
    connections is known to be away at once.

    Attributes:
        connect_timeout_s: how long opening a connection may take.
        answer_timeout_s: how long the answer to one command may take.
        pool_timeout_s: how long an operation waits for a connection when all are in use.
        max_connections: connections of one worker at most; of a Cluster, to each node.
    """

    connect_timeout_s: float = 1.0
    answer_timeout_s: float = 3.0
    pool_timeout_s: float = 1.0
    max_connections: int = 64


_ANSWERED_AS_THEY_ARE: Final = frozenset({"EVALSHA", "EVAL", "GET"})
"""Commands of one word for whose answers the client library has no other form."""


class ReplicatingRedis(Redis):
    """A client of one master whose requests share a connection, and whose writes can wait."""

    def __init__(
        self, pool: ConnectionPool, durability: Durability, answer_timeout_s: float
    ) -> None:
        """Take the connections, which are closed with the client, and how long an answer may take.

        A write that waits for replicas has a connection for itself meanwhile: the server takes
        nothing else from it.
        """
        super().__init__(connection_pool=pool)
        self.auto_close_connection_pool = True
        self._durability = durability
        follows_master = isinstance(pool, SentinelConnectionPool)
        self._pipe = PipelinedConnection(
            _Pooled(pool), answer_timeout_s, leaves_replicas=follows_master, name="master"
        )

    def execute_command(  # type: ignore[override]  # no coroutine, yet awaited alike
        self, *args: Any, **options: Any
    ) -> Awaitable[Any]:
        """Send one command and return its answer, a write as durable as is asked for.

        It returns what is to be waited for: a coroutine around it would cost each command as much
        as the rest of this.

        Raises:
            TooFewReplicasError: the master has the write, and too few replicas have it.
            KnownAwayError: the master is away, and was before; nothing was sent.
        """
        waits = options.pop(AWAITS_REPLICAS, False)
        if waits and self._durability.replicas:
            return self._execute_durably(args, options)
        if args[0] in _ANSWERED_AS_THEY_ARE:
            return self._pipe.ask(args)
        return self._execute(args, options)

    async def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        return given(self, args[0], await self._pipe.ask(as_words(args)), options)

    async def _execute_durably(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        await self._pipe.reach()
        async with self.pipeline(transaction=False) as both:
            both.execute_command(*args, **options)
            both.execute_command(*self._durability.command)
            answer, reached = await both.execute(raise_on_error=False)
        for each in (answer, reached):
            if isinstance(each, Exception):
                raise each
        self._durability.require(reached)
        return answer

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Close all connections."""
        await self._pipe.aclose()
        await super().aclose(close_connection_pool)


class _Pooled:
    """Takes connections out of a pool, for a long time."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def take(self) -> Any:
        return await self._pool.get_connection()  # type: ignore[no-untyped-call]

    async def give_back(self, connection: Any) -> None:
        await connection.disconnect(nowait=True)
        await self._pool.release(connection)


class _SentinelPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to whichever server the Sentinels call the master, of a bounded number.

    Requests wait for one, as they do for a single server, instead of failing at once.
    """

    async def aclose(self) -> None:
        """Close the connections to the master, and those to the Sentinels."""
        await super().aclose()
        await self.sentinel_manager.aclose()


class _TlsSentinels(Sentinel):
    """Sentinels over TLS: where none answers, the error says what a connection failed with.

    The library drops it, and a certificate that is not trusted would look like a network that is
    away.
    """

    async def discover_master(self, service_name: str) -> Any:
        try:
            return await super().discover_master(service_name)
        except MasterNotFoundError as error:
            try:
                await self.sentinels[0].ping()
            except failure.ConnectionError as cause:
                raise error from cause
            raise


def open_client(
    url: str, limits: ConnectionLimits | None = None, durability: Durability | None = None
) -> ReplicatingRedis | ClusterClient:
    """Return a client for an address; the first command opens the first connection.

    The client never repeats a command by itself: whether that is safe is known only above it.

    Args:
        url: as `addresses.parse_address` reads it.
        limits: how long to wait.
        durability: how many replicas have a write before it counts.

    Raises:
        ValueError: the address is of another kind or malformed. Its text is not repeated, as it
            may hold a password.
    """
    limits = limits or ConnectionLimits()
    durability = durability or Durability()
    address = parse_address(url)
    match address:
        case SingleAddress():
            return _single(address, limits, durability)
        case SentinelAddress():
            return _master_by_sentinels(address, limits, durability)
        case ClusterAddress():
            return _cluster(address, limits, durability)
        case _:
            assert_never(address)


def open_redis(url: str, limits: ConnectionLimits | None = None) -> Redis:
    """Return a client of one server, as `open_client` does.

    Raises:
        ValueError: the address is not that of one server.
    """
    address = parse_address(url)
    if not isinstance(address, SingleAddress):
        raise ValueError("the address is not that of one server")  # noqa: TRY004 - nor is its text
    return _single(address, limits or ConnectionLimits(), Durability())


def _single(
    address: SingleAddress, limits: ConnectionLimits, durability: Durability
) -> ReplicatingRedis:
    pool = BlockingConnectionPool.from_url(
        address.url,
        max_connections=limits.max_connections,
        timeout=limits.pool_timeout_s,
        **_terms(limits),
    )
    return ReplicatingRedis(pool, durability, limits.answer_timeout_s)


def _master_by_sentinels(
    address: SentinelAddress, limits: ConnectionLimits, durability: Durability
) -> ReplicatingRedis:
    terms = {**_terms(limits), **({"ssl": True} if address.tls else {})}
    kind = _TlsSentinels if address.tls else Sentinel
    sentinels = kind(  # type: ignore[no-untyped-call]
        [(host.name, host.port) for host in address.sentinels],
        sentinel_kwargs={**terms, **address.sentinel_options},
    )
    pool = _SentinelPool(  # type: ignore[no-untyped-call]
        address.service,
        sentinels,
        max_connections=limits.max_connections,
        timeout=limits.pool_timeout_s,
        **terms,
        **address.options,
    )
    return ReplicatingRedis(pool, durability, limits.answer_timeout_s)


def _cluster(
    address: ClusterAddress, limits: ConnectionLimits, durability: Durability
) -> ClusterClient:
    terms = _terms(limits)
    del terms["retry"]  # the client's own is that of the whole cluster
    return ClusterClient(
        address.seeds,
        durability,
        max_requests=limits.max_connections,
        pool_timeout_s=limits.pool_timeout_s,
        connections={**terms, **address.options, "ssl": address.tls},
    )


def _terms(limits: ConnectionLimits) -> dict[str, Any]:
    """Return what holds for every connection: bounded waiting, and no repetition."""
    return {
        "socket_timeout": limits.answer_timeout_s,
        "socket_connect_timeout": limits.connect_timeout_s,
        "retry": Retry(NoBackoff(), retries=0),
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
