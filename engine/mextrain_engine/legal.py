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
    # Rules turn.must-play, turn.free-choice
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
    # Rules double.chain.one, first-turn.multi.one-double
    if round_.doubles and doubles_spent(state, round_):
        hand &= ~DOUBLES
    moves: list[Move] = []
    for train in open_trains(state, round_):
        # Rules turn.match, turn.blanks-match-blanks, first-turn.starter-tile, mexican.start
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
    # Rules double.tile-after.cover, double.tile-after.optional-cover
    if round_.owed is _COVER or round_.owed is _MAY_COVER:
        return (round_.owed_train,)
    # Rules open.duty, open.any-train, out.with-open-doubles
    if round_.open_doubles and on_duty(round_):
        return duty_trains(state, round_)
    # Rules draw.any-train, double.tile-after.anywhere, double.chain.close.anywhere
    if round_.begun >> round_.turn & 1:
        return _ordinary_trains(state, round_, begun=True)
    return _first_turn_trains(state, round_)


def on_duty(round_: Round) -> bool:
    """Tell whether the seat to move has to cover a double that others, or it before, left open."""
    # Rules open.duty, open.one-each
    return bool(round_.open_doubles) and not round_.laid


def duty_trains(state: State, round_: Round) -> Sequence[int]:
    """Return the trains whose open double may be covered now, ascending [33, D9]."""
    trains = sorted(due_doubles(state.rules, round_.open_doubles))
    # Rule open.failed.own-closed
    if is_barred(round_, round_.turn):
        return [train for train in trains if train != round_.turn]
    return trains


def due_doubles(rules: RuleSet, open_doubles: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of the open doubles, in order of laying, of which one is to be covered [33]."""
    match rules.open_double_order:
        case opt.OpenDoubleOrder.FIFO:  # Rule open.order.fifo
            return open_doubles[:1]
        case opt.OpenDoubleOrder.LIFO:  # Rule open.order.lifo
            return open_doubles[-1:]
        case opt.OpenDoubleOrder.ANY:  # Rule open.order.any
            return open_doubles


def is_barred(round_: Round, seat: int) -> bool:
    """Tell whether a seat may not play on its own train for a duty it failed [D9]."""
    # Rule open.failed.own-closed
    return bool(round_.barred) and round_.barred[seat] >= MEXICAN


def in_opening(state: State, round_: Round) -> bool:
    """Tell whether the seat to move is to lay, or is laying, an opening train [11]."""
    # Rules first-turn.multi, first-turn.single, first-turn.only-once, first-turn.spent-on-duty
    return (
        not round_.begun >> round_.turn & 1
        and state.rules.first_turn_mode is _MULTI_TILE
        and round_.owed is _NOTHING
        and not on_duty(round_)
    )


def doubles_spent(state: State, round_: Round) -> bool:
    """Tell whether the turn has had its one double [28]."""
    # Rules double.chain.one, double.chain.unlimited
    return round_.doubles > 0 and state.rules.double_chain is _ONE_PER_TURN


def may_stop(state: State, round_: Round) -> bool:
    """Tell whether the seat to move may pass although it can play."""
    if round_.owed is _NOTHING:
        # Rule first-turn.multi.end
        if round_.laid:
            return True
        # Rules draw.must-play, draw.may-keep
        keeps = state.rules.drawn_tile is _MAY_KEEP
        return keeps and round_.drawn > 0 and not on_duty(round_)
    # Rules double.tile-after.optional, double.tile-after.optional-cover
    return round_.owed in {Owed.MAY_FOLLOW, _MAY_COVER}


def may_draw(state: State, round_: Round) -> bool:
    """Tell whether the seat to move, unable to play, may take a tile."""
    # Rules draw.boneyard-empty, setup.no-boneyard
    return bool(round_.boneyard) and draw_allowed(state, round_)


def draw_allowed(state: State, round_: Round) -> bool:
    """Tell whether the rules grant the seat to move another tile, were there one."""
    rules = state.rules
    # Rules draw.one, draw.until-playable
    once = round_.drawn == 0 or rules.draw_count is opt.DrawCount.UNTIL_PLAYABLE
    if round_.owed is not _NOTHING:
        # Rules double.draw.per-double, double.draw.once, double.draw.none
        follows = round_.owed in {Owed.FOLLOW_ANYWHERE, _COVER}
        return follows and once and rules.double_followup_draw is not opt.DoubleFollowupDraw.NONE
    if round_.laid:
        return False
    # Rules draw.one, open.draw
    if round_.begun >> round_.turn & 1 or on_duty(round_):
        return once
    match rules.first_turn_no_start:
        case opt.FirstTurnNoStart.MARK:  # Rule first-turn.cannot-start.mark
            return False
        case opt.FirstTurnNoStart.DRAW_THEN_MARK:  # Rule first-turn.cannot-start.draw
            return once
        case opt.FirstTurnNoStart.DRAW_UNTIL_START:  # Rule first-turn.cannot-start.draw-on
            return True


def _first_turn_trains(state: State, round_: Round) -> Sequence[int]:
    own = (round_.turn,)
    # Rule first-turn.multi
    if round_.laid and round_.owed is _NOTHING:
        return own
    match state.rules.first_turn_trains:
        case opt.FirstTurnTrains.OWN_ONLY:  # Rule first-turn.own-only
            return own
        case opt.FirstTurnTrains.OWN_OR_MEXICAN:  # Rule first-turn.own-or-mexican
            return (MEXICAN, *own)
        case opt.FirstTurnTrains.ANY_AVAILABLE:  # Rule first-turn.any-available
            return _ordinary_trains(state, round_, begun=False)


def _ordinary_trains(state: State, round_: Round, *, begun: bool) -> Sequence[int]:
    rules = state.rules
    # Rules mexican.open, mexican.from.second-turn, mexican.from.first-turn
    mexican = begun or rules.mexican_train_from is _FROM_FIRST_TURN
    # Rules turn.others-marked, marker.open, marker.unstarted.open
    shared = round_.markers
    # Rule turn.others-never
    if rules.opponents_trains is _NEVER:
        shared = 0
    # Rule marker.unstarted.closed
    elif not rules.unstarted_marked_train_open:
        shared &= _started(round_)
    # Rules turn.own-train, turn.own-first.none
    return _trains_in(shared | 1 << round_.turn, mexican)


def _started(round_: Round) -> int:
    return sum(1 << seat for seat in range(len(round_.hands)) if len(round_.trains[seat]) > 1)


@cache
def _trains_in(seats: int, mexican: bool) -> tuple[int, ...]:
    """Return the trains of a mask of seats, after the Mexican Train; there are 2 ** 15 at most."""
    # Rule mexican.one
    return (*((MEXICAN,) if mexican else ()), *tiles_in(seats))
