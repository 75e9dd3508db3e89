"""The games that a worker saw last: a bounded memory that may be stale and says so.

Knows games by id, version and the bytes that they are stored as; nothing of where.
"""

from __future__ import annotations

from collections import OrderedDict

from mextrain_service.application.model import GameId, HostedGame


class RecentGames:
    """The games used last, at most `capacity` of them; the one unused for longest leaves first."""

    def __init__(self, capacity: int) -> None:
        """Keep up to so many games; 0 keeps none."""
        self._capacity = capacity
        self._games: OrderedDict[GameId, tuple[HostedGame, bytes]] = OrderedDict()

    def __len__(self) -> int:
        """Return how many games are kept."""
        return len(self._games)

    def get(self, game_id: GameId) -> HostedGame | None:
        """Return the game as it was last put, or None."""
        kept = self._games.get(game_id)
        if kept is None:
            return None
        self._games.move_to_end(game_id)
        return kept[0]

    def read(self, game_id: GameId, version: int, body: bytes) -> HostedGame | None:
        """Return the game that is stored as these bytes, if it is the one that is kept."""
        kept = self._games.get(game_id)
        if kept is None or kept[0].version != version or kept[1] != body:
            return None
        self._games.move_to_end(game_id)
        return kept[0]

    def put(self, game: HostedGame, body: bytes) -> None:
        """Keep a game, unless a later version of it is kept already.

        Answers of the store can overtake each other; the later version is the nearer one.

        Args:
            game: the game.
            body: what it is stored as.
        """
        kept = self._games.get(game.game_id)
        if kept is None or _supersedes(game, kept[0]):
            self._games[game.game_id] = game, body
        self._games.move_to_end(game.game_id)
        while len(self._games) > self._capacity:
            self._games.popitem(last=False)

    def forget(self, game_id: GameId) -> None:
        """Keep the game no longer; nothing happens if it is not kept."""
        self._games.pop(game_id, None)


def _supersedes(game: HostedGame, kept: HostedGame) -> bool:
    return game.version >= kept.version or game.created_ms != kept.created_ms
