"""What the application needs from outside, as interfaces written as specifications.

Adapters live in ``storage`` and ``main``; tests use the same adapters on real services.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from mextrain_service.application.model import (
    GameId,
    HostedGame,
    LogEntry,
    PlatformId,
    PlayerId,
    Receipt,
)
from mextrain_service.application.outages import Moment


class StoreError(Exception):
    """The base of what a store raises."""


class GameNotFoundError(StoreError):
    """There is no game of that name, or no longer."""


class GameExistsError(StoreError):
    """A game of that name is there already. Nothing was written."""


class DamagedGameError(StoreError):
    """What is stored of a game is damaged, incomplete, or at odds with itself.

    Nothing was written, and trying again does not help.
    """


class VersionConflictError(StoreError):
    """The game is no longer as it was when the change was computed.

    Another commit came first, or the store went back in time. Nothing was written.
    """


class StoreUnavailableError(StoreError):
    """The store does not answer, or it cannot be known whether it carried out the request.

    Attributes:
        retry_after_s: when to try again, in seconds.
    """

    def __init__(self, message: str, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A place in the log of a game, and the commit that led there.

    The default is the beginning of the log, whatever game it is.

    Attributes:
        version: entries before it.
        offset: where the store goes on reading; only the store can make something of it.
        link: the link of the chain there; empty for the default.
        stamp: tells the commit from others that came to the same version and link.
    """

    version: int = 0
    offset: int = 0
    link: bytes = b""
    stamp: bytes = b""

    def is_of(self, game: HostedGame) -> bool:
        """Tell whether this very commit led to the game as it is."""
        mine = (self.version, self.link, self.stamp)
        return mine == (game.version, game.link, game.stamp)


@dataclass(frozen=True, slots=True)
class LogReading:
    """What was written to a game since a mark.

    Attributes:
        game: the game as last committed.
        entries: those between the mark and ``game.version``, oldest first; None when the log does
            not lead from the mark to the game: it is damaged, the game is another one, or the mark
            is of another history.
        mark: the end of the log.
    """

    game: HostedGame
    entries: tuple[LogEntry, ...] | None
    mark: LogPosition


class GameStore(Protocol):
    """Live games. Every method either does all that it says or raises and changes nothing.

    ``StoreUnavailableError`` of a write is the one exception: it may or may not have happened,
    which is why every write can be repeated under its request id.
    """

    async def create(self, game: HostedGame, entries: Sequence[LogEntry] = ()) -> None:
        """Store a new game with the entries that it begins with; its version is their number.

        Raises:
            GameExistsError: the id is taken.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def load(self, game_id: GameId) -> HostedGame:
        """Return the game as last committed, by any worker.

        Raises:
            DamagedGameError: it cannot be read.
            GameNotFoundError: there is none.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def cached(self, game_id: GameId) -> HostedGame:
        """Return the game as this worker last saw it, else as ``load`` does.

        It may be stale, or of a history that the store no longer has. Good as the base of a commit,
        which names it, and so is refused; never good as an answer.
        """
        ...

    async def commit(
        self, game: HostedGame, *, base: HostedGame, entries: Sequence[LogEntry]
    ) -> LogPosition | None:
        """Replace the snapshot and append the entries, if ``base`` is still the latest commit.

        ``game.version`` is ``base.version + len(entries)``. Renews the time to live and tells
        watchers.

        Returns:
            The end of the log, so that nobody need read what was just written; None if it is not
            known, as the answer was lost.

        Raises:
            DamagedGameError: the log is not the one that led to ``base_version``.
            GameNotFoundError: the game is gone.
            VersionConflictError: ``base`` is not the latest commit.
            StoreUnavailableError: it is not known whether it was written.
        """
        ...

    async def read_on(self, game_id: GameId, since: LogPosition) -> LogReading | None:
        """Return the game and what its log has beyond a mark, read together.

        None if the mark's commit is still the latest.

        Raises:
            DamagedGameError: the game cannot be read.
            GameNotFoundError: there is none, or no longer.
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def delete(self, game: HostedGame, receipt: Receipt | None) -> None:
        """Remove the game, if this is its latest commit, and tell watchers.

        Keeps the receipt for a while, so that ``deletion`` finds it.

        Raises:
            GameNotFoundError: the game is gone.
            VersionConflictError: a commit came first.
            StoreUnavailableError: it is not known whether it was removed.
        """
        ...

    async def discard(self, game_id: GameId, receipt: Receipt | None) -> None:
        """Remove what is left of a game that cannot be read, as ``delete`` does with others.

        Raises:
            GameNotFoundError: nothing is.
            VersionConflictError: it can be read, or was changed since it was looked at.
            StoreUnavailableError: it is not known whether it was removed.
        """
        ...

    async def deletion(self, game_id: GameId) -> Receipt | None:
        """Return the receipt of the request that removed the game, as long as it is kept.

        The deletion is then as durable as one that was answered.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def settle(self, game_id: GameId) -> LogReading:
        """Return the game and its whole log, as durable as a commit that was answered.

        A commit that was not answered may be stored and yet be less durable than that: before
        anyone answers for it, what is read is made so. ``entries`` of the answer is never None.

        Raises:
            DamagedGameError: the game cannot be read, or its log does not lead to it.
            GameNotFoundError: there is none.
            StoreUnavailableError: it is not, or the store does not answer.
        """
        ...

    async def ping(self) -> None:
        """Return when the store answers.

        Raises:
            StoreUnavailableError: it does not.
        """
        ...


