"""Lets a player who comes with a token of the platform act as the seat that the player has.

Knows which methods name a game; who sits where, the application says.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from mextrain_service.application.callers import PlayerCaller, SeatCaller
from mextrain_service.application.errors import TokenSupersededError
from mextrain_service.application.model import GameId
from mextrain_service.transport.interceptors.auth import act_as, current_caller
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor

FOR_PLAYERS: Final = frozenset({"ClaimSeat"})
"""Methods that name a game and are for players as such: who has no seat yet asks for one."""


class SeatOfPlayer(Protocol):
    """Finds the seat of a player."""

    async def __call__(
        self, caller: PlayerCaller, game_id: GameId, *, fresh: bool = False
    ) -> SeatCaller:
        """Return it; see ``application.player_seats``."""
        ...


class SeatsInterceptor(WrappingInterceptor):
    """Sets the caller to the player's seat, for methods that name a game."""

    def __init__(self, seat_of_player: SeatOfPlayer) -> None:
        super().__init__()
        self._seat_of_player = seat_of_player

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Do nothing: a call may have to be made twice, which nothing around it can do."""
        del call
        yield

    def _unary(self, method: str, inner: Any) -> Any:
        if method in FOR_PLAYERS:
            return inner

        async def handle(request: Any, context: Any) -> Any:
            caller, game_id = current_caller(), getattr(request, "game_id", "")
            if not isinstance(caller, PlayerCaller) or not game_id:
                return await inner(request, context)
            act_as(await self._seat_of_player(caller, GameId(game_id)))
            try:
                return await inner(request, context)
            except TokenSupersededError:  # the seat was looked up in what this worker remembers
                act_as(await self._seat_of_player(caller, GameId(game_id), fresh=True))
                return await inner(request, context)

        return handle

    def _stream(self, method: str, inner: Any) -> Any:
        async def handle(request: Any, context: Any) -> None:
            caller, game_id = current_caller(), getattr(request, "game_id", "")
            if isinstance(caller, PlayerCaller) and game_id and method not in FOR_PLAYERS:
                act_as(await self._seat_of_player(caller, GameId(game_id), fresh=True))
            await inner(request, context)

        return handle
