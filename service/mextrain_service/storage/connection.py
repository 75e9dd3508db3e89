"""Opens a client of Redis from its address, with bounded waiting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

import redis.exceptions as failure
from redis.asyncio import BlockingConnectionPool, Connection, SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from mextrain_service.storage.addresses import (
    ClusterAddress,
    Host,
    SentinelAddress,
    SingleAddress,
    parse_address,
)
from mextrain_service.storage.cluster_client import ClusterClient
from mextrain_service.storage.node import Durability, Node


class RedisCommands(Protocol):
    """Sends commands; what most of the package needs of a client."""

    def execute_command(self, *command: Any, awaits_replicas: bool = False) -> Awaitable[Any]:
        """Send one command and return its answer, as the server gave it.

        Args:
            command: its words, the name in capitals.
            awaits_replicas: it is a write that must be as durable as the client was opened for
                before the answer comes.
        """
        ...


class RedisClient(RedisCommands, Protocol):
    """A client of the servers that hold the games, whether they are one or several."""

    async def masters(self) -> Sequence[Node]:
        """Return all servers that hold keys."""
        ...

    async def master_of(self, key: str) -> Node:
        """Return the server that holds a key, or has a channel of that name."""
        ...

    async def aclose(self) -> None:
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
) -> RedisClient:
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
            pool = BlockingConnectionPool.from_url(
                address.url, **_pool_terms(limits), **_connection_terms(limits)
            )
            return Node(pool, durability, limits.answer_timeout_s)
        case SentinelAddress():
            pool = _pool_of_sentinels(address, limits)
            return Node(pool, durability, limits.answer_timeout_s, leaves_replicas=True)
        case ClusterAddress():
            return ClusterClient(address.seeds, _node_maker(address, limits, durability))
        case _:
            assert_never(address)


def _pool_of_sentinels(address: SentinelAddress, limits: ConnectionLimits) -> _SentinelPool:
    terms = {**_connection_terms(limits), **({"ssl": True} if address.tls else {})}
    kind = _TlsSentinels if address.tls else Sentinel
    sentinels = kind(  # type: ignore[no-untyped-call]
        [(host.name, host.port) for host in address.sentinels],
        sentinel_kwargs={**terms, **address.sentinel_options},
    )
    return _SentinelPool(  # type: ignore[no-untyped-call]
        address.service, sentinels, **_pool_terms(limits), **terms, **address.options
    )


def _node_maker(
    address: ClusterAddress, limits: ConnectionLimits, durability: Durability
) -> Callable[[Host], Node]:
    kind = SSLConnection if address.tls else Connection

    def node(host: Host) -> Node:
        pool = BlockingConnectionPool(
            connection_class=kind,
            host=host.name,
            port=host.port,
            **{**_pool_terms(limits), **_connection_terms(limits), **address.options},
        )
        return Node(pool, durability, limits.answer_timeout_s, name=f"{host.name}:{host.port}")

    return node


def _pool_terms(limits: ConnectionLimits) -> dict[str, Any]:
    """Return what holds for every pool: bounded waiting."""
    return {"max_connections": limits.max_connections, "timeout": limits.pool_timeout_s}


def _connection_terms(limits: ConnectionLimits) -> dict[str, Any]:
    """Return what holds for every connection: bounded waiting, and no repetition."""
    return {
        "socket_timeout": limits.answer_timeout_s,
        "socket_connect_timeout": limits.connect_timeout_s,
        "retry": Retry(NoBackoff(), retries=0),
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
