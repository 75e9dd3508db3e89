"""Use case: watch a game, from any version on, for as long as there is something to tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from copy import copy
from dataclasses import dataclass, replace

from mextrain_engine import Phase
from mextrain_service.application.access import (
    Action,
    require_access,
    require_allowed,
    require_names_own_game,
)
from mextrain_service.application.answers import TableEvent, game_answer, redacted
from mextrain_service.application.callers import Caller
from mextrain_service.application.chain import Position, first_link, links_of
from mextrain_service.application.delay import is_delayed
from mextrain_service.application.history import game_at, is_in_history, replayed
from mextrain_service.application.live_games import LiveGame, LiveGames
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.ports import Clock, GameStore
from mextrain_service.application.reading import read_game_and_log
from mextrain_service.application.refused import (
    READER_TOO_SLOW,
    HistoryGoneError,
    Refused,
)
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.timer import Timer
from mextrain_service.application.watching import (
    Ended,
    EndReason,
    Happened,
    Heartbeat,
    Reset,
    ResetReason,
    Update,
)

_EVENTS_OF_A_MESSAGE = 200
"""Some 10 KB. A message has a few more rather than a part of what happened at one version."""

_MS = 1_000


@dataclass(frozen=True, slots=True)
class WatchGameQuery:
    """What is asked.

    Attributes:
        game_id: the game.
        after_version: 0 for all that ever happened; any other version alone says too little to
            resume after it.
        after: the place up to which the watcher knows everything; None for one who knows nothing
            and begins with the table as it is.
        heartbeat_s: how long the stream may be silent, in seconds; None leaves it to the host.
    """

    game_id: GameId
    after_version: int | None = None
    after: Position | None = None
    heartbeat_s: float | None = None


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a watch needs beside its game."""

    store: GameStore
    clock: Clock
    streams: OpenStreams


class WatchGame:
    """Lets watchers follow a game."""

    def __init__(
        self, store: GameStore, clock: Clock, live_games: LiveGames, streams: OpenStreams
    ) -> None:
        self._live_games = live_games
        self._streams = streams
        self._surroundings = _Surroundings(store, clock, streams)

    @asynccontextmanager
    async def __call__(self, caller: Caller, query: WatchGameQuery) -> AsyncIterator[GameWatch]:
        """Open a watch; it is over when the context closes.

        Raises:
            InvalidRequestError: there are no heartbeats at such intervals.
            Refused: ``TOO_MANY_WATCHERS`` or ``SHUTTING_DOWN``, this worker takes no more.
            Refused, GameNotFoundError, StoreUnavailableError: as ``read_game`` says.
        """
        require_allowed(caller, Action.WATCH_GAME)
        require_names_own_game(caller, query.game_id)
        heartbeat_s = self._streams.heartbeat_s(query.heartbeat_s)
        with self._streams.admitted(Action.WATCH_GAME.value):
            async with self._live_games.following(query.game_id) as followed:
                require_access(caller, Action.WATCH_GAME, followed.game)
                asked = replace(query, heartbeat_s=heartbeat_s)
                watch = GameWatch(caller, asked, followed, self._surroundings)
                platform_id = followed.game.platform_id
                with (
                    self._streams.counted_for(platform_id),
                    closing(watch),
                    followed.heard_by(watch.wake),
                ):
                    yield watch


