"""Which tables this worker left with something to do by themselves."""

from __future__ import annotations

from collections.abc import Callable

from mextrain_service.application.model import GameId, HostedGame


class Unfinished:
    """The tables that this worker is to go on with, those that wait the longest first.

    Attributes:
        listener: called whenever one is added; None for nobody.
    """

    def __init__(self) -> None:
        self.listener: Callable[[], None] | None = None
        self._versions: dict[GameId, int] = {}

    def note(self, game: HostedGame) -> None:
        """Take a game as it was just committed, whose table goes on by itself."""
        self._versions[game.game_id] = game.version
        if self.listener is not None:
            self.listener()

    def take(self) -> tuple[GameId, int] | None:
        """Return the next game and the version at which it was left; None if there is none."""
        for game_id in self._versions:
            return game_id, self._versions.pop(game_id)
        return None
