"""Opens the way to Redis from its address, with bounded waiting.

Knows addresses and limits; nothing of games. The one place to learn about Sentinel and Cluster:
the rest of the package needs no more of a client than `RedisClient`.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

SCHEMES = ("redis", "rediss", "unix")
"""How an address may begin: TCP, TCP with TLS, a Unix socket."""


class RedisClient(Protocol):
    """What the store needs of a client, whatever it is connected to."""

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]:
        """Send one command and return its answer."""
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
        max_connections: connections of one worker at most.
    """

    connect_timeout_s: float = 1.0
    answer_timeout_s: float = 3.0
    pool_timeout_s: float = 1.0
    max_connections: int = 64


def open_redis(url: str, limits: ConnectionLimits | None = None) -> Redis:
    """Return a client for an address; the first command opens the first connection.

    The client never repeats a command by itself: whether that is safe is known only above it.

    Args:
        url: `redis://`, `rediss://` or `unix://`, with user, password, database and TLS options
            as the Redis client spells them.
        limits: how long to wait.

    Raises:
        ValueError: the address is of another kind or malformed. Its text is not repeated, as it
            may hold a password.
    """
    if urlsplit(url).scheme not in SCHEMES:
        raise ValueError("a Redis address begins with redis://, rediss:// or unix://")
    limits = limits or ConnectionLimits()
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=limits.max_connections,
        timeout=limits.pool_timeout_s,
        socket_timeout=limits.answer_timeout_s,
        socket_connect_timeout=limits.connect_timeout_s,
        retry=Retry(NoBackoff(), retries=0),
        maint_notifications_config=MaintNotificationsConfig(enabled=False),
    )
    return Redis.from_pool(pool)