class GameWatch:
    """One watcher of a followed game: how far it has come, and what comes next.

    Nothing is kept ready for it: what it is told is taken from the followed game when it has taken
    what came before, so that a watcher who takes nothing costs nothing.

    Attributes:
        position: the place up to which it was told everything.
        ended: there is nothing more to tell, ever.
    """

    def __init__(
        self,
        caller: Caller,
        query: WatchGameQuery,
        followed: LiveGame,
        surroundings: _Surroundings,
    ) -> None:
        self.position = Position.of(followed.game)
        self.ended = False
        self._caller = caller
        self._followed = followed
        self._store = surroundings.store
        self._clock = surroundings.clock
        self._streams = surroundings.streams
        self._gaps = followed.gaps
        self._checked: HostedGame = followed.game
        self._query = query
        self._begun = False
        self._heartbeat_s = query.heartbeat_s or self._streams.settings.heartbeat_s
        self._news = asyncio.Event()
        self._listener: Callable[[], object] = self._news.set
        self._silent = False
        self._timer = Timer(self._ring)

    @property
    def reachable(self) -> int:
        """The version up to which the watcher may know the game now."""
        followed = self._followed
        return followed.shown if is_delayed(self._caller, followed.game) else followed.game.version

    @contextmanager
    def heard_by(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call ``listener``, who asks ``at_hand`` and never ``more``, when there may be more."""
        self._listener = listener
        try:
            yield
        finally:
            self._listener = self._news.set

    def wake(self) -> None:
        """Take notice that there may be more."""
        self._listener()

    async def more(self) -> Sequence[Update]:
        """Return what is next, at least one update; wait for it if need be.

        Raises:
            Refused: ``READER_TOO_SLOW``, what is next is not at hand any more.
            TokenSupersededError: the seat got another token, or another holder.
            Refused: ``SHUTTING_DOWN``, this worker is about to stop.
            StoreError: the store is away, and stays away.
        """
        while True:
            self._news.clear()
            found = self.at_hand()
            if found is None:
                found = await self.read()
            if found:
                return found
            await self._news.wait()

    def at_hand(self) -> Sequence[Update] | None:
        """Return all that is to be told and at hand: nothing if there is nothing.

        Returns:
            None if something has to be read before; ``read`` does.

        Raises:
            Refused, StoreError: as ``more``.
        """
        if self.ended:
            return ()
        if not self._begun:
            return None
        found = self._new()
        if found == () and self._silent:
            found = (self._heartbeat(),)
        if found:
            self._put_heartbeat_off()
        return found

    async def read(self) -> Sequence[Update]:
        """Return what is next when ``at_hand`` has None: at least one update.

        Raises:
            Refused, StoreError: as ``more``.
        """
        if self._begun:
            self._put_heartbeat_off()
            return await self._caught_up()
        found: Sequence[Update] | None = await self._first()
        if not found:
            found = self._new()
        if found is None:
            found = await self._caught_up()
        self._begun = True
        self._timer.set(self._streams.jittered(self._heartbeat_s))
        return found or (self._heartbeat(),)

    def close(self) -> None:
        """Wake nobody any more."""
        self._timer.cancel()

    def _put_heartbeat_off(self) -> None:
        """Let the next heartbeat be due when the stream has been silent from now on."""
        self._silent = False
        self._timer.set(self._heartbeat_s)

    def _ring(self) -> None:
        self._silent = True
        self.wake()

    def _heartbeat(self) -> Heartbeat:
        return Heartbeat(self.position, self._clock.now_ms())

    async def _first(self) -> Sequence[Update]:
        """Return what leads from the place that the watcher knows to a version that is at hand."""
        after, from_version = self._query.after, self._query.after_version
        if after is None and from_version is None:
            return await self._reset(ResetReason.BEGINNING)
        if after is None and from_version:
            return await self._reset(ResetReason.CURSOR_MISSING)
        followed, until = self._followed, self.reachable
        if after is None:
            after = Position(0, first_link(followed.game.game_id, followed.game.created_ms))
        if after.version > until:
            return await self._reset(ResetReason.HISTORY_CHANGED)
        if after.version < followed.oldest:
            return await self._read_since(after, Position(until, followed.link_at(until)))
        if after.link != followed.link_at(after.version):
            return await self._reset(ResetReason.HISTORY_CHANGED)
        self.position = after
        return ()

    async def _read_since(self, after: Position, until: Position) -> Sequence[Update]:
        """Return what happened between two places, the first of which is not at hand any more."""
        try:
            game, entries = await read_game_and_log(
                self._store, self._caller, Action.WATCH_GAME, self._checked.game_id
            )
            events = await replayed(game, entries)
        except HistoryGoneError:
            return await self._reset(ResetReason.HISTORY_GONE)
        if not all(is_in_history(game, entries, place) for place in (after, until)):
            await self._followed.read_on()
            self._gaps = self._followed.gaps
            return await self._reset(ResetReason.HISTORY_CHANGED)
        told = [each for each in events if after.version < each.version <= until.version]
        links = links_of(game, entries[: until.version])
        return self._told(told, until.version, links.__getitem__)

    async def _caught_up(self) -> Sequence[Update]:
        """Return the table, as the log does not lead on from where it was read to."""
        self._gaps = self._followed.gaps
        return await self._reset(self._followed.gap)

    def _new(self) -> Sequence[Update] | None:
        """Return what happened that was not told yet; None if it is not known what."""
        self._require_worth_going_on()
        if self._followed.gaps != self._gaps:
            return None
        found: Sequence[Update] = ()
        until = self.reachable
        if self.position.version < until:
            if self.position.version < self._followed.oldest:
                raise Refused(READER_TOO_SLOW, resume=self.position.cursor, retry_after_s=0.1)
            if self._begun:
                self._measure()
            events = self._followed.between(self.position.version, until)
            found = self._told(events, until, self._followed.link_at)
        if self._followed.gone:
            return (*found, self._end(EndReason.DELETED))
        if self._followed.game.state.phase is Phase.FINISHED:
            return (*found, self._end(EndReason.FINISHED))
        return found

    def _require_worth_going_on(self) -> None:
        self._streams.require_open()
        if self._followed.failure is not None:
            raise copy(self._followed.failure)
        if self._followed.game is not self._checked:
            self._checked = self._followed.game
            require_access(self._caller, Action.WATCH_GAME, self._checked)

    async def _reset(self, reason: ResetReason) -> Sequence[Update]:
        game = self._followed.game
        if is_delayed(self._caller, game):
            shown = self.reachable
            game, entries = await read_game_and_log(
                self._store, self._caller, Action.WATCH_GAME, game.game_id
            )
            game = await game_at(game, entries, shown)
        self.position = Position.of(game)
        now = self._clock.moment(game.game_id)
        return (Reset(reason, game_answer(game, self._caller, now)),)

    def _told(
        self, events: Sequence[TableEvent], until: int, link_at: Callable[[int], bytes]
    ) -> Sequence[Update]:
        """Return what happened as messages, and take it for told."""
        parts = [redacted(part, self._caller) for part in _parts(events)]
        reached = [*(part[-1].version for part in parts[:-1]), until]
        places = [Position(version, link_at(version)) for version in reached]
        self.position = places[-1]
        return tuple(map(Happened, places, parts))

    def _end(self, reason: EndReason) -> Ended:
        self.ended = True
        return Ended(self.position, reason)

    def _measure(self) -> None:
        lag_ms = self._clock.now_ms() - self._followed.game.updated_ms
        self._streams.meter.delivered(Action.WATCH_GAME.value, max(0, lag_ms) / _MS)


def _parts(events: Sequence[TableEvent]) -> Iterator[Sequence[TableEvent]]:
    """Cut events into messages, none of them within a version; a tuple that fits stays itself."""
    start = 0
    while start < len(events):
        end = min(start + _EVENTS_OF_A_MESSAGE, len(events))
        while end < len(events) and events[end].version == events[end - 1].version:
            end += 1
        yield events[start:end]
        start = end
