"""How the keys and channels of Redis are spelled; no other module spells one.

| name                              | kind            | holds                                     |
|-----------------------------------|-----------------|-------------------------------------------|
| `mt:{<id>}:s`                     | string          | the snapshot, see `record.py`             |
| `mt:{<id>}:l`                     | string          | the log, one entry after another          |
| `mt:{<id>}:d`                     | string          | the receipt of its deletion               |
| `mt:{<id>}:n`                     | sharded channel | hints: the version in decimal, or `gone`  |
| `mt:deadlines:<partition>:{<tag>}` | sorted set      | games by when they are to be looked at    |
| `mt:outages:<border>:{<tag>}`     | hash            | when the store did not answer             |
| `mt:games:<platform>:<partition>` | sorted set      | games of a platform by when they came     |
| `mt:player:<platform>:<digest>`   | sorted set      | games of a player by when they came       |
| `mt:feed:<platform>:<partition>`  | stream          | news of a platform's games                |
| the same                          | sharded channel | hints: `news`                             |
| `mt:outbox:<partition>`           | sorted set      | promises of news by when they are overdue |

Snapshot and log live as long as each other: each commit renews the time to live of both.
The id in braces is the hash tag, so that all of a game is in one slot of a cluster.

A Cluster gives each master slots that lie side by side. What belongs to a partition of games has
its key in the slots of those games, so that nearly always one master has both.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final, NamedTuple

from mextrain_service.application.model import GameId, PlatformId

PREFIX: Final = "mt:"
"""What every key of Mextrain begins with."""

SLOTS: Final = 16_384
"""Hash slots of a Cluster."""

PARTITIONS: Final = 16
"""Parts of equal size that the slots are cut into. The same on every worker: with another number,
the deadlines of the old one are not found."""

BORDER_TAGS: Final = (
    *("1bz", "dlj", "5nw", "5j7", "17p", "130", "h85", "qsu"),
    *("fjl", "ng4", "7l1", "7hq", "356", "31v", "b3k", "7ys", "hia"),
)
"""A hash tag for the first slot of each partition, and one for the last slot of all: partition n is
between the borders n and n + 1. A master that has slots of the partition has one of the two, unless
it has fewer slots side by side than a partition."""

BORDERS: Final = len(BORDER_TAGS)

_SLOTS_OF_PARTITION: Final = SLOTS // PARTITIONS


class GameKeys(NamedTuple):
    """The names that belong to one game.

    Attributes:
        snapshot: the key of the latest state.
        log: the key of the entries so far.
        channel: the sharded channel on which a new version is hinted.
        deletion: the key of the receipt that is left when the game was deleted.
    """

    snapshot: str
    log: str
    channel: str
    deletion: str


def game_keys(game_id: GameId) -> GameKeys:
    """Return the names of a game.

    >>> game_keys(GameId("q1w2")).snapshot
    'mt:{q1w2}:s'
    """
    stem = f"{PREFIX}{{{game_id}}}:"
    return GameKeys(f"{stem}s", f"{stem}l", f"{stem}n", f"{stem}d")


def snapshot_key(game_id: GameId) -> str:
    """Return the key of a game's latest state alone; each look at a game needs it.

    >>> snapshot_key(GameId("q1w2")) == game_keys(GameId("q1w2")).snapshot
    True
    """
    return f"{PREFIX}{{{game_id}}}:s"


def game_of(key: str) -> GameId | None:
    """Return the game whose snapshot has this key; None for any other key.

    >>> game_of("mt:{q1w2}:s")
    'q1w2'
    """
    head, tail = f"{PREFIX}{{", "}:s"
    if not key.startswith(head) or not key.endswith(tail):
        return None
    return GameId(key[len(head) : -len(tail)])


def partition_of(game_id: GameId) -> int:
    """Return the partition that a game is in, from 0."""
    return crc_hqx(game_id.encode(), 0) % SLOTS // _SLOTS_OF_PARTITION  # each move is here


def deadlines_key(partition: int) -> str:
    """Return the name of a part of the deadlines.

    >>> deadlines_key(3)
    'mt:deadlines:3:{5j7}'
    """
    return f"{PREFIX}deadlines:{partition}:{{{BORDER_TAGS[partition]}}}"


def outages_key(border: int) -> str:
    """Return the name of the outages at the border of a partition.

    >>> outages_key(3)
    'mt:outages:3:{5j7}'
    """
    return f"{PREFIX}outages:{border}:{{{BORDER_TAGS[border]}}}"


def platform_games_key(platform_id: PlatformId, partition: int) -> str:
    """Return the name of a part of the list of a platform's games.

    >>> platform_games_key(PlatformId("acme"), 3)
    'mt:games:acme:3'
    """
    return f"{PREFIX}games:{platform_id}:{partition}"


def player_games_key(platform_id: PlatformId, digest: str) -> str:
    """Return the name of the list of a player's games.

    Args:
        platform_id: whose player.
        digest: names the player among those of the platform.
    """
    return f"{PREFIX}player:{platform_id}:{digest}"


def feed_key(platform_id: PlatformId, partition: int) -> str:
    """Return the name of a part of a platform's feed, and of the channel of its hints.

    >>> feed_key(PlatformId("acme"), 3)
    'mt:feed:acme:3'
    """
    return f"{PREFIX}feed:{platform_id}:{partition}"


def outbox_key(partition: int) -> str:
    """Return the name of a part of the promises of news.

    >>> outbox_key(3)
    'mt:outbox:3'
    """
    return f"{PREFIX}outbox:{partition}"
