"""Which games can be away together: the hash slots of a Cluster, cut into partitions.

A Cluster gives each master slots that lie side by side. What belongs to a partition of games has
its key in the slots of those games, so that nearly always one master has both.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final

from mextrain_service.application.model import GameId

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


def slot_of(tag: str) -> int:
    """Return the hash slot of a key with this hash tag, 0 to 16383.

    >>> slot_of("123456789")
    12739
    """
    return crc_hqx(tag.encode(), 0) % SLOTS


def partition_of(game_id: GameId) -> int:
    """Return the partition that a game is in, from 0."""
    return crc_hqx(game_id.encode(), 0) % SLOTS // _SLOTS_OF_PARTITION  # each move is here
