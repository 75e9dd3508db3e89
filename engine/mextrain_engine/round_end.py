"""How a round ends: whether it is blocked, and what the end leads to.

Works on the board of the step that ends it; points are counted in ``scoring``.
"""

from __future__ import annotations

from collections.abc import Iterable

from mextrain_engine import options as opt
from mextrain_engine.board import Board
from mextrain_engine.events import GameEnded, RoundEnd, RoundEnded
from mextrain_engine.legal import due_doubles
from mextrain_engine.moves import MEXICAN
from mextrain_engine.scoring import round_points, score
from mextrain_engine.state import NOT_BARRED, Phase, RoundResult, State, Step
from mextrain_engine.tiles import TILES_WITH, tiles_in


def is_blocked(board: Board) -> bool:
    """Tell whether nobody can ever play again (C42).

    That is so when the boneyard is empty and no seat, taken as the mover under the present
    duties, has a play with every train that can be opened counted as open. A seat that is out
    while others finish their first turns ends the round by itself.
    """
    # Rules blocked.no-play, blocked.nobody-out
    if board.boneyard or board.out:
        return False
    # Rule blocked.duty-counts
    if board.open_doubles:
        return not any(_can_cover(board, seat) for seat in range(board.seats))
    # Rule blocked.not-yet
    common = TILES_WITH[board.end_of(MEXICAN)]
    for train in _shared_trains(board):
        common |= TILES_WITH[board.end_of(train)]
    return not any(
        hand & (common | TILES_WITH[board.end_of(seat)]) for seat, hand in enumerate(board.hands)
    )


def end_round(board: Board, *, blocked: bool) -> Step:
    """Return the step that ends the round, and the match with the last one."""
    state, end = board.state, RoundEnd.BLOCKED if blocked else RoundEnd.WENT_OUT
    board.uncalled = -1
    points = round_points(board.rules, board.hands, board.out)
    result = RoundResult(board.hub, board.starter, end, board.out, points)
    out = tuple(tiles_in(board.out))
    board.events.append(RoundEnded(board.number, end, out, points))
    results = (*state.results, result)
    finished = len(results) == board.rules.total_rounds(board.seats)
    phase = Phase.FINISHED if finished else Phase.AWAITING_DEAL
    after = State(board.rules, board.seats, phase, results, board.freeze())
    if finished:
        final = score(after)
        board.events.append(GameEnded(final.leaders, final.totals, final.places))
    return Step(after, tuple(board.events))


def _can_cover(board: Board, seat: int) -> bool:
    """Tell whether a seat holds a tile for a double that is due, and may lay it there [33, D9]."""
    # Rule open.failed.own-closed
    barred = bool(board.barred) and board.barred[seat] != NOT_BARRED
    return any(
        board.hands[seat] & TILES_WITH[board.end_of(train)]
        for train in due_doubles(board.rules, board.open_doubles)
        if not (barred and train == seat)
    )


def _shared_trains(board: Board) -> Iterable[int]:
    """Return the seats whose trains could ever be open to the others."""
    rules = board.rules
    if rules.opponents_trains is opt.OpponentsTrains.NEVER:
        return ()
    if rules.unstarted_marked_train_open and rules.mark_when_unstarted:
        return range(board.seats)
    return [seat for seat in range(board.seats) if len(board.trains[seat]) > 1]
