"""Games that are watched on this worker: each is followed once, however many watch it.

What is followed is the log; hints only say when to read it on.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

from mextrain_service.application.answers import TableEvent
from mextrain_service.application.chain import links_of
from mextrain_service.application.delay import TurnsSeen
from mextrain_service.application.history import played_on, replayed
from mextrain_service.application.model import LINK_BYTES, GameId, HostedGame
from mextrain_service.application.ports import (
    ChangeNotifier,
    GameNotFoundError,
    GameStore,
    LogPosition,
    LogReading,
    StoreUnavailableError,
)
from mextrain_service.application.refused import HistoryGoneError
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.watching import ResetReason

_UNKNOWN_VERSION = 2**31
"""Stands for a hint that names no version: higher than any."""

_TOGETHER_S = 0.05
"""Games that are to be read again within so many seconds are read at one moment: their requests
leave in one piece, and still hold nobody up for long."""

_PAUSE_S = 0.5
"""After the store failed, so long until it is asked again, in seconds."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as it was made.

    Attributes:
        base: the game before it.
        game: the game after it.
        events: what happened, in order, unredacted.
        links: the links of the chain after each of its entries.
        end: the end of the game's log after it.
    """

    base: HostedGame
    game: HostedGame
    events: Sequence[TableEvent]
    links: Sequence[bytes]
    end: LogPosition


class LiveGames:
    """All games that are followed on this worker."""

    def __init__(self, store: GameStore, notifier: ChangeNotifier, streams: OpenStreams) -> None:
        self._store = store
        self._notifier = notifier
        self._streams = streams
        self._followed: dict[GameId, LiveGame] = {}

    def followed(self, game_id: GameId) -> LiveGame | None:
        """Return a game if it is followed now, to be told of a commit of this worker."""
        return self._followed.get(game_id)

    @asynccontextmanager
    async def following(self, game_id: GameId) -> AsyncIterator[LiveGame]:
        """Follow a game while the context is open; it is then as last committed.

        Raises:
            GameNotFoundError: there is none.
            StoreUnavailableError: the store does not answer.
        """
        game = self._followed.get(game_id)
        if game is None or game.over:
            game = LiveGame(game_id, self._store, self._streams)
            self._followed[game_id] = game
        game.watchers += 1
        try:
            with self._streams.woken(game.tell):
                await game.read_on()
                if game.over:
                    raise GameNotFoundError(game_id)
                game.keep_up(self._notifier)
                yield game
        finally:
            game.watchers -= 1
            if not game.watchers:
                game.stop()
                if self._followed.get(game_id) is game:
                    del self._followed[game_id]


class LiveGame:
    """One game, as far as its log was read.

    Attributes:
        watchers: how many follow it.
        gone: it was deleted, or has expired.
        failure: why it cannot be followed any longer; None while it can.
        gaps: how often the log did not lead on from where it was read to.
        gap: what the latest of them means to watchers.
    """

    def __init__(self, game_id: GameId, store: GameStore, streams: OpenStreams) -> None:
        self.watchers = 0
        self.gone = False
        self.failure: Exception | None = None
        self.gaps = 0
        self.gap = ResetReason.HISTORY_GONE
        self._game_id = game_id
        self._store = store
        self._settings = streams.settings
        self._game: HostedGame | None = None
        self._mark = LogPosition()
        self._reading = asyncio.Lock()
        self._hint = asyncio.Event()
        self._hinted = 0
        self._commits = 0
        self._keeping_up: asyncio.Task[None] | None = None
        self._events: list[TableEvent] = []
        self._oldest = 0
        self._links = bytearray()
        self._turns = TurnsSeen()
        self._listeners: dict[object, Callable[[], object]] = {}
        self._reread_s = streams.jittered(streams.settings.reread_s)
        self._asked: tuple[int, int] | None = None
        self._answered: tuple[TableEvent, ...] = ()

    @property
    def game(self) -> HostedGame:
        """The game as it was read last."""
        assert self._game is not None, "it is read before anyone follows it"
        return self._game

    @property
    def over(self) -> bool:
        """Nothing more will be read: whoever comes now follows the game anew."""
        return self.gone or self.failure is not None

    @property
    def shown(self) -> int:
        """The version at which spectators see the game."""
        return self._turns.shown(self.game)

    @property
    def oldest(self) -> int:
        """The version after which everything that happened is at hand."""
        return self._oldest

    def between(self, after: int, until: int) -> tuple[TableEvent, ...]:
        """Return what happened, in order, unredacted: the same object to all who ask alike.

        Args:
            after: at least ``oldest``.
            until: the last version that counts.
        """
        if self._asked != (after, until):
            start = bisect_right(self._events, after, key=_version)
            end = bisect_right(self._events, until, key=_version)
            self._asked, self._answered = (after, until), tuple(self._events[start:end])
        return self._answered

    def link_at(self, version: int) -> bytes:
        """Return the link of the chain at a version from ``oldest`` to that of the game."""
        at = (version - self._oldest) * LINK_BYTES
        return bytes(self._links[at : at + LINK_BYTES])

    @contextmanager
    def heard_by(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call ``listener`` when anything here may have changed, as long as the context is open."""
        own = object()
        self._listeners[own] = listener
        try:
            yield
        finally:
            del self._listeners[own]

    async def read_on(self) -> None:
        """Read what was written since.

        Raises:
            GameNotFoundError: there never was anything.
            StoreUnavailableError: the store does not answer.
        """
        async with self._reading:
            try:
                reading = await self._reading_on()
            except GameNotFoundError:
                if self._game is None:
                    self.gone = True
                    raise
                self.gone = True
            else:
                if reading is None:
                    return
                await self._take(reading)
        self.tell()

    @contextmanager
    def committing(self) -> Iterator[None]:
        """Let hints wait for a commit of this worker, whose own hint may come before its answer.

        When it is made, ``take_commit`` takes it, and those who follow the game need not read it.
        """
        self._commits += 1
        try:
            yield
        finally:
            self._commits -= 1
            self._follow_hint()

    def take_commit(self, commit: Commit) -> None:
        """Take over a commit of this worker, if it goes on where the log was read to."""
        if self._game is None or self.over or not self._mark.is_of(commit.base):
            return
        before, self._mark = self._mark.version, commit.end
        self._add(before, commit.events, commit.links)
        self._game = commit.game
        self.tell()

    def hear(self, version: int) -> None:
        """Take a hint that the game has come to a version; 0 for one that is not known."""
        self._hinted = max(self._hinted, version or _UNKNOWN_VERSION)
        self._follow_hint()

    def keep_up(self, notifier: ChangeNotifier) -> None:
        """Read on by itself, on every hint and from time to time, until ``stop``."""
        if self._keeping_up is None:
            self._keeping_up = asyncio.create_task(self._keep_up(notifier))

    def stop(self) -> None:
        """Read on no longer."""
        if self._keeping_up is not None:
            self._keeping_up.cancel()

    def tell(self) -> None:
        """Call everyone who listens."""
        for listener in tuple(self._listeners.values()):
            listener()

    async def _take(self, reading: LogReading) -> None:
        if self._game is None:
            await self._begin(reading)
        elif not _are_one_game(self._game, reading.game):
            self.gone = True  # another game of the same id is there now
        elif not self._took_over(reading):
            whole = await self._store.read_on(self._game_id, LogPosition()) or reading
            await self._begin(whole)
            self.gap = _meaning_of_gap(whole)
            self.gaps += 1

    def _took_over(self, reading: LogReading) -> bool:
        """Add what happened since the mark; tell whether it leads to the game as it is stored.

        It does not when the store went back in time. If no entry came and yet the commit is another
        one, what the log does not tell is another as well: who sits where, or what seats added.
        """
        if not reading.entries:
            return False
        try:
            table = played_on(self.game, reading.entries)
        except HistoryGoneError:
            return False
        if table.state != reading.game.state:
            return False
        self._add(self._mark.version, table.events, table.links)
        self._mark, self._game = reading.mark, reading.game
        return True

    def _add(self, before: int, happened: Sequence[TableEvent], links: Sequence[bytes]) -> None:
        self._turns.note(happened)
        self._forget(before)
        self._events += happened
        self._links += b"".join(links)
        self._asked = None

    async def _reading_on(self) -> LogReading | None:
        """Read on from where the log was read to, also if a commit led further meanwhile."""
        while True:
            since = self._mark
            reading = await self._store.read_on(self._game_id, since)
            if since == self._mark:
                return reading
            if reading is None or reading.mark.version <= self._mark.version:
                return None

    def _follow_hint(self) -> None:
        """Read on, unless what was hinted at is known, or is about to be."""
        if not self._commits and self._hinted > self._mark.version:
            self._hint.set()

    async def _begin(self, reading: LogReading) -> None:
        """Begin at the game as it is; for spectators who are behind, some turns before that.

        All of it changes at once, when it is read: until then watchers and commits of this worker
        meet the game as it was.
        """
        game, entries = reading.game, reading.entries
        turns, events, links = TurnsSeen(), list[TableEvent](), [game.link]
        if game.policy.spectator_delay and entries is not None:
            with suppress(HistoryGoneError):
                events = await replayed(game, entries)
                turns.note(events)
                links = links_of(game, entries)[turns.shown(game) :]
        self._oldest = game.version + 1 - len(links)
        self._events = [each for each in events if each.version > self._oldest]
        self._turns, self._links, self._asked = turns, bytearray(b"".join(links)), None
        self._mark, self._game = reading.mark, game

    def _forget(self, upto: int) -> None:
        """Forget the oldest of what is known, when there is too much of it.

        What spectators are yet to see stays.
        """
        oldest = min(upto - self._settings.backlog, self.shown)
        if oldest - self._oldest < self._settings.backlog:
            return
        self._events = self._events[bisect_right(self._events, oldest, key=_version) :]
        del self._links[: (oldest - self._oldest) * LINK_BYTES]
        self._oldest = oldest

    async def _keep_up(self, notifier: ChangeNotifier) -> None:
        with notifier.of_game(self._game_id, self.hear):
            while self.watchers and not self.over:  # the store's client may lose a cancellation
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(self._reread_at()):
                        await self._hint.wait()
                self._hint.clear()
                self._hinted = 0
                await self._read_patiently()

    def _reread_at(self) -> float:
        """Return when to read on without a hint: together with others, as that costs less."""
        now = asyncio.get_running_loop().time()
        due = now + self._reread_s
        return max(due - due % _TOGETHER_S, now + self._reread_s / 2)

    async def _read_patiently(self) -> None:
        """Read on; when the store is away for too long, give up."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._settings.patience_s
        while True:
            try:
                return await self.read_on()
            except StoreUnavailableError as error:
                if loop.time() > give_up:
                    self._fail(error)
                    return None
                await asyncio.sleep(min(_PAUSE_S, self._settings.patience_s))
            except Exception as error:  # noqa: BLE001 - watchers must hear of it, whatever it is
                self._fail(error)
                return None

    def _fail(self, error: Exception) -> None:
        self.failure = error
        self.tell()


def _are_one_game(one: HostedGame, other: HostedGame) -> bool:
    """Tell whether two states are of one game, not of one of its id that was made later."""
    return (one.created_ms, one.secret) == (other.created_ms, other.secret)


def _meaning_of_gap(reading: LogReading) -> ResetReason:
    """Return why the log did not lead on: it is damaged, or sound and of another history."""
    damaged = reading.entries is None
    return ResetReason.HISTORY_GONE if damaged else ResetReason.HISTORY_CHANGED


def _version(event: TableEvent) -> int:
    return event.version
