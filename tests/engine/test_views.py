"""What a viewer may know: views and redacted events."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mextrain_engine import (
    MEXICAN,
    PRESETS,
    Phase,
    RuleSet,
    State,
    TileId,
    apply,
    deal,
    legal_moves,
    new_game,
    observe,
    redact,
    set_size,
    spectate,
)
from mextrain_engine.events import HubSought, TileDrawn, TilePlayed
from tests.engine.table import do, live, table

MODERN = RuleSet()


def redealt(state: State, viewer: int | None, rng: random.Random) -> State:
    """Return a state that differs only in what a viewer may not know: hands and boneyard."""
    round_ = live(state)
    hidden = list(round_.boneyard)
    for seat, hand in enumerate(round_.hands):
        if seat != viewer:
            hidden += [t for t in range(190) if hand >> t & 1]
    rng.shuffle(hidden)
    hands = [
        hand if seat == viewer else sum(1 << hidden.pop() for _ in range(hand.bit_count()))
        for seat, hand in enumerate(round_.hands)
    ]
    return state._replace(round=round_._replace(hands=tuple(hands), boneyard=bytes(hidden)))


@settings(deadline=None)
@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 2**32), st.integers(0, 80))
def test_view_is_the_same_when_only_hidden_tiles_differ(name: str, seed: int, plies: int) -> None:
    rng = random.Random(seed)
    rules = PRESETS[name]
    seats = rng.randint(rules.min_players, rules.max_players)
    tiles = list(range(set_size(rules.max_pip(seats))))
    rng.shuffle(tiles)
    state = deal(new_game(rules, seats), tiles).state
    for _ in range(plies):
        if state.phase is not Phase.PLAYING:
            return
        for viewer in (None, *range(seats)):
            other = redealt(state, viewer, rng)
            assert _seen(state, viewer) == _seen(other, viewer)
        state = apply(state, rng.choice(legal_moves(state))).state


def _seen(state: State, viewer: int | None) -> object:
    if viewer is None:
        return spectate(state)
    return observe(state, viewer), legal_moves(state, viewer)


def test_seat_sees_its_hand_and_counts_of_the_others() -> None:
    state = table(MODERN, ["5-1 3-3", "7-1"], trains={0: [12, 5]}, marked=[1], boneyard="6-6")
    view = observe(state, 0)
    assert view.round is not None
    assert (view.hand, view.round.hand_counts, view.round.boneyard_count) == ((9, 16), (2, 1), 1)
    assert [(train.train, train.pips, train.marked) for train in view.round.trains] == [
        (0, (12, 5), False),
        (1, (12,), True),
        (MEXICAN, (12,), False),
    ]
    assert (view.round.turn, view.round.first_turn, view.round.shown_hands) == (0, False, None)


def test_spectator_sees_no_hand() -> None:
    view = spectate(table(MODERN, ["5-1 3-3", "7-1"]))
    assert (view.seat, view.hand) == (None, ())


def test_hands_are_shown_when_the_round_is_over() -> None:
    state, _ = do(table(MODERN, ["5-1", "7-1"], trains={0: [12, 5]}), "5-1@0")
    view = spectate(state)
    assert view.round is not None
    assert view.round.shown_hands == ((), (29,))
    assert (view.round.turn, view.round.first_turn) == (None, False)


def test_view_is_empty_before_the_first_deal() -> None:
    view = observe(new_game(MODERN, 2), 1)
    assert (view.round, view.hand, view.total_rounds) == (None, (), 13)


@pytest.mark.parametrize("seat", [-1, 2])
def test_seat_that_does_not_exist_sees_nothing(seat: int) -> None:
    with pytest.raises(IndexError):
        observe(new_game(MODERN, 2), seat)


@pytest.mark.parametrize("viewer", [None, 0])
def test_drawn_tile_is_hidden_from_others(viewer: int | None) -> None:
    assert TileDrawn(1, None) == redact(TileDrawn(1, TileId(7)), viewer)
    assert HubSought(1, None) == redact(HubSought(1, TileId(7)), viewer)


def test_drawn_tile_is_shown_to_its_owner_and_a_returned_one_to_all() -> None:
    for event in (TileDrawn(1, TileId(7)), HubSought(1, TileId(7))):
        assert event == redact(event, 1)
    returned = HubSought(1, TileId(7), returned=True)
    assert returned == redact(returned, None)


def test_laid_tile_is_shown_to_all() -> None:
    event = TilePlayed(1, TileId(7), 0, 3)
    assert event == redact(event, None)
