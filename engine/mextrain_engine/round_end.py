"""How a round ends: whether it is blocked, and what the end leads to.

Works on the board of the step that ends it; points are counted in ``scoring``.
"""

from __future__ import annotations

from mextrain_engine import options as opt
from mextrain_engine.board import Board
from mextrain_engine.events import GameEnded, RoundEnd, RoundEnded
from mextrain_engine.moves import MEXICAN
from mextrain_engine.scoring import round_points, score
from mextrain_engine.state import NOT_BARRED, Phase, RoundResult, State, Step
from mextrain_engine.tiles import TILES_WITH, TileMask, tiles_in


def is_blocked(board: Board) -> bool:
    """Tell whether nobody can ever play again (C42).

    That is so when the boneyard is empty and no seat, taken as the mover under the present
    duties, has a play with every train that can be opened counted as open. A seat that is out
    while others finish their first turns ends the round by itself.
    """
    if board.boneyard or board.out:
        return False
    return not any(hand & _reachable(board, seat) for seat, hand in enumerate(board.hands))


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


def _reachable(board: Board, seat: int) -> TileMask:
    """Return the tiles that a seat could lay if every train that can be opened to it were."""
    tiles = 0
    for train in _duties(board, seat) if board.open_doubles else _openable(board, seat):
        tiles |= TILES_WITH[board.end_of(train)]
    return tiles


def _duties(board: Board, seat: int) -> list[int]:
    order = board.rules.open_double_order
    doubles = board.open_doubles
    due = {
        opt.OpenDoubleOrder.FIFO: doubles[:1],
        opt.OpenDoubleOrder.LIFO: doubles[-1:],
        opt.OpenDoubleOrder.ANY: doubles,
    }[order]
    barred = bool(board.barred) and board.barred[seat] != NOT_BARRED
    return [train for train in due if not (barred and train == seat)]


def _openable(board: Board, seat: int) -> list[int]:
    rules = board.rules
    if rules.opponents_trains is opt.OpponentsTrains.NEVER:
        return [MEXICAN, seat]
    unstarted = rules.unstarted_marked_train_open and rules.mark_when_unstarted
    return [
        train
        for train in (MEXICAN, *range(board.seats))
        if train in (seat, MEXICAN) or unstarted or len(board.trains[train]) > 1
    ]
