"""How a game is stored together with all that must be found beside it."""

from __future__ import annotations

from mextrain_service.application.announcing import Announcer
from mextrain_service.application.deadline_book import DeadlineBook
from mextrain_service.application.delta import Delta, delta
from mextrain_service.application.draft import Draft
from mextrain_service.application.feeds import OutboxEntry
from mextrain_service.application.live_games import Commit, LiveGames
from mextrain_service.application.model import GameId, HostedGame, PlatformId, Receipt
from mextrain_service.application.ports import GameIndex, GameStore
from mextrain_service.application.unfinished import Unfinished

UNKNOWN_VERSION = 0
"""What a game that cannot be read is said to have been at."""


class Committer:
    """Stores games."""

    def __init__(
        self,
        store: GameStore,
        book: DeadlineBook,
        index: GameIndex,
        announcer: Announcer,
        live_games: LiveGames,
        unfinished: Unfinished,
    ) -> None:
        self._store = store
        self._book = book
        self._index = index
        self._announcer = announcer
        self._live_games = live_games
        self._unfinished = unfinished

    async def create(self, game: HostedGame, draft: Draft) -> None:
        """Store a new game.

        Args:
            game: the game as it is to be stored.
            table: the change that led to it from its beginning.

        Raises:
            GameExistsError: the id is taken.
            StoreUnavailableError: it is not known whether it was stored.
        """
        change = delta(None, game)
        await self._note(change)
        await self._store.create(game, draft.entries)
        self._tell(change, draft)

    async def commit(self, before: HostedGame, after: HostedGame, draft: Draft) -> None:
        """Store a changed game.

        Args:
            before: the game that the change was computed from.
            after: the game as it is to be stored.
            table: the change.

        Raises:
            GameNotFoundError: the game is gone.
            VersionConflictError: ``before`` is not the latest commit.
            StoreUnavailableError: it is not known whether it was stored.
        """
        change = delta(before, after)
        noted = change.brings_news or change.due_ms is not None
        if noted or self._index.is_outdated(before, after):
            await self._note(change)
        followed = self._live_games.followed(after.game_id)
        if followed is None:
            await self._store.commit(after, base=before, entries=draft.entries)
        else:
            with followed.committing():
                end = await self._store.commit(after, base=before, entries=draft.entries)
                if end is not None:
                    followed.take_commit(Commit(before, after, draft.events, draft.links, end))
        self._tell(change, draft)

    async def delete(self, game: HostedGame, receipt: Receipt | None) -> None:
        """Remove a game, and keep the receipt of the request for a while.

        Raises:
            GameNotFoundError: the game is gone.
            VersionConflictError: a commit came first.
            StoreUnavailableError: it is not known whether it was removed.
        """
        promise = OutboxEntry(game.platform_id, game.game_id, game.version, game.version)
        await self._announcer.note_deletion(promise)
        await self._store.delete(game, receipt)
        self._announcer.deleted(promise)

    async def discard(
        self, platform_id: PlatformId, game_id: GameId, receipt: Receipt | None
    ) -> None:
        """Remove a game that cannot be read, and keep the receipt of the request for a while.

        Args:
            platform_id: whose it is.
            game_id: which.
            receipt: that of the request, if it has one.

        Raises:
            GameNotFoundError: the game is gone.
            VersionConflictError: it can be read, or was changed.
            StoreUnavailableError: it is not known whether it was removed.
        """
        promise = OutboxEntry(platform_id, game_id, UNKNOWN_VERSION, UNKNOWN_VERSION)
        await self._announcer.note_deletion(promise)
        await self._store.discard(game_id, receipt)
        self._announcer.deleted(promise)

    async def _note(self, change: Delta) -> None:
        """Write elsewhere what must be found once the game is committed.

        It may be there without the commit; readers check the game before they believe it.
        """
        await self._book.note(change)
        await self._index.note(change.before, change.after)
        if change.brings_news:
            await self._announcer.note(change)

    def _tell(self, change: Delta, draft: Draft) -> None:
        """Go on with what a commit leads to, beside its caller."""
        if change.brings_news:
            self._announcer.committed(change, draft.events)
        if change.goes_on:
            self._unfinished.note(change.after)
