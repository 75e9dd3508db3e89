"""What a move does: the step from one state to the next, and the events of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from mextrain_engine import options as opt
from mextrain_engine.board import Board
from mextrain_engine.errors import IllegalMoveError, Reason, Refusal
from mextrain_engine.events import (
    Event,
    LastTileCalled,
    LastTileMissed,
    MarkerPlaced,
    MarkerRemoved,
    PassCause,
    Passed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
    WentOut,
)
from mextrain_engine.legal import in_opening, may_draw
from mextrain_engine.moves import Move, MoveKind
from mextrain_engine.refusals import explain
from mextrain_engine.round_end import end_round, is_blocked
from mextrain_engine.state import Owed, Phase, Round, State, Step
from mextrain_engine.tiles import HIGH, LOW, TileId

_tile_played = lru_cache(maxsize=8192)(TilePlayed)
_turn_started = cache(TurnStarted)
_passed = cache(Passed)
_marker_placed = cache(MarkerPlaced)
_marker_removed = cache(MarkerRemoved)
"""Events are values, so those that come often are made once; a lookup takes a third of the time."""


# Members that every move asks for, bound once: to look one up in its enum takes 45 ns.
_NOTHING = Owed.NOTHING
_NO_DUTY = opt.OpenDoubleDuty.NONE
_ONCE_PER_TURN = opt.DoubleFollowupDraw.ONCE_PER_TURN
_NO_CALL = opt.LastTileCall.OFF
_PLAY = MoveKind.PLAY
_DRAW = MoveKind.DRAW
_CALL = MoveKind.CALL


def apply(state: State, move: Move, seat: int | None = None) -> Step:
    """Make a move.

    >>> from mextrain_engine import DRAW, RuleSet, deal, new_game
    >>> start = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> apply(start, DRAW).events
    (TileDrawn(seat=0, tile=30, penalty=False),)

    Args:
        state: a match with a live round.
        move: what to do.
        seat: who does it; None is the seat to move.

    Returns:
        The next state and the events, unredacted; the given state is unchanged.

    Raises:
        IllegalMoveError: the rules refuse the move.
    """
    refusal = explain(state, move, seat)
    if refusal is not None:
        raise IllegalMoveError(refusal)
    assert state.round is not None
    return _make(state, state.round, move, state.round.turn if seat is None else seat)


def apply_all(state: State, moves: Iterable[Move], seat: int | None = None) -> Step:
    """Make several moves of one seat, all or none.

    >>> from mextrain_engine import DRAW, PASS, RuleSet, deal, new_game
    >>> start = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> apply_all(start, [DRAW, PASS]).state.round.turn
    1

    Args:
        state: a match with a live round.
        moves: what to do, in order.
        seat: who does it; None is the seat to move at the start.

    Raises:
        IllegalMoveError: a move is refused; ``index`` tells which. Nothing has changed.
    """
    if seat is None and state.round is not None:
        seat = state.round.turn
    events: list[Event] = []
    for index, move in enumerate(moves):
        try:
            state, new_events = apply(state, move, seat)
        except IllegalMoveError as error:
            raise IllegalMoveError(error.refusal, index) from None
        events.extend(new_events)
    return Step(state, tuple(events))


def skip_turn(state: State) -> Step:
    """End the turn of the seat to move in its place, as a host does when its time is up.

    The seat draws where it could have drawn before a pass, plays nothing, and is marked as for a
    pass, whether or not it had a play.

    >>> from mextrain_engine import RuleSet, deal, new_game
    >>> start = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> [type(event).__name__ for event in skip_turn(start).events]
    ['TileDrawn', 'Passed', 'MarkerPlaced', 'TurnStarted']

    Args:
        state: a match with a live round.

    Raises:
        IllegalMoveError: no round is live.
    """
    round_ = state.round
    if round_ is None or state.phase is not Phase.PLAYING:
        message = "No round is live, so there is no turn to skip."
        raise IllegalMoveError(Refusal(Reason.ROUND_NOT_DEALT, message))
    board = Board(state, round_, [])
    if round_.drawn == 0 and may_draw(state, round_):
        _draw(board)
    _pass(board, skipped=True)
    return _finish(board, over=True)


def _make(state: State, round_: Round, move: Move, seat: int) -> Step:
    board = Board(state, round_, [])
    kind = move.kind
    if kind is _PLAY:
        first = not round_.begun >> round_.turn & 1
        opening = first and in_opening(state, round_)
        over = _lay(board, move.tile, move.train, opening=opening)
    elif kind is _CALL:
        _call(board, seat)
        return board.step()
    else:
        over = _draw(board) if kind is _DRAW else _pass(board)
    return _finish(board, over=over)


def _finish(board: Board, *, over: bool) -> Step:
    """Settle what is due after a move, and end the turn if it is over."""
    if board.uncalled >= 0:
        _settle_missed_call(board, round_over=over and _goes_out_for_good(board))
    return _end_turn(board) if over else board.step()


def _lay(board: Board, tile: int, train: int, *, opening: bool) -> bool:
    """Lay a tile; return whether the turn is over."""
    seat = board.turn
    end = HIGH[tile] + LOW[tile] - board.end_of(train)
    double = HIGH[tile] == LOW[tile]
    drew_starter = opening and not board.laid and board.drawn > 0
    opening = opening and train == seat
    board.place(seat, tile, train, end)
    board.events.append(_tile_played(seat, TileId(tile), train, end))
    # Rules marker.cleared.own-train, marker.cleared.any-play
    if board.markers >> seat & 1:
        _clear_marker(board, train)
    # Rule open.cover-tile
    if board.open_doubles or board.deferred:
        board.cover(train)
    board.laid += 1
    board.doubles += double
    board.owed, board.owed_train = _NOTHING, -1
    out = not board.hands[seat]
    # Rules out.last-tile, out.on-double, out.with-open-doubles
    if out:
        board.out |= 1 << seat
        board.events.append(WentOut(seat))
        if _goes_out_for_good(board):
            return True
    # Rules open.duty, open.none, double.not-on-first-turn, first-turn.multi.doubles
    if not opening and double and board.rules.open_double_duty is not _NO_DUTY:
        board.open_double(train)
    if board.open_doubles:
        board.release_dead()
    if out:
        return True
    if opening:
        # Rules first-turn.drawn.go-on, first-turn.drawn.one
        return drew_starter and not board.rules.first_turn_draw_multi
    # Rules double.draw.per-double, double.draw.once
    if board.rules.double_followup_draw is not _ONCE_PER_TURN:
        board.drawn = 0
    # Rules turn.one-tile, double.chain.unlimited, double.chain.close.anywhere
    return not double or not _owe_followup(board, train)


def _owe_followup(board: Board, train: int) -> bool:
    """Set what the layer of a double owes; return whether the turn goes on [26, 27, D4]."""
    rules = board.rules
    cover = rules.double_followup_where is opt.DoubleFollowupWhere.DOUBLE_ONLY
    # Rule open.dead.released
    if cover and rules.dead_double is opt.DeadDouble.RELEASED and board.is_dead(train):
        return False
    match rules.double_followup:
        case opt.DoubleFollowup.NONE:  # Rule double.tile-after.none
            return False
        case opt.DoubleFollowup.REQUIRED:
            # Rules double.tile-after.anywhere, double.tile-after.cover
            board.owed = Owed.COVER if cover else Owed.FOLLOW_ANYWHERE
        case opt.DoubleFollowup.OPTIONAL:
            # Rules double.tile-after.optional, double.tile-after.optional-cover
            board.owed = Owed.MAY_COVER if cover else Owed.MAY_FOLLOW
    board.owed_train = train if cover else -1
    return True


def _clear_marker(board: Board, train: int) -> None:
    """Take the mover's marker off, if a play on this train does so [24]."""
    # Rules marker.cleared.double-at-once, marker.cleared.double-no-mark
    # Rules marker.cleared.double-free, marker.cover-elsewhere, marker.others-play, mexican.not-own
    seat = board.turn
    # Rules marker.cleared.own-train, marker.cleared.any-play
    if train == seat or board.rules.marker_clear is opt.MarkerClear.ANY_PLAY:
        board.markers &= ~(1 << seat)
        board.events.append(_marker_removed(seat))


