"""What the application needs of a feed, as an interface written as a specification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mextrain_service.application.model import GameId, PlatformId
from mextrain_service.application.news import GameNews
from mextrain_service.application.ports import StoreError


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A change that may bring news, which are to be told once it is committed.

    Attributes:
        platform_id: whom to tell.
        game_id: of which game.
        before: the game's version before it; -1 for its creation.
        after: the version after it; the same as before for its deletion.
    """

    platform_id: PlatformId
    game_id: GameId
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A part of a feed.

    Attributes:
        news: what happened, that of one game mostly in order.
        cursor: what to read on from.
        gap: there was something before it that is not kept any more.
        begun_at: what this part was read from: the cursor that was given, past any gap.
    """

    news: tuple[GameNews, ...]
    cursor: str
    gap: bool
    begun_at: str


class CursorMalformedError(StoreError):
    """Invalid cursor: no feed gave it."""


class Feed(Protocol):
    """What happens to the games of a platform: told at least once, kept for a while."""

    @property
    def partitions(self) -> int:
        """How many parts the promises are in."""
        ...

    async def promise(self, promise: OutboxEntry, now_ms: int) -> None:
        """Write down that there may be news, before there are any.

        Raises:
            StoreUnavailableError: it may not be written, so there must be no news either.
        """
        ...

    async def tell(self, promise: OutboxEntry, news: Sequence[GameNews]) -> None:
        """Add to the feed of the platform, tell watchers, then take the promise back.

        Raises:
            StoreUnavailableError: the promise may still stand, so that all is told again.
        """
        ...

    async def overdue(self, partition: int, now_ms: int, most: int) -> Sequence[OutboxEntry]:
        """Return promises that nobody kept for some seconds, and keep others from them meanwhile.

        Args:
            partition: which part to look through, from 0.
            now_ms: what time it is, in milliseconds since the epoch.
            most: how many to return at most.

        Raises:
            StoreUnavailableError: the store does not answer.
        """
        ...

    async def read(
        self, platform_id: PlatformId, cursor: str, most: int, *, resumes: bool
    ) -> FeedPage:
        """Return what comes after a cursor.

        Args:
            platform_id: whose feed.
            cursor: one that a page had; empty for the oldest that is kept.
            most: news to return at most, or a little more.
            resumes: the cursor is from elsewhere, so look whether something after it is lost.

        Raises:
            CursorMalformedError: it is no cursor.
            StoreUnavailableError: the store does not answer.
        """
        ...
