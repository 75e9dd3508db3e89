"""The games that a worker saw last: a bounded cache of the store, never an authority."""

from __future__ import annotations

from collections import OrderedDict

from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.storage.record import Header


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

    def read(self, game_id: GameId, header: Header, body: bytes) -> HostedGame | None:
        """Return the game that is stored as this header and body, if it is the one that is kept."""
        game, kept = self._games.get(game_id, (None, b""))
        if game is None or (game.version, game.link, game.stamp) != header[2:] or kept != body:
            return None
        self._games.move_to_end(game_id)
        return game

    def put(self, game: HostedGame, body: bytes) -> None:
        """Keep a game in place of what was kept of it, whatever its version.

        The store may have gone back in time, so a lower version can be the true one. Where answers
        overtook each other, the next commit is refused and the game is loaded.

        Args:
            game: the game.
            body: what it is stored as.
        """
        self._games[game.game_id] = game, body
        self._games.move_to_end(game.game_id)
        while len(self._games) > self._capacity:
            self._games.popitem(last=False)

    def forget(self, game_id: GameId) -> None:
        """Keep the game no longer; nothing happens if it is not kept."""
        self._games.pop(game_id, None)
