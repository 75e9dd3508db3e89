"""The chain over a log tells histories apart, and tells nobody what is hidden."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mextrain_engine import CALL, DRAW, MEXICAN, PASS, play
from mextrain_service.application.chain import Position, first_link, links_after, next_link
from mextrain_service.application.model import (
    FACE_BYTES,
    LINK_BYTES,
    Dealt,
    EntropyAdded,
    GameId,
    LogEntry,
    Moved,
    SeatChange,
    SeatChanged,
    Skipped,
)

LINK = first_link(GameId("game"), 1)
SEATS = st.integers(0, 13)
PLAYS = st.builds(play, st.integers(0, 189), st.one_of(SEATS, st.just(MEXICAN)))
ENTRIES: st.SearchStrategy[LogEntry] = st.one_of(
    st.builds(Dealt),
    st.builds(Moved, SEATS, st.one_of(PLAYS, st.sampled_from([DRAW, PASS, CALL]))),
    st.builds(Skipped, SEATS),
    st.builds(
        SeatChanged,
        SEATS,
        st.sampled_from(SeatChange),
        st.binary(min_size=FACE_BYTES, max_size=FACE_BYTES),
    ),
    st.builds(EntropyAdded, SEATS, st.binary(min_size=1, max_size=32)),
)


def _shown(entry: LogEntry) -> object:
    """Return what everyone may know of an entry."""
    match entry:
        case EntropyAdded(seat):
            return ("entropy", seat)
        case SeatChanged(seat, change, face):
            return (seat, change, face)
        case _:
            return entry


@given(ENTRIES, ENTRIES)
def test_link_differs_with_what_everyone_may_know_of_an_entry_and_with_nothing_else(
    one: LogEntry, other: LogEntry
) -> None:
    alike = _shown(one) == _shown(other)
    assert alike is (next_link(LINK, one) == next_link(LINK, other))


@given(st.lists(ENTRIES, max_size=8), st.lists(ENTRIES, max_size=8))
def test_links_of_two_histories_differ_from_the_entry_on_in_which_they_differ(
    one: list[LogEntry], other: list[LogEntry]
) -> None:
    pairs = zip(links_after(LINK, one), links_after(LINK, other), strict=False)
    same = [ours == theirs for ours, theirs in pairs]
    assert same == [
        [_shown(entry) for entry in one[: at + 1]] == [_shown(entry) for entry in other[: at + 1]]
        for at in range(len(same))
    ]


@given(st.lists(ENTRIES, min_size=2, max_size=20))
def test_same_entry_twice_has_two_links(entries: list[LogEntry]) -> None:
    links = links_after(LINK, entries + entries)
    assert len(set(links)) == len(links)
    assert all(one != other for one, other in pairwise(links))


def test_games_of_one_id_have_chains_of_their_own() -> None:
    links = {first_link(GameId("a"), 1), first_link(GameId("a"), 2), first_link(GameId("b"), 1)}
    assert 3 == len(links)


@given(
    st.builds(Position, st.integers(0, 2**24), st.binary(min_size=LINK_BYTES, max_size=LINK_BYTES))
)
def test_cursor_comes_back_as_the_place_that_it_names(position: Position) -> None:
    assert position == Position.from_cursor(position.cursor)
    assert len(position.cursor) <= 64
