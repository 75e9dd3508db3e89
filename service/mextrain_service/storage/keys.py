"""How the keys and channels of Redis are spelled; no other module spells one.

Knows names only, not what lies under them.

| name          | kind            | holds                                       |
|---------------|-----------------|---------------------------------------------|
| `mt:{<id>}:s` | string          | the snapshot: header and body (`record.py`) |
| `mt:{<id>}:l` | string          | the log, one entry after another            |
| `mt:{<id>}:d` | string          | the receipt of the request that deleted it  |
| `mt:{<id>}:n` | sharded channel | hints: the version in decimal, or `gone`    |

Snapshot and log live as long as each other: each commit renews the time to live of both.
The id in braces is the hash tag, so that all of a game is in one slot of a cluster.
"""

from __future__ import annotations

from typing import NamedTuple

from mextrain_service.application.model import GameId

PREFIX = "mt:"
"""What every key of Mextrain begins with."""


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
