"""Why a move is refused: the reason, one sentence, and the facts.

Says only what the seat that asks may know: its own tiles and the table.
"""

from __future__ import annotations

from mextrain_engine import options as opt
from mextrain_engine.errors import Reason, Refusal
from mextrain_engine.legal import (
    doubles_spent,
    draw_allowed,
    duty_trains,
    is_barred,
    legal_plays,
    may_draw,
    may_stop,
    on_duty,
    open_trains,
)
from mextrain_engine.moves import MEXICAN, Move, MoveKind, format_move, format_train
from mextrain_engine.state import Owed, Phase, Round, State
from mextrain_engine.tiles import HIGH, LOW, format_tile, is_double, set_size

# Members that every move asks for, bound once: to look one up in its enum takes 45 ns.
_PLAY = MoveKind.PLAY
_DRAW = MoveKind.DRAW
_CALL = MoveKind.CALL
_PLAYING = Phase.PLAYING


def explain(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """Return why a move may not be made now, or None if it may.

    >>> from mextrain_engine import MEXICAN, RuleSet, deal, double, new_game, play
    >>> start = deal(new_game(RuleSet(), seats=2), range(91)).state
    >>> refusal = explain(start, play(double(0), MEXICAN))
    >>> refusal.reason.value, refusal.facts
    ('FIRST_TURN_OWN_TRAIN', {'train': 'M'})

    Args:
        state: any state.
        move: any move.
        seat: who would make it; None is the seat to move.
    """
    round_ = state.round
    if round_ is None or state.phase is not _PLAYING:
        return _explain_no_round(state)
    if seat is None:
        seat = round_.turn
    kind = move.kind
    if kind is _CALL:
        return _explain_call(state, round_, seat)
    if seat != round_.turn:
        facts = {"turn": str(round_.turn)}
        return Refusal(Reason.NOT_YOUR_TURN, f"It is the turn of seat {round_.turn}.", facts)
    if kind is _PLAY:
        return _explain_play(state, round_, move)
    return _explain_draw(state, round_) if kind is _DRAW else _explain_pass(state, round_)


def _explain_no_round(state: State) -> Refusal:
    if state.phase is Phase.FINISHED:
        return Refusal(Reason.GAME_FINISHED, "The match is over.")
    return Refusal(Reason.ROUND_NOT_DEALT, "The next round has not been dealt.")


def _explain_call(state: State, round_: Round, seat: int) -> Refusal | None:
    # Rule last.off
    if state.rules.last_tile_call is opt.LastTileCall.OFF:
        message = "Under these rules, players do not announce the last tile."
        return Refusal(Reason.CALL_NOT_USED, message)
    # Rules last.call, last.no-call-between
    if seat != round_.uncalled:
        message = "You have nothing to announce: announce after a turn that leaves you one tile."
        return Refusal(Reason.CALL_NOT_DUE, message)
    return None


def _explain_play(state: State, round_: Round, move: Move) -> Refusal | None:
    hand = round_.hands[round_.turn]
    if not hand >> move.tile & 1 or not MEXICAN <= move.train < state.seats:
        return _explain_missing(state, hand, move)
    if move.train not in open_trains(state, round_):
        return _explain_train(state, round_, move.train)
    end = round_.trains[move.train][-1]
    if end not in (HIGH[move.tile], LOW[move.tile]):
        tile, train = format_tile(move.tile), format_train(move.train)
        facts = {"tile": tile, "train": train, "end": str(end)}
        message = f"{tile} does not fit: {_name(move.train, round_)} ends in {end}."
        return Refusal(Reason.ENDS_DO_NOT_MATCH, message, facts)
    if round_.doubles and is_double(move.tile) and doubles_spent(state, round_):
        facts = {"tile": format_tile(move.tile)}
        message = "These rules allow one double per turn, and you have played it."
        return Refusal(Reason.ONE_DOUBLE_PER_TURN, message, facts)
    return None


def _explain_missing(state: State, hand: int, move: Move) -> Refusal:
    if not MEXICAN <= move.train < state.seats:
        facts = {"train": format_train(move.train), "seats": str(state.seats)}
        message = f"There is no train {facts['train']}: the seats are 0 to {state.seats - 1}."
        return Refusal(Reason.NO_SUCH_TRAIN, message, facts)
    tile = format_tile(move.tile)
    max_pip = state.rules.max_pip(state.seats)
    if move.tile >= set_size(max_pip):
        facts = {"tile": tile, "max_pip": str(max_pip)}
        message = f"{tile} is not in the double-{max_pip} set."
        return Refusal(Reason.TILE_NOT_IN_SET, message, facts)
    assert not hand >> move.tile & 1
    return Refusal(Reason.TILE_NOT_IN_HAND, f"{tile} is not in your hand.", {"tile": tile})


def _explain_train(state: State, round_: Round, train: int) -> Refusal:
    facts = {"train": format_train(train)}
    if round_.owed in {Owed.COVER, Owed.MAY_COVER}:
        return _explain_cover(round_)
    if on_duty(round_):
        return _explain_duty(state, round_, train)
    name = _name(train, round_)
    if not round_.begun >> round_.turn & 1:
        if round_.laid and round_.owed is Owed.NOTHING:
            message = "While you lay your opening train, you can play only on your own train."
            return Refusal(Reason.OPENING_TRAIN_GOES_ON, message, facts)
        if state.rules.first_turn_trains is not opt.FirstTurnTrains.ANY_AVAILABLE:
            message = f"On your first turn you cannot play on {name}."
            return Refusal(Reason.FIRST_TURN_OWN_TRAIN, message, facts)
    if train == MEXICAN:
        message = "The Mexican Train is open to you from your second turn."
        return Refusal(Reason.MEXICAN_TRAIN_NOT_YET, message, facts)
    if state.rules.opponents_trains is opt.OpponentsTrains.NEVER:
        message = "Under these rules, you cannot play on other players' trains."
        return Refusal(Reason.OPPONENT_TRAINS_NEVER, message, facts)
    if round_.markers >> train & 1:
        message = f"{name} is marked but not started, and only its owner may start it."
        return Refusal(Reason.TRAIN_NOT_STARTED, message[0].upper() + message[1:], facts)
    message = f"{name} is not marked, so it is closed to you."
    return Refusal(Reason.TRAIN_CLOSED, message[0].upper() + message[1:], facts)


def _explain_cover(round_: Round) -> Refusal:
    train, pip = round_.owed_train, round_.trains[round_.owed_train][-1]
    facts = {"train": format_train(train), "pip": str(pip)}
    message = f"Your double {pip}-{pip} on {_name(train, round_)} must be covered first."
    return Refusal(Reason.COVER_YOUR_DOUBLE, message, facts)


def _explain_duty(state: State, round_: Round, wish: int) -> Refusal:
    trains = duty_trains(state, round_)
    if not trains or (wish == round_.turn and is_barred(round_, wish)):
        message = "Your own train is closed to you until another player covers the double on it."
        facts = {"train": format_train(round_.turn)}
        return Refusal(Reason.OWN_TRAIN_CLOSED, message, facts)
    train, pip = trains[0], round_.trains[trains[0]][-1]
    facts = {"train": format_train(train), "pip": str(pip)}
    message = f"The open double {pip}-{pip} on {_name(train, round_)} must be covered first."
    return Refusal(Reason.OPEN_DOUBLE_FIRST, message, facts)


def _explain_draw(state: State, round_: Round) -> Refusal | None:
    plays = legal_plays(state, round_)
    if plays:
        return _play_exists(plays, "draw")
    if not draw_allowed(state, round_):
        if round_.drawn:
            facts = {"drawn": str(round_.drawn)}
            return Refusal(Reason.ALREADY_DREW, "You have drawn and must pass now.", facts)
        message = "Under these rules, you do not draw here; you may pass."
        return Refusal(Reason.DRAW_NOT_ALLOWED, message)
    if not round_.boneyard:
        return Refusal(Reason.BONEYARD_EMPTY, "The boneyard is empty; you may pass.")
    return None


def _explain_pass(state: State, round_: Round) -> Refusal | None:
    plays = legal_plays(state, round_)
    if plays:
        return None if may_stop(state, round_) else _play_exists(plays, "pass")
    if may_draw(state, round_):
        return Refusal(Reason.DRAW_FIRST, "You cannot play, so you must draw before you pass.")
    return None


def _play_exists(plays: list[Move], wish: str) -> Refusal:
    facts = {"plays": str(len(plays)), "example": format_move(plays[0])}
    message = f"You can play, for example {facts['example']}, so you may not {wish}."
    return Refusal(Reason.PLAY_EXISTS, message, facts)


def _name(train: int, round_: Round) -> str:
    if train == MEXICAN:
        return "the Mexican Train"
    return "your own train" if train == round_.turn else f"the train of seat {train}"