class ChangeNotifier(Protocol):
    """Hints that something was written. They say no more than that, and are not to be relied on.

    A hint may be lost, may come twice and may come for nothing. After a time in which hints were
    lost, one comes for everything that is listened for.
    """

    def of_game(
        self, game_id: GameId, heard: Callable[[int], None]
    ) -> AbstractContextManager[None]:
        """Call ``heard`` when the game was changed or deleted, as long as the context is open.

        It is given the version that the game has come to, or 0 if that is not known. Also once when
        listening has begun: what was written before that may be missed.
        """
        ...

    def of_feed(
        self, platform_id: PlatformId, heard: Callable[[], None]
    ) -> AbstractContextManager[None]:
        """Call ``heard`` when there is news of any game of a platform, in the same way."""
        ...


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game that somebody has to look at now.

    Attributes:
        game_id: which game.
        claim: what ``reschedule`` needs to know whether it changed in the meantime.
    """

    game_id: GameId
    claim: int


class Deadlines(Protocol):
    """When games have to be looked at. Entries may be stale or early, never late.

    Kept in ``partitions`` parts that are looked through one by one.
    """

    @property
    def partitions(self) -> int:
        """How many parts there are."""
        ...

    async def schedule(self, game_id: GameId, due_ms: int, now_ms: int) -> None:
        """See to it that the game is looked at by then; an earlier look stays as early.

        Raises:
            StoreUnavailableError: it is not known whether it will be.
        """
        ...

    async def claim(self, partition: int, now_ms: int, most: int) -> Sequence[DueGame]:
        """Return games that are due, and keep others from claiming them for some seconds.

        Whoever claims a game and dies, leaves it to be claimed again.

        Args:
            partition: which part to look through, from 0.
            now_ms: what time it is, in milliseconds since the epoch.
            most: how many games to return at most; those that are due the longest come first.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def reschedule(self, due: DueGame, next_ms: int | None, now_ms: int) -> None:
        """Say when a claimed game is to be looked at next; None for never.

        Has no effect when the game was scheduled anew since it was claimed: then it is looked at
        soon, so that no deadline is lost.

        Raises:
            StoreUnavailableError: it may have had no effect; the game is looked at again.
        """
        ...


@dataclass(frozen=True, slots=True)
class ListedGame:
    """An entry of a list of games. Only the game itself knows whether it is true.

    Attributes:
        game_id: which game.
        listed_ms: when it came onto the list, in milliseconds since the epoch.
    """

    game_id: GameId
    listed_ms: int


class GameIndex(Protocol):
    """Which games there are of a platform, and of each of its players; the latest ones first.

    May hold games that are gone or that the player left, never misses one that is there.
    """

    def is_outdated(self, before: HostedGame, after: HostedGame) -> bool:
        """Whether a commit needs ``note`` before it; most do not."""
        ...

    async def note(self, before: HostedGame | None, after: HostedGame) -> None:
        """Put a game that is about to be stored on the lists that it must be on.

        Args:
            before: the game as it was; None for one that is about to be created.
            after: the game as it is about to be stored.

        Raises:
            StoreUnavailableError: it may not be on them, so the game must not be stored either.
        """
        ...

    async def page(
        self,
        platform_id: PlatformId,
        player_id: PlayerId | None,
        after: ListedGame | None,
        most: int,
    ) -> Sequence[ListedGame]:
        """Return entries in their order.

        Args:
            platform_id: whose games.
            player_id: of which player; None for all games of the platform.
            after: the last entry that was seen; None to begin with the first.
            most: how many to return at most; fewer only at the end.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def holds(self, platform_id: PlatformId, game_id: GameId) -> bool:
        """Tell whether a game is on the list of a platform: the only witness of a damaged game.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def drop(
        self, platform_id: PlatformId, player_id: PlayerId | None, entry: ListedGame
    ) -> None:
        """Take an entry off the list that was found to be untrue, if it is still that one.

        Raises:
            StoreUnavailableError: it may still be there.
        """
        ...


class WallClock(Protocol):
    """Where the time comes from, so that tests need not sleep."""

    def now_ms(self) -> int:
        """Return milliseconds since the epoch."""
        ...


class Clock(WallClock, Protocol):
    """The time of games: the store's, which is the same for every worker."""

    def moment(self, game_id: GameId, /) -> Moment:
        """Return what time it is for a game, with when it could not be played."""
        ...
