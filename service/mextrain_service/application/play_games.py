"""Use case: act for many seats over one stream of a platform, each as its own token allows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass

from mextrain_engine import Move
from mextrain_service.application.access import Action, require_access, require_allowed
from mextrain_service.application.callers import Caller, PlatformCaller, PlayerCaller
from mextrain_service.application.model import GameId
from mextrain_service.application.play_move import PlayMove
from mextrain_service.application.player_seats import PlayerSeats
from mextrain_service.application.ports import GameStore
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.watch_game import GameWatch, WatchGame, WatchGameQuery


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """A seat, or a spectator's place, as it is acted for on a stream.

    Attributes:
        holder: who acts: the seat or the spectator, never the platform.
        version: the version of the game when it was taken, as far as the holder may know it.
        watch: what there is to tell; None if nothing is to be told.
    """

    holder: Caller
    version: int
    watch: GameWatch | None


@dataclass(frozen=True, slots=True)
class PlatformStream:
    """A stream of a platform.

    Attributes:
        caller: whose it is.
        woken: calls what it is given when the worker is about to stop, as long as its context is
            open.
        require_open: raises ``Refused`` when the worker is about to stop.
    """

    caller: PlatformCaller
    woken: Callable[[Callable[[], object]], AbstractContextManager[None]]
    require_open: Callable[[], None]


class PlayGames:
    """Lets a platform act for the seats whose tokens it has."""

    def __init__(
        self,
        store: GameStore,
        streams: OpenStreams,
        play_move: PlayMove,
        watch_game: WatchGame,
        player_seats: PlayerSeats,
    ) -> None:
        self._store = store
        self._streams = streams
        self._play_move = play_move
        self._watch_game = watch_game
        self._player_seats = player_seats

    @asynccontextmanager
    async def __call__(self, caller: Caller) -> AsyncIterator[PlatformStream]:
        """Open a stream of a platform, which is over when the context closes.

        Raises:
            Refused: ``PERMISSION_DENIED`` or ``UNAUTHENTICATED``, the caller is no platform.
            Refused: ``TOO_MANY_WATCHERS`` or ``SHUTTING_DOWN``, this worker takes no more.
        """
        require_allowed(caller, Action.PLAY_GAMES)
        assert isinstance(caller, PlatformCaller), "the table of access lets nobody else pass"
        with (
            self._streams.admitted(Action.PLAY_GAMES.value),
            self._streams.counted_for(caller.platform_id),
        ):
            yield PlatformStream(caller, self._streams.woken, self._streams.require_open)

    @asynccontextmanager
    async def taken(
        self, platform: PlatformCaller, bearer: Caller, query: WatchGameQuery, *, watched: bool
    ) -> AsyncIterator[TakenSeat]:
        """Take a seat to the stream, as long as the context is open.

        Args:
            platform: whose stream it is.
            bearer: whom the seat's token is of.
            query: the game, and from where on to tell what happens in it.
            watched: anything is to be told.

        Raises:
            GameNotFoundError: the platform has no such game, or the token is of another one.
            Refused, StoreUnavailableError: as ``WatchGame`` says.
        """
        require_access(platform, Action.PLAY_GAMES, await self._store.cached(query.game_id))
        holder = bearer
        if isinstance(bearer, PlayerCaller):
            holder = await self._player_seats(bearer, query.game_id, fresh=True)
        async with self._watch_game(holder, query) as watch:
            version = watch.reachable
            if watched:
                yield TakenSeat(holder, version, watch)
        if not watched:
            yield TakenSeat(holder, version, None)

    async def play(
        self,
        seat: TakenSeat,
        game_id: GameId,
        moves: tuple[Move, ...],
        request_id: str,
        expected_version: int | None,
    ) -> int:
        """Make moves of a seat that was taken; return the version of the game after them.

        Args:
            seat: the seat.
            game_id: its game.
            moves: as for ``PlayMove``, like the rest.
            request_id: likewise.
            expected_version: likewise.

        Raises:
            Refused, EngineError, StoreError: as ``PlayMove`` says.
        """
        made = await self._play_move(seat.holder, game_id, moves, request_id, expected_version)
        return made.game.version
