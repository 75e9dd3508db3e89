"""What a credential for one game is to the application: something that is issued."""

from __future__ import annotations

from typing import Protocol

from mextrain_service.application.answers import IssuedToken
from mextrain_service.application.model import GameId, HostedGame, SeatKind


class TokenIssuer(Protocol):
    """Makes tokens. The same arguments give the same token as long as the signing key stays."""

    def seat_token(
        self, game_id: GameId, seat: int, generation: int, issued_ms: int
    ) -> IssuedToken:
        """Return a token for a seat.

        Args:
            game_id: the game it is for.
            seat: the seat it speaks for, 0-based.
            generation: which issue of the seat's token it is.
            issued_ms: from when its life counts, in milliseconds since the epoch.
        """
        ...

    def invitation(self, game_id: GameId, seat: int, issued_ms: int) -> IssuedToken:
        """Return a token for whoever is to take an open seat; of no use once that is taken."""
        ...

    def spectator_token(self, game_id: GameId, issued_ms: int) -> IssuedToken:
        """Return a token for whoever may watch."""
        ...


def tokens_of_new_game(issuer: TokenIssuer, game: HostedGame) -> tuple[IssuedToken, ...]:
    """Return the first issue of every token of a game: the persons' seats, then the spectator's.

    They depend on the game only, so a repeated request is answered with the same ones, even after
    a seat was given a newer token: then the one from here is no longer good.
    """
    seats = tuple(
        issuer.seat_token(game.game_id, seat, FIRST_GENERATION, game.created_ms)
        for seat, holder in enumerate(game.seats)
        if holder.kind is SeatKind.PERSON
    )
    if not game.policy.spectators:
        return seats
    return (*seats, issuer.spectator_token(game.game_id, game.created_ms))


def invitations_of_new_game(issuer: TokenIssuer, game: HostedGame) -> tuple[IssuedToken, ...]:
    """Return an invitation to each open seat of a game, in seat order; the same each time."""
    return tuple(
        issuer.invitation(game.game_id, seat, game.created_ms)
        for seat, holder in enumerate(game.seats)
        if holder.kind is SeatKind.OPEN
    )


FIRST_GENERATION = 1
"""The generation of a seat's first token."""
