"""Log entries survive the log, in the bytes that are promised."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mextrain_engine import CALL, DRAW, MEXICAN, PASS, parse_move, play
from mextrain_service.application.model import (
    FACE_BYTES,
    MAX_ENTROPY_BYTES,
    Dealt,
    EntropyAdded,
    LogEntry,
    Moved,
    SeatChange,
    SeatChanged,
    Skipped,
)
from mextrain_service.storage import CorruptGameError
from mextrain_service.storage.log_codec import decode_log, encode_log
from tests.storage.games import new_hosted_game, played

SEATS = st.integers(0, 13)
PLAYS = st.builds(play, st.integers(0, 189), st.one_of(SEATS, st.just(MEXICAN)))
FACES = st.binary(min_size=FACE_BYTES, max_size=FACE_BYTES)
MOVES = st.one_of(PLAYS, st.sampled_from([DRAW, PASS, CALL]))
ENTRIES: st.SearchStrategy[LogEntry] = st.one_of(
    st.builds(Dealt),
    st.builds(Moved, SEATS, MOVES),
    st.builds(Skipped, SEATS),
    st.builds(SeatChanged, SEATS, st.sampled_from(SeatChange), FACES),
    st.builds(EntropyAdded, SEATS, st.binary(min_size=1, max_size=MAX_ENTROPY_BYTES)),
)


def _faces(entries: Sequence[LogEntry]) -> list[bytes]:
    """Return what the comparison of entries leaves out."""
    return [entry.face for entry in entries if isinstance(entry, SeatChanged)]


@given(st.lists(ENTRIES))
def test_a_log_comes_back_as_it_was_written(entries: list[LogEntry]) -> None:
    again = decode_log(encode_log(entries))
    assert (tuple(entries), _faces(entries)) == (again, _faces(again))


@given(st.lists(ENTRIES), st.lists(ENTRIES))
def test_appending_bytes_is_appending_entries(old: list[LogEntry], new: list[LogEntry]) -> None:
    assert tuple(old + new) == decode_log(encode_log(old) + encode_log(new))


@pytest.mark.parametrize(
    ("stored", "entry"),
    [
        ("e8", Dealt()),
        ("5302", Moved(2, parse_move("12-5@0"))),
        ("53f2", Moved(2, parse_move("12-5@M"))),
        ("bddd", Moved(13, parse_move("18-18@13"))),
        ("be", Moved(0, DRAW)),
        ("cb", Moved(13, DRAW)),
        ("cc", Moved(0, PASS)),
        ("da", Moved(0, CALL)),
        ("e7", Moved(13, CALL)),
        ("e9", Skipped(0)),
        ("f6", Skipped(13)),
        ("f702616263", SeatChanged(2, SeatChange.CLAIMED, b"abc")),
        ("f71d616263", SeatChanged(13, SeatChange.TOKEN_ROTATED, b"abc")),
        ("f721616263", SeatChanged(1, SeatChange.RESIGNED, b"abc")),
        ("f731616263", SeatChanged(1, SeatChange.STOOD_IN, b"abc")),
        ("f741616263", SeatChanged(1, SeatChange.RETURNED, b"abc")),
        ("f751616263", SeatChanged(1, SeatChange.REASSIGNED, b"abc")),
        ("f761616263", SeatChanged(1, SeatChange.TIMED_OUT, b"abc")),
        ("f80303616263", EntropyAdded(3, b"abc")),
    ],
)
def test_the_bytes_of_an_entry_never_change(stored: str, entry: LogEntry) -> None:
    assert stored == encode_log([entry]).hex()
    assert (entry,) == decode_log(bytes.fromhex(stored))


@pytest.mark.parametrize(
    "damaged",
    [
        "53",
        "e853",
        "f9",
        "ff",
        "53e2",
        "530e",
        "f7",
        "f702",
        "f7026162",
        "f70e616263",
        "f771616263",
        "f8",
        "f803",
        "f80300",
        "f8030361",
        "f80e0161",
        "f80321" + "61" * 33,
    ],
)
def test_a_damaged_log_is_refused(damaged: str) -> None:
    with pytest.raises(CorruptGameError):
        decode_log(bytes.fromhex(damaged))


def test_an_entry_takes_less_than_two_bytes_in_a_played_game() -> None:
    log = played(new_hosted_game(), 200).log
    assert len(encode_log(log)) < 2 * len(log)