def _draw(board: Board) -> bool:
    tile = board.take_tile(board.turn)
    board.drawn += 1
    board.events.append(TileDrawn(board.turn, tile))
    return False


def _pass(board: Board, *, skipped: bool = False) -> bool:
    seat = board.turn
    cause, marks = _why_pass(board)
    board.events.append(_passed(seat, PassCause.SKIPPED if skipped else cause))
    # Rules open.failed.own-closed, open.failed.own-open
    if cause is PassCause.DUTY_FAILED:
        board.bar(seat)
    # Rules marker.unstarted, marker.unstarted.no
    started = len(board.trains[seat]) > 1 or board.rules.mark_when_unstarted
    # Rules marker.unable, marker.automatic
    if marks and started and not board.markers >> seat & 1:
        board.markers |= 1 << seat
        board.events.append(_marker_placed(seat))
    return True


def _why_pass(board: Board) -> tuple[PassCause, bool]:
    """Return why the seat to move passes, and whether that puts a marker on its train."""
    match board.owed:
        case Owed.MAY_FOLLOW | Owed.MAY_COVER:  # Rule double.tile-after.optional
            return PassCause.FOLLOWUP_DECLINED, False
        case Owed.FOLLOW_ANYWHERE | Owed.COVER:
            # Rules double.failed.mark, double.failed.no-mark, double.extra-turn
            return PassCause.FOLLOWUP_FAILED, board.rules.double_fail_marks
        case Owed.NOTHING if board.laid:  # Rule first-turn.multi.end
            return PassCause.OPENING_DONE, False
        case Owed.NOTHING if board.open_doubles:  # Rule open.failed
            return PassCause.DUTY_FAILED, True
        case _:  # Rules marker.unable, draw.pass, draw.may-keep
            return PassCause.UNABLE, True


