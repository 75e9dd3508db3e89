"""What a viewer is shown is the table and the viewer's own hand, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mextrain_engine as engine
from mextrain_engine import Move, Phase, RuleSet, State, View
from tests.properties.lockstep import Lockstep
from tests.properties.pictures import chain, reference_owed
from tests.properties.play import TASTES, Taste, round_in_steps
from tests.properties.strategies import tables
from tests.reference.game import Game
from tests.reference.table import MEXICAN, Train
from tests.reference.tiles import tile_text

SEEDS = st.integers(0, 2**32 - 1)


@given(table=tables(), taste=st.sampled_from(TASTES), seed=SEEDS)
def test_views_show_the_table_and_the_own_hand_at_every_state(
    table: tuple[RuleSet, int], taste: Taste, seed: int
) -> None:
    """Each field of each viewer's view is what the reference's table says."""
    match = Lockstep(*table)
    for _ in round_in_steps(match, random.Random(seed), taste):
        viewer = len(match.log) % (match.seats + 1)
        if viewer == match.seats:
            shown = engine.spectate(match.state)
            assert expected_view(match.game, None) == picture_of_view(shown)
        else:
            shown = engine.observe(match.state, viewer)
            assert expected_view(match.game, viewer) == picture_of_view(shown)


@given(table=tables(), taste=st.sampled_from(TASTES), seed=SEEDS)
def test_answers_to_a_viewer_stay_the_same_when_hidden_tiles_are_dealt_anew(
    table: tuple[RuleSet, int], taste: Taste, seed: int
) -> None:
    """View, legal moves, refusals and redacted events depend on nothing that the viewer hides."""
    match = Lockstep(*table)
    chance = random.Random(seed)
    for _ in round_in_steps(match, chance, taste):
        if match.is_live and chance.random() < 0.4:
            viewer = chance.choice([*range(match.seats), match.table.turn, match.table.turn])
            other = with_hidden_tiles_dealt_anew(match.state, viewer, chance)
            assert engine.Integrity(0) == engine.integrity(other)
            assert answers(match.state, viewer) == answers(other, viewer)
            assert engine.spectate(match.state) == engine.spectate(other)
            for move in engine.legal_moves(match.state, viewer):
                check_step_is_the_same(match.state, other, viewer, move)


@given(table=tables(), taste=st.sampled_from(TASTES), seed=SEEDS)
def test_drawn_tiles_are_shown_to_their_owner_only(
    table: tuple[RuleSet, int], taste: Taste, seed: int
) -> None:
    """A redacted event names a tile from the boneyard only to the seat that has it now."""
    match = Lockstep(*table)
    for events in round_in_steps(match, random.Random(seed), taste):
        for event in events:
            for viewer in (*range(match.seats), None):
                check_redaction(event, viewer)


@given(table=tables(), taste=st.sampled_from(TASTES), seed=SEEDS)
def test_a_batch_is_the_same_as_its_moves_one_by_one(
    table: tuple[RuleSet, int], taste: Taste, seed: int
) -> None:
    """A turn made at once ends in the same state, with the same events; or nothing is made."""
    match = Lockstep(*table)
    chance = random.Random(seed)
    for _ in round_in_steps(match, chance, taste):
        if match.is_live and match.table.laid == 0 and chance.random() < 0.3:
            check_batch(match.state, chance)


def check_batch(start: State, chance: random.Random) -> None:
    """Play a random turn move by move, then as a batch, then as one that fails at its end."""
    assert start.round is not None
    seat, state = start.round.turn, start
    moves: list[Move] = []
    events: tuple[engine.Event, ...] = ()
    while state.phase is Phase.PLAYING and (legal := engine.legal_moves(state, seat)):
        move = chance.choice(legal)
        state, happened = engine.apply(state, move, seat)
        moves.append(move)
        events += happened
    assert engine.Step(state, events) == engine.apply_all(start, moves, seat)
    with pytest.raises(engine.IllegalMoveError) as refused:
        engine.apply_all(start, [*moves, engine.DRAW], seat)
    assert len(moves) == refused.value.index


def answers(state: State, viewer: int) -> tuple[object, ...]:
    """Return all that a seat can ask about a state."""
    assert state.round is not None
    pips = state.rules.max_pip(state.seats)
    every_tile = range(engine.set_size(pips))
    asked = [
        *(engine.play(tile, train) for tile in every_tile for train in (viewer, engine.MEXICAN)),
        *(engine.play(tile, (viewer + 1) % state.seats) for tile in every_tile),
        engine.DRAW,
        engine.PASS,
        engine.CALL,
    ]
    return (
        engine.observe(state, viewer),
        engine.legal_moves(state, viewer),
        [engine.explain(state, move, viewer) for move in asked],
        engine.score(state),
        engine.outcome(state),
    )


def check_step_is_the_same(state: State, other: State, viewer: int, move: Move) -> None:
    """Make a move in two worlds; its maker sees the same, unless the round ends or it draws."""
    one, two = engine.apply(state, move, viewer), engine.apply(other, move, viewer)
    if Phase.PLAYING is not one.state.phase or Phase.PLAYING is not two.state.phase:
        return
    watchers = [None] if move == engine.DRAW else [viewer, None]
    for watcher in watchers:
        shown = [engine.redact(event, watcher) for event in one.events]
        assert shown == [engine.redact(event, watcher) for event in two.events]
    assert engine.spectate(one.state) == engine.spectate(two.state)


def check_redaction(event: engine.Event, viewer: int | None) -> None:
    """Demand that a viewer is told of a hidden tile only as its owner."""
    shown = engine.redact(event, viewer)
    name = type(event).__name__
    is_hidden = name == "TileDrawn" or (name == "HubSought" and not getattr(event, "returned"))  # noqa: B009
    if is_hidden and getattr(event, "seat") != viewer:  # noqa: B009
        assert getattr(shown, "tile") is None  # noqa: B009
    else:
        assert event == shown


def with_hidden_tiles_dealt_anew(state: State, viewer: int, chance: random.Random) -> State:
    """Return a state that the viewer cannot tell from this one."""
    round_ = state.round
    assert round_ is not None
    others = [seat for seat in range(state.seats) if seat != viewer]
    hidden = [tile for seat in others for tile in engine.tiles_in(round_.hands[seat])]
    hidden += [engine.TileId(tile) for tile in round_.boneyard]
    chance.shuffle(hidden)
    hands = list(round_.hands)
    for seat in others:
        count = round_.hands[seat].bit_count()
        hands[seat], hidden = engine.mask_of(hidden[:count]), hidden[count:]
    shuffled = round_._replace(hands=tuple(hands), boneyard=bytes(hidden))
    return State(state.rules, state.seats, state.phase, state.results, shuffled)


def picture_of_view(view: View) -> dict[str, Any]:
    """Return a view in the words of ``expected_view``."""
    picture: dict[str, Any] = {
        "phase": view.phase.value,
        "seat": view.seat,
        "hand": sorted(engine.format_tile(tile) for tile in view.hand),
        "rounds": (len(view.results), view.total_rounds),
    }
    if view.round is None or view.phase is Phase.AWAITING_DEAL:
        return picture
    shown = view.round
    picture |= {
        "facts": (shown.number, shown.hub, shown.starter),
        "counts": (list(shown.hand_counts), shown.boneyard_count),
        "trains": {named(train.train): list(train.pips) for train in shown.trains},
        "marked": [train.train for train in shown.trains if train.marked],
        "shown": shown.shown_hands
        and [sorted(engine.format_tile(tile) for tile in hand) for hand in shown.shown_hands],
        "turn": shown.turn,
    }
    if view.phase is Phase.FINISHED:
        return picture
    return picture | {
        "of the turn": (shown.first_turn, shown.laid, shown.owed),
        "open doubles": [named(train) for train in shown.open_doubles],
        "open in trains": {named(train.train) for train in shown.trains if train.open_double},
        "deferred": {named(train.train) for train in shown.trains if train.deferred_double},
        "called": (list(shown.called), shown.call_due),
    }


def expected_view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Return what a viewer is to see, from the reference's table."""
    expected: dict[str, Any] = {
        "phase": game.phase,
        "seat": viewer,
        "hand": [],
        "rounds": (len(game.results), game.rules.total_rounds),
    }
    table = game.table
    if table is None:
        return expected
    hands = [sorted(tile_text(tile) for tile in hand) for hand in table.hands]
    if viewer is not None:
        expected["hand"] = hands[viewer]
    if game.phase == "awaiting_deal":
        return expected
    expected |= {
        "facts": (table.number, table.hub, table.starter),
        "counts": ([len(hand) for hand in hands], len(table.boneyard)),
        "trains": {train: chain(table.hub, tiles) for train, tiles in table.trains.items()},
        "marked": [seat for seat, marked in enumerate(table.marked) if marked],
        "shown": None if table.live else hands,
        "turn": table.turn if table.live else None,
    }
    if not table.live:
        return expected
    return expected | {
        "of the turn": (
            not table.first_turn_over[table.turn],
            table.laid,
            reference_owed(table),
        ),
        "open doubles": list(table.open_doubles),
        "open in trains": set(table.open_doubles),
        "deferred": set(table.deferred),
        "called": (sorted(table.called), table.uncalled),
    }


def named(train: int) -> Train:
    """Return a train of the engine as the reference names it."""
    return MEXICAN if train == engine.MEXICAN else train
