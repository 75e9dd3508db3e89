"""What the use cases of operators need from outside, as interfaces written as specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mextrain_service.application.model import GameId, HostedGame


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is stored of a game, sound or not.

    Attributes:
        game: the game; None when the snapshot cannot be read.
        snapshot_bytes: length of the snapshot.
        log_bytes: length of the log.
        memory_bytes: what both take in memory.
        ends_ms: when it is dropped unless it changes, since the epoch; None for never.
        faults: what is wrong with it, as stable names; empty for a sound game.
    """

    game: HostedGame | None
    snapshot_bytes: int
    log_bytes: int
    memory_bytes: int
    ends_ms: int | None
    faults: tuple[str, ...]


class GameInspector(Protocol):
    """Looks at what is stored of one game as such."""

    async def inspect(self, game_id: GameId) -> Inspection:
        """Return what is stored, however damaged.

        Raises:
            GameNotFoundError: nothing is.
            StoreUnavailableError: the store does not answer.
        """
        ...


@dataclass(frozen=True, slots=True)
class RecentError:
    """A call that failed.

    Attributes:
        ended_ms: when, in milliseconds since the epoch.
        method: the method's own name.
        reason: the stable reason, without a prefix.
        call_id: what logs call the call.
    """

    ended_ms: int
    method: str
    reason: str
    call_id: str


class RecentErrors(Protocol):
    """What went wrong lately with games on this worker."""

    def of_game(self, game_id: GameId) -> Sequence[RecentError]:
        """Return the latest failed calls for a game, the latest first; few at most."""
        ...


class Audit(Protocol):
    """Where it is written down that somebody saw what is hidden, or wanted to."""

    def hands_revealed(self, operator: str, game_id: GameId, version: int, call_id: str) -> None:
        """Note that an operator is about to be shown the hands of a game."""
        ...

    def hands_refused(self, operator: str, game_id: GameId, call_id: str) -> None:
        """Note that an operator wanted to see hands and may not."""
        ...
