"""Use case: list the games of a platform or of a player, page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from mextrain_engine import Phase
from mextrain_service.application.access import Action, require_access, require_allowed
from mextrain_service.application.answers import (
    SeatAnswer,
    TableAnswer,
    seat_answers,
    table_answer,
)
from mextrain_service.application.callers import (
    Caller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
)
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
    SeatKind,
)
from mextrain_service.application.ports import (
    Clock,
    DamagedGameError,
    GameIndex,
    GameNotFoundError,
    GameStore,
    ListedGame,
)
from mextrain_service.application.refused import PERMISSION_DENIED, UNAUTHENTICATED, Refused

ENTRIES_AT_ONCE = 25
"""Games that are looked at together."""

ENTRIES_PER_CALL = 200
"""Games that one call looks at; a page may be short because so many of them were others."""

DOUBTFUL_MS = 60_000
"""An entry that is untrue for longer than this is no change that is about to be committed."""


class GameState(Enum):
    """Where a game stands, as lists tell it."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class ListGamesQuery:
    """What is asked.

    Attributes:
        player_id: of which player; None for all of a platform, or for whoever holds the seat.
        state: only games that stand so; None for all.
        page_size: games of a page at most, at least 1.
        after: the entry that the page before ended with; None for the first page.
    """

    player_id: PlayerId | None = None
    state: GameState | None = None
    page_size: int = 50
    after: ListedGame | None = None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game on a list. Shows no hand.

    Attributes:
        game_id: its name.
        rules_name: the name that its rules carry.
        state: where it stands.
        seats: who sits where, in seat order.
        seat: the seat of the player whose games are listed; None without a player.
        version: entries in its log.
        phase: whether a deal is due, a round is live, or all is over.
        round_number: the live round or the last one, 1-based; 0 before the first deal.
        total_rounds: rounds of the match.
        turn: the seat to move; None when no round is live.
        turn_deadline_ms: when its turn runs out, in milliseconds since the epoch; None for never.
        created_ms: when the game was made.
        updated_ms: when its last entry was written.
    """

    game_id: GameId
    rules_name: str
    state: GameState
    seats: tuple[SeatAnswer, ...]
    seat: int | None
    version: int
    phase: Phase
    round_number: int
    total_rounds: int
    turn: int | None
    turn_deadline_ms: int | None
    created_ms: int
    updated_ms: int


@dataclass(frozen=True, slots=True)
class GamePage:
    """A part of a list.

    Attributes:
        games: those that joined it latest come first.
        next_after: what the next page comes after; None when this is the last one.
        server_time_ms: when this was answered, in milliseconds since the epoch.
    """

    games: tuple[GameSummary, ...]
    next_after: ListedGame | None
    server_time_ms: int


class ListGames:
    """Lists games from an index, and believes only what the games themselves say."""

    def __init__(self, store: GameStore, index: GameIndex, clock: Clock) -> None:
        self._store = store
        self._index = index
        self._clock = clock

    async def __call__(self, caller: Caller, query: ListGamesQuery) -> GamePage:
        """Return one page; it may have fewer games than asked for though more follow.

        A platform lists its own games, or those of one of its players. A player lists its own, a
        seat those of the player who holds it.

        Raises:
            Refused: ``PERMISSION_DENIED``, only a platform names a player; and a seat whose
                holder has no account has no list.
            Refused, GameNotFoundError: the caller's credential is no longer good.
            StoreUnavailableError: the store does not answer.
        """
        require_allowed(caller, Action.LIST_GAMES)
        platform_id, player_id = await self._whose(caller, query)
        found: list[GameSummary] = []
        after, looked_at = query.after, 0
        while looked_at < ENTRIES_PER_CALL:
            entries = await self._index.page(platform_id, player_id, after, ENTRIES_AT_ONCE)
            games = await asyncio.gather(*(self._game(each.game_id) for each in entries))
            for entry, game in zip(entries, games, strict=True):
                if len(found) == query.page_size:
                    return self._page(found, after)
                after = entry
                if isinstance(game, DamagedGameError):
                    continue
                if game is None or not _belongs(game, platform_id, player_id):
                    await self._doubt(platform_id, player_id, entry)
                elif query.state is None or _state_of(game) is query.state:
                    found.append(self._summary(game, caller, player_id))
            looked_at += len(entries)
            if len(entries) < ENTRIES_AT_ONCE:
                return self._page(found, None)
        return self._page(found, after)

    async def _whose(
        self, caller: Caller, query: ListGamesQuery
    ) -> tuple[PlatformId, PlayerId | None]:
        match caller:
            case PlatformCaller(platform_id):
                return platform_id, query.player_id
            case SeatCaller() | PlayerCaller() if query.player_id is not None:
                raise Refused(
                    PERMISSION_DENIED, action="ListGames with a player_id", needed="a platform"
                )
            case PlayerCaller(platform_id, player_id):
                return platform_id, player_id
            case SeatCaller(game_id, seat):
                game = await self._store.load(game_id)
                require_access(caller, Action.LIST_GAMES, game)
                player_id = game.seats[seat].player_id
                if not player_id:
                    raise Refused(
                        PERMISSION_DENIED,
                        action="ListGames",
                        needed="a platform or a player with an account",
                    )
                return game.platform_id, player_id
            case _:
                raise Refused(UNAUTHENTICATED)

    async def _game(self, game_id: GameId) -> HostedGame | DamagedGameError | None:
        """Return a game, None if there is none, or why it cannot be read: the others still can."""
        try:
            return await self._store.load(game_id)
        except GameNotFoundError:
            return None
        except DamagedGameError as damage:
            return damage

    async def _doubt(
        self, platform_id: PlatformId, player_id: PlayerId | None, entry: ListedGame
    ) -> None:
        """Drop an entry that is not true, unless the game is perhaps being committed just now."""
        if self._clock.now_ms() - entry.listed_ms > DOUBTFUL_MS:
            await self._index.drop(platform_id, player_id, entry)

    def _page(self, found: Sequence[GameSummary], after: ListedGame | None) -> GamePage:
        return GamePage(tuple(found), after, self._clock.now_ms())

    def _summary(self, game: HostedGame, caller: Caller, player_id: PlayerId | None) -> GameSummary:
        seat = None if player_id is None else _seat_of(game, player_id)
        viewer = caller
        if isinstance(caller, SeatCaller | PlayerCaller) and seat is not None:
            viewer = SeatCaller(game.game_id, seat, game.seats[seat].token_generation)
        table: TableAnswer = table_answer(game, viewer, self._clock.moment(game.game_id))
        round_ = table.view.round
        return GameSummary(
            game_id=game.game_id,
            rules_name=game.state.rules.name,
            state=_state_of(game),
            seats=seat_answers(game, viewer),
            seat=seat,
            version=game.version,
            phase=table.view.phase,
            round_number=0 if round_ is None else round_.number,
            total_rounds=table.view.total_rounds,
            turn=None if round_ is None else round_.turn,
            turn_deadline_ms=table.turn_deadline_ms,
            created_ms=game.created_ms,
            updated_ms=game.updated_ms,
        )


def _belongs(game: HostedGame, platform_id: PlatformId, player_id: PlayerId | None) -> bool:
    if game.platform_id != platform_id:
        return False
    return player_id is None or _seat_of(game, player_id) is not None


def _seat_of(game: HostedGame, player_id: PlayerId) -> int | None:
    for seat, holder in enumerate(game.seats):
        if holder.player_id == player_id:
            return seat
    return None


def _state_of(game: HostedGame) -> GameState:
    if game.state.phase is Phase.FINISHED:
        return GameState.FINISHED
    if any(holder.kind is SeatKind.OPEN for holder in game.seats):
        return GameState.OPEN
    return GameState.RUNNING
