"""Use case: find the seat that a player of a platform has in a game."""

from __future__ import annotations

from mextrain_service.application.callers import PlayerCaller, SeatCaller
from mextrain_service.application.model import GameId, HostedGame, SeatKind
from mextrain_service.application.ports import GameNotFoundError, GameStore


class PlayerSeats:
    """Turns a player into the seat that is bound to the account."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(
        self, caller: PlayerCaller, game_id: GameId, *, fresh: bool = False
    ) -> SeatCaller:
        """Return the player's seat.

        Args:
            caller: the player.
            game_id: the game.
            fresh: ask the store; without it, what this worker last saw is good enough if the player
                had a seat then. Should somebody else sit there now, the seat is refused as one
                whose token was replaced.

        Raises:
            GameNotFoundError: for this player, there is no such game.
            StoreUnavailableError: the store does not answer.
        """
        if not fresh:
            seat = _seat_of(caller, await self._store.cached(game_id))
            if seat is not None:
                return seat
        seat = _seat_of(caller, await self._store.load(game_id))
        if seat is None:
            raise GameNotFoundError(game_id)
        return seat


def _seat_of(caller: PlayerCaller, game: HostedGame) -> SeatCaller | None:
    """Return the player's seat; one that was left for good only if there is no other."""
    if game.platform_id != caller.platform_id:
        return None
    own = [
        (holder.resigned, seat)
        for seat, holder in enumerate(game.seats)
        if holder.kind is SeatKind.PERSON and holder.player_id == caller.player_id
    ]
    if not own:
        return None
    _, seat = min(own)
    return SeatCaller(game.game_id, seat, game.seats[seat].token_generation)
