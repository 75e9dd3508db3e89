"""Imagined tables look to their seat like the one it sees, and differ in what it cannot see."""

from __future__ import annotations

import random

import pytest

from mextrain_engine import (
    PRESETS,
    Integrity,
    Move,
    Phase,
    State,
    View,
    integrity,
    legal_moves,
    observe,
    preset,
)
from mextrain_service.bots.determinization import imagined, unseen
from mextrain_service.bots.playouts import Playout
from tests.bots.test_levels import positions


@pytest.mark.parametrize("name", PRESETS)
def test_imagined_table_looks_the_same_from_the_seat_at_every_position(name: str) -> None:
    for number, state in enumerate(positions(name, seats=4, seed=3)):
        view = view_of_mover(state)
        table = imagined(view, state.rules, random.Random(number))
        assert view == view_of_mover(table)
        assert Integrity.SOUND == integrity(table)


@pytest.mark.parametrize("name", PRESETS)
def test_imagined_table_allows_the_seat_the_same_moves_nearly_always(name: str) -> None:
    """What a view does not tell (two doubles in one turn, a barred train) is rare."""
    found = positions(name, seats=4, seed=4)

    same = sum(legal_moves(state) == imagined_moves(state) for state in found) / len(found)

    assert same > 0.9


def test_imagined_tables_deal_every_hidden_tile_to_a_rival_sooner_or_later() -> None:
    state = positions("modern", seats=3, seed=5)[0]
    view, chance = view_of_mover(state), random.Random(6)
    assert view.seat is not None
    held = 0
    for _ in range(200):
        table = imagined(view, state.rules, chance)
        assert table.round is not None
        held |= table.round.hands[(view.seat + 1) % 3]

    assert unseen(view, state.rules) == held


def test_imagined_table_follows_from_the_seed() -> None:
    state = positions("modern", seats=4, seed=7)[20]
    view = view_of_mover(state)
    first, again, other = (imagined(view, state.rules, random.Random(n)) for n in (8, 8, 9))

    assert first == again
    assert first != other


@pytest.mark.parametrize("seat", [None, 0])
def test_imagination_refuses_a_view_of_no_live_round(seat: int | None) -> None:
    view = View(2, Phase.AWAITING_DEAL, 13, (), None, seat, ())

    with pytest.raises(ValueError, match="live round"):
        imagined(view, preset("modern"), random.Random(1))


@pytest.mark.parametrize("name", PRESETS)
def test_playout_ends_the_round_or_stops_where_it_is_told_to(name: str) -> None:
    state = positions(name, seats=3, seed=9)[0]

    whole, cut = Playout(state, most_moves=2000), Playout(state, most_moves=3)
    for playout in (whole, cut):
        assert sum(playout.played()) > 0

    assert 1 == len(whole.state.results)
    assert 3 <= whole.made < 2000
    assert (3, 0) == (cut.made, len(cut.state.results))


def view_of_mover(state: State) -> View:
    """Return what the seat to move sees."""
    assert state.round is not None
    return observe(state, state.round.turn)


def imagined_moves(state: State) -> list[Move]:
    """Return what the seat to move could do on a table that it imagines."""
    return legal_moves(imagined(view_of_mover(state), state.rules, random.Random(1)))
