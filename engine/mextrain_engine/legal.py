"""Which moves the rules allow at a state, and why the others are refused.

Reads a state and changes nothing; what a move then does is in ``turn``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mextrain_engine import options as opt
from mextrain_engine.moves import CALL, DRAW, MEXICAN, PASS, PLAYS, Move
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.state import Owed, Phase, Round, State
from mextrain_engine.tiles import DOUBLES, TILES_WITH, tiles_in

# Members that every move asks for, bound once: to look one up in its enum takes 45 ns.
_NOTHING = Owed.NOTHING
_COVER = Owed.COVER
_MAY_COVER = Owed.MAY_COVER
_PLAYING = Phase.PLAYING
_NEVER = opt.OpponentsTrains.NEVER
_FROM_FIRST_TURN = opt.MexicanTrainFrom.FIRST_TURN
_MULTI_TILE = opt.FirstTurnMode.MULTI_TILE
_ONE_PER_TURN = opt.DoubleChain.ONE_PER_TURN
_MAY_KEEP = opt.DrawnTile.MAY_KEEP


def legal_moves(state: State, seat: int | None = None) -> list[Move]:
    """Return every move that a seat may make now, sorted, none twice.

    >>> from mextrain_engine import RuleSet, deal, new_game
    >>> start = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> [str(move) for move in legal_moves(start)]
    ['draw']

    Args:
        state: any state.
        seat: who asks; None is the seat to move.

    Returns:
        Never empty for the seat to move of a live round. A seat that is not to move can at
        most announce its last tile. Empty when no round is live.
    """
    round_ = state.round
    if state.phase is not _PLAYING or round_ is None:
        return []
    if seat is not None and seat != round_.turn:
        return [CALL] if seat == round_.uncalled else []
    plays = legal_plays(state, round_)
    if plays:
        if (round_.laid or round_.drawn) and may_stop(state, round_):
            plays.append(PASS)
    else:
        plays.append(DRAW if may_draw(state, round_) else PASS)
    return plays


def legal_plays(state: State, round_: Round) -> list[Move]:
    """Return the tiles that the seat to move can lay and where, sorted."""
    hand = round_.hands[round_.turn]
    if round_.doubles and doubles_spent(state, round_):
        hand &= ~DOUBLES
    moves: list[Move] = []
    for train in open_trains(state, round_):
        fits = hand & TILES_WITH[round_.trains[train][-1]]
        if fits:
            plays = PLAYS[train]
            while fits:
                lowest = fits & -fits
                moves.append(plays[lowest.bit_length() - 1])
                fits ^= lowest
    return moves


def open_trains(state: State, round_: Round) -> Sequence[int]:
    """Return the trains on which the seat to move may lay its next tile, ascending."""
    if round_.owed is _COVER or round_.owed is _MAY_COVER:
        return (round_.owed_train,)
    if round_.open_doubles and on_duty(round_):
        return duty_trains(state, round_)
    if round_.begun >> round_.turn & 1:
        return _ordinary_trains(state, round_, begun=True)
    return _first_turn_trains(state, round_)


def on_duty(round_: Round) -> bool:
    """Tell whether the seat to move has to cover a double that others, or it before, left open."""
    return bool(round_.open_doubles) and not round_.laid


def duty_trains(state: State, round_: Round) -> Sequence[int]:
    """Return the trains whose open double may be covered now, ascending [33, D9]."""
    trains = sorted(due_doubles(state.rules, round_.open_doubles))
    if is_barred(round_, round_.turn):
        return [train for train in trains if train != round_.turn]
    return trains


def due_doubles(rules: RuleSet, open_doubles: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of the open doubles, in order of laying, of which one is to be covered [33]."""
    match rules.open_double_order:
        case opt.OpenDoubleOrder.FIFO:
            return open_doubles[:1]
        case opt.OpenDoubleOrder.LIFO:
            return open_doubles[-1:]
        case opt.OpenDoubleOrder.ANY:
            return open_doubles


def is_barred(round_: Round, seat: int) -> bool:
    """Tell whether a seat may not play on its own train for a duty it failed [D9]."""
    return bool(round_.barred) and round_.barred[seat] >= MEXICAN


def in_opening(state: State, round_: Round) -> bool:
    """Tell whether the seat to move is to lay, or is laying, an opening train [11]."""
    return (
        not round_.begun >> round_.turn & 1
        and state.rules.first_turn_mode is _MULTI_TILE
        and round_.owed is _NOTHING
        and not on_duty(round_)
    )


def doubles_spent(state: State, round_: Round) -> bool:
    """Tell whether the turn has had its one double [28]."""
    return round_.doubles > 0 and state.rules.double_chain is _ONE_PER_TURN


def may_stop(state: State, round_: Round) -> bool:
    """Tell whether the seat to move may pass although it can play."""
    if round_.owed is _NOTHING:
        if round_.laid:
            return True
        keeps = state.rules.drawn_tile is _MAY_KEEP
        return keeps and round_.drawn > 0 and not on_duty(round_)
    return round_.owed in {Owed.MAY_FOLLOW, _MAY_COVER}


def may_draw(state: State, round_: Round) -> bool:
    """Tell whether the seat to move, unable to play, may take a tile."""
    return bool(round_.boneyard) and draw_allowed(state, round_)


def draw_allowed(state: State, round_: Round) -> bool:
    """Tell whether the rules grant the seat to move another tile, were there one."""
    rules = state.rules
    once = round_.drawn == 0 or rules.draw_count is opt.DrawCount.UNTIL_PLAYABLE
    if round_.owed is not _NOTHING:
        follows = round_.owed in {Owed.FOLLOW_ANYWHERE, _COVER}
        return follows and once and rules.double_followup_draw is not opt.DoubleFollowupDraw.NONE
    if round_.laid:
        return False
    if round_.begun >> round_.turn & 1 or on_duty(round_):
        return once
    match rules.first_turn_no_start:
        case opt.FirstTurnNoStart.MARK:
            return False
        case opt.FirstTurnNoStart.DRAW_THEN_MARK:
            return once
        case opt.FirstTurnNoStart.DRAW_UNTIL_START:
            return True


def _first_turn_trains(state: State, round_: Round) -> Sequence[int]:
    own = (round_.turn,)
    if round_.laid and round_.owed is _NOTHING:
        return own
    match state.rules.first_turn_trains:
        case opt.FirstTurnTrains.OWN_ONLY:
            return own
        case opt.FirstTurnTrains.OWN_OR_MEXICAN:
            return (MEXICAN, *own)
        case opt.FirstTurnTrains.ANY_AVAILABLE:
            return _ordinary_trains(state, round_, begun=False)


def _ordinary_trains(state: State, round_: Round, *, begun: bool) -> Sequence[int]:
    rules = state.rules
    mexican = begun or rules.mexican_train_from is _FROM_FIRST_TURN
    shared = round_.markers
    if rules.opponents_trains is _NEVER:
        shared = 0
    elif not rules.unstarted_marked_train_open:
        shared &= _started(round_)
    return _trains_in(shared | 1 << round_.turn, mexican)


def _started(round_: Round) -> int:
    return sum(1 << seat for seat in range(len(round_.hands)) if len(round_.trains[seat]) > 1)


@cache
def _trains_in(seats: int, mexican: bool) -> tuple[int, ...]:
    """Return the trains of a mask of seats, after the Mexican Train; there are 2 ** 15 at most."""
    return (*((MEXICAN,) if mexican else ()), *tiles_in(seats))
