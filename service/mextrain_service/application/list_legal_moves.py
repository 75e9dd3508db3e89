"""Use case: list what a seat may do now, and why each other tile of its hand cannot go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mextrain_engine import (
    PASS,
    Move,
    MoveKind,
    Phase,
    Refusal,
    State,
    TileId,
    explain,
    legal_moves,
    play,
    tiles_in,
)
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.answers import LegalMovesAnswer
from mextrain_service.application.callers import Caller, viewer_seat
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameStore
from mextrain_service.application.reading import read_game
from mextrain_service.application.refused import UNAUTHENTICATED, Refused


class ListLegalMoves:
    """Lists the legal moves of the caller's own seat; nobody can ask for another's."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(self, caller: Caller, game_id: GameId) -> LegalMovesAnswer:
        """Return the seat's legal moves, none when it is not to move. Raises as ``read_game``."""
        require_allowed(caller, Action.LIST_LEGAL_MOVES)
        seat = viewer_seat(caller)
        if seat is None:
            raise Refused(UNAUTHENTICATED)
        game = await read_game(self._store, caller, Action.LIST_LEGAL_MOVES, game_id)
        moves = tuple(legal_moves(game.state, seat))
        return LegalMovesAnswer(
            version=game.version,
            moves=moves,
            unplayable=tuple(_unplayable(game.state, seat, moves)),
            refusal=None if moves else explain(game.state, PASS, seat),
        )


def _unplayable(state: State, seat: int, moves: Sequence[Move]) -> Iterator[tuple[TileId, Refusal]]:
    """Yield the tiles that go nowhere, each with why it does not go on the seat's own train."""
    round_ = state.round
    if state.phase is not Phase.PLAYING or round_ is None or round_.turn != seat:
        return
    playable = {move.tile for move in moves if move.kind is MoveKind.PLAY}
    for tile_id in tiles_in(round_.hands[seat]):
        if tile_id not in playable:
            refusal = explain(state, play(tile_id, seat), seat)
            if refusal is not None:
                yield tile_id, refusal
