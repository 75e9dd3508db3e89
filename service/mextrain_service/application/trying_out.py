"""Tries several moves on what their seat knows, so that a refusal tells it nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mextrain_engine import (
    DRAW,
    IllegalMoveError,
    Move,
    Refusal,
    State,
    apply,
    format_move,
    mask_of,
)
from mextrain_service.application.refused import FieldViolation, InvalidRequestError


def require_playable(state: State, seat: int, moves: Sequence[Move]) -> None:
    """Return unless one of the moves is refused on the table as the seat knows it.

    Tried on the real hands, a refusal of the second would say whether the first ends the round as
    blocked.

    Raises:
        InvalidRequestError: a draw is not the last of them.
        IllegalMoveError: the rules refuse one; its ``index`` says which.
    """
    _require_draw_last(moves)
    _try_out(_as_known_to(state, seat), seat, moves)


def _require_draw_last(moves: Sequence[Move]) -> None:
    """Refuse moves that follow a draw: their refusal would tell the tile and take nothing."""
    violations = [
        FieldViolation(f"moves[{index}]", "DRAW_NOT_LAST", "only the last move may be a draw")
        for index, move in enumerate(moves[:-1])
        if move == DRAW
    ]
    if violations:
        raise InvalidRequestError(violations)


def _as_known_to(state: State, seat: int) -> State:
    """Return the table as the seat must reckon with it: any rival may hold any unseen tile.

    Only good to try moves of this seat on; it is no state of a match.
    """
    round_ = state.round
    if round_ is None:
        return state
    unseen = mask_of(round_.boneyard)
    for rival, hand in enumerate(round_.hands):
        if rival != seat:
            unseen |= hand
    hands = tuple(
        hand if holder == seat or not hand else unseen for holder, hand in enumerate(round_.hands)
    )
    return state._replace(round=round_._replace(hands=hands))


def _try_out(state: State, seat: int, moves: Sequence[Move]) -> None:
    for index, move in enumerate(moves):
        try:
            state = apply(state, move, seat).state
        except IllegalMoveError as error:
            raise IllegalMoveError(_placed(error.refusal, move, index), index) from None


def _placed(refusal: Refusal, move: Move, index: int) -> Refusal:
    """Return the refusal with the place and the notation of the move that it is of."""
    facts = {**refusal.facts, "index": str(index), "move": format_move(move)}
    return replace(refusal, facts=facts)
