"""Lets a player who comes with a token of the platform act as the seat that the player has.

Knows which methods name a game; who sits where, the application says.
"""

from __future__ import annotations

from typing import Final, Protocol

from mextrain_service.application.callers import PlayerCaller, SeatCaller
from mextrain_service.application.errors import TokenSupersededError
from mextrain_service.application.model import GameId
from mextrain_service.transport.interceptors.auth import act_as, current_caller
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method

FOR_PLAYERS: Final = frozenset({"ClaimSeat"})
"""Methods that name a game and are for players as such: who has no seat yet asks for one."""


class SeatOfPlayer(Protocol):
    """Finds the seat of a player."""

    async def __call__(
        self, caller: PlayerCaller, game_id: GameId, *, fresh: bool = False
    ) -> SeatCaller:
        """Return it; see ``application.player_seats``."""
        ...


class SeatsInterceptor(Interceptor):
    """Sets the caller to the player's seat, for methods that name a game."""

    def __init__(self, seat_of_player: SeatOfPlayer) -> None:
        self._seat_of_player = seat_of_player

    def around(self, method: Method, inner: Handle) -> Handle:
        """Let players act as their seats, where a game is named."""
        if method.name in FOR_PLAYERS:
            return inner
        return self._around_stream(inner) if method.streams else self._around_unary(inner)

    def _around_unary(self, inner: Handle) -> Handle:
        async def handle(call: Call) -> None:
            caller, game_id = current_caller(), getattr(call.request, "game_id", "")
            if not isinstance(caller, PlayerCaller) or not game_id:
                await inner(call)
                return
            act_as(await self._seat_of_player(caller, GameId(game_id)))
            try:
                await inner(call)
            except TokenSupersededError:  # the seat was looked up in what this worker remembers
                act_as(await self._seat_of_player(caller, GameId(game_id), fresh=True))
                await inner(call)

        return handle

    def _around_stream(self, inner: Handle) -> Handle:
        async def handle(call: Call) -> None:
            caller, game_id = current_caller(), getattr(call.request, "game_id", "")
            if isinstance(caller, PlayerCaller) and game_id:
                act_as(await self._seat_of_player(caller, GameId(game_id), fresh=True))
            await inner(call)

        return handle
