"""Live games in Redis: the adapter of the application's `GameStore` port.

The composition root opens a client, builds the store on it and closes the client:

    client = open_client("redis://127.0.0.1:6379/0")
    store = RedisGameStore(client)
    ...
    await client.aclose()

Only this package knows Redis and the stored records.
"""

from mextrain_service.storage.connection import (
    ConnectionLimits,
    RedisClient,
    open_client,
)
from mextrain_service.storage.deadlines import RedisDeadlines
from mextrain_service.storage.errors import CorruptGameError, NewerSchemaError, StoredGameError
from mextrain_service.storage.game_index import RedisGameIndex
from mextrain_service.storage.node import Durability
from mextrain_service.storage.redis_store import RedisGameStore, Retention

__all__ = [
    "ConnectionLimits",
    "CorruptGameError",
    "Durability",
    "NewerSchemaError",
    "RedisClient",
    "RedisDeadlines",
    "RedisGameIndex",
    "RedisGameStore",
    "Retention",
    "StoredGameError",
    "open_client",
]
