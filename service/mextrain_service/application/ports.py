"""What the application needs from outside, as interfaces written as specifications.

Adapters live in ``storage`` and ``main``; tests use the same adapters on real services.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mextrain_service.application.model import GameId, HostedGame, LogEntry


class StoreError(Exception):
    """The base of what a store raises."""


class GameNotFoundError(StoreError):
    """There is no game of that name, or no longer."""


class GameExistsError(StoreError):
    """A game of that name is there already. Nothing was written."""


class VersionConflictError(StoreError):
    """The game is no longer at the version that the change was computed from.

    Nothing was written.
    """


class StoreUnavailableError(StoreError):
    """The store does not answer, or it cannot be known whether it carried out the request.

    Attributes:
        retry_after_s: when to try again, in seconds.
    """

    def __init__(self, message: str, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class GameStore(Protocol):
    """Live games. Every method either does all that it says or raises and changes nothing.

    ``StoreUnavailableError`` of a write is the one exception: it may or may not have happened,
    which is why every write can be repeated under its request id.
    """

    async def create(self, game: HostedGame) -> None:
        """Store a new game at version 0.

        Raises:
            GameExistsError: the id is taken.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def load(self, game_id: GameId) -> HostedGame:
        """Return the game as last committed, by any worker.

        Raises:
            GameNotFoundError: there is none.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def recall(self, game_id: GameId) -> HostedGame:
        """Return the game as this worker last saw it, else as ``load`` does; it may be stale.

        Good as the base of a commit, whose version check makes a stale one harmless; never good
        as an answer.
        """
        ...

    async def commit(
        self, game: HostedGame, *, base_version: int, entries: Sequence[LogEntry]
    ) -> None:
        """Replace the snapshot and append the entries, if the game is still at ``base_version``.

        ``game.version`` is ``base_version + len(entries)``. Renews the time to live and tells
        watchers.

        Raises:
            GameNotFoundError: the game is gone.
            VersionConflictError: another commit came first.
            StoreUnavailableError: it is not known whether it was written.
        """
        ...

    async def history(self, game_id: GameId) -> tuple[LogEntry, ...]:
        """Return all entries of the game's log, oldest first.

        Raises:
            GameNotFoundError: there is none.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def ping(self) -> None:
        """Return when the store answers.

        Raises:
            StoreUnavailableError: it does not.
        """
        ...


class Clock(Protocol):
    """Where the time comes from, so that tests need not sleep."""

    def now_ms(self) -> int:
        """Return milliseconds since the epoch."""
        ...


class Entropy(Protocol):
    """Where secrets come from, so that a fixed stream can stand in for it in tests."""

    def token_bytes(self, count: int) -> bytes:
        """Return this many bytes that nobody can guess."""
        ...