def _call(board: Board, seat: int) -> None:
    # Rules last.call, last.courtesy
    board.called |= 1 << seat
    board.uncalled = -1
    board.events.append(LastTileCalled(seat))


def _settle_missed_call(board: Board, *, round_over: bool) -> None:
    """Settle what the seat before owes for its last tile, now that the next has moved [44, 45]."""
    seat, board.uncalled = board.uncalled, -1
    # Rule last.no-penalty
    if round_over or board.rules.last_tile_call is not opt.LastTileCall.REQUIRED:
        return
    board.events.append(LastTileMissed(seat))
    # Rule last.penalty
    for _ in range(min(board.rules.last_tile_penalty, len(board.boneyard))):
        board.events.append(TileDrawn(seat, board.take_tile(seat), penalty=True))


def _goes_out_for_good(board: Board) -> bool:
    """Tell whether the turn that is over ends the round, because a seat is out [37]."""
    if not board.out:
        return False
    # Rules out.first-turn.finish, out.first-turn.several, out.first-turn.at-once
    first = not board.begun >> board.turn & 1
    finishes = board.rules.go_out_first_turn is opt.GoOutFirstTurn.FINISH_FIRST_TURNS
    return not (first and finishes) or board.begun | 1 << board.turn == board.everyone


def _end_turn(board: Board) -> Step:
    seat = board.turn
    if board.out and _goes_out_for_good(board):
        return end_round(board, blocked=False)
    if not board.begun >> seat & 1:
        _end_first_turn(board, seat)
    if board.rules.last_tile_call is not _NO_CALL:
        # Rules last.call, last.courtesy
        one_left = board.hands[seat].bit_count() == 1
        board.uncalled = seat if one_left and not board.called >> seat & 1 else -1
    # Rules turn.clockwise, first-turn.order, setup.two-players
    board.start_turn((seat + 1) % board.seats)
    if not board.boneyard and is_blocked(board):
        return end_round(board, blocked=True)
    board.events.append(_turn_started(board.turn, not board.begun >> board.turn & 1))
    return board.step()


def _end_first_turn(board: Board, seat: int) -> None:
    """Close a seat's first turn: a double at the end of its opening train, and the lap [34]."""
    board.begun |= 1 << seat
    rules = board.rules
    multi = rules.first_turn_mode is opt.FirstTurnMode.MULTI_TILE
    duty = rules.open_double_duty is not _NO_DUTY
    if multi and duty and board.ends_in_double(seat) and seat not in board.open_doubles:
        # Rules open.first-turn.ignored, open.first-turn.deferred, open.first-turn.immediate
        if rules.first_turn_doubles is opt.FirstTurnDoubles.DEFERRED:
            board.deferred = (*board.deferred, seat)
        elif rules.first_turn_doubles is opt.FirstTurnDoubles.IMMEDIATE:
            # Rule out.first-turn.bound
            board.open_double(seat)
            board.release_dead()
    if board.deferred and board.begun == board.everyone:
        board.open_deferred()
