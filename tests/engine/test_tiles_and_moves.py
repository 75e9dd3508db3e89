"""Tiles, masks and the notation of moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mextrain_engine import (
    CALL,
    DRAW,
    MEXICAN,
    PASS,
    Move,
    NotationError,
    format_move,
    format_tile,
    mask_of,
    parse_move,
    parse_tile,
    play,
    set_size,
    tile,
    tiles_in,
)
from mextrain_engine.tiles import (
    DOUBLES,
    HIGH,
    LOW,
    PIPS,
    SET_SIZES,
    TILES_WITH,
    full_set,
    is_double,
    other_end,
)

TILES = st.integers(0, 189)
PLAYS = st.builds(play, TILES, st.sampled_from([*range(14), MEXICAN]))
MOVES = PLAYS | st.sampled_from([DRAW, PASS, CALL])


@pytest.mark.parametrize(("max_pip", "size"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_set_has_the_published_number_of_tiles(max_pip: int, size: int) -> None:
    assert size == set_size(max_pip) == SET_SIZES[max_pip] == full_set(max_pip).bit_count()


@pytest.mark.parametrize(
    ("max_pip", "pips"), [(6, 168), (9, 495), (12, 1092), (15, 2040), (18, 3420)]
)
def test_set_has_the_published_sum_of_pips(max_pip: int, pips: int) -> None:
    assert pips == sum(PIPS[t] for t in tiles_in(full_set(max_pip)))


@pytest.mark.parametrize("pip", range(19))
def test_value_is_on_one_tile_more_than_the_highest_pip(pip: int) -> None:
    for max_pip in SET_SIZES:
        if pip <= max_pip:
            assert max_pip + 1 == (TILES_WITH[pip] & full_set(max_pip)).bit_count()


@given(TILES)
def test_tile_round_trips_through_text_either_way_round(tile_id: int) -> None:
    assert tile_id == parse_tile(format_tile(tile_id))
    assert tile_id == parse_tile(f"{LOW[tile_id]}-{HIGH[tile_id]}")
    assert tile_id == tile(LOW[tile_id], HIGH[tile_id])


@given(TILES)
def test_other_end_is_the_end_that_is_not_joined(tile_id: int) -> None:
    assert HIGH[tile_id] == other_end(tile_id, LOW[tile_id])
    assert LOW[tile_id] == other_end(tile_id, HIGH[tile_id])


@given(TILES)
def test_double_is_a_tile_with_equal_ends(tile_id: int) -> None:
    assert is_double(tile_id) == bool(DOUBLES >> tile_id & 1) == (HIGH[tile_id] == LOW[tile_id])


@given(st.sets(TILES))
def test_mask_gives_its_tiles_back_in_ascending_order(tiles: set[int]) -> None:
    assert sorted(tiles) == list(tiles_in(mask_of(tiles)))


@pytest.mark.parametrize(
    "text", ["", "12", "12-", "-5", "a-b", "19-0", "1-2-3", " 1-2", "1–2", "-1-2", "٣-٤"]
)
def test_tile_is_refused_when_its_text_is_no_tile(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tile(text)
    assert text == caught.value.text


@pytest.mark.parametrize(("high", "low"), [(19, 0), (0, -1), (3, 19)])
def test_tile_is_refused_when_an_end_does_not_exist(high: int, low: int) -> None:
    with pytest.raises(NotationError, match="0 to 18"):
        tile(high, low)


@given(MOVES)
def test_move_round_trips_through_its_notation(move: Move) -> None:
    assert move == parse_move(format_move(move))


@pytest.mark.parametrize(
    "text",
    ["", "12-5", "12-5@", "12-5@X", "12-5@14", "12-5@-1", "PASS", "draw ", "19-1@0", "12-5@m"],
)
def test_move_is_refused_when_its_text_is_no_move(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(text)


def test_moves_sort_plays_first_by_train_then_tile() -> None:
    listed = ["1-0@M", "3-1@M", "1-0@0", "draw", "pass", "call"]
    assert listed == [str(move) for move in sorted(map(parse_move, reversed(listed)))]


def test_long_text_is_cut_in_the_message_of_the_error() -> None:
    with pytest.raises(NotationError) as caught:
        parse_move("x" * 10_000)
    assert len(str(caught.value)) < 200
