"""Moves as values, with a one-line notation that round-trips."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, NewType

from mextrain_engine.errors import NotationError
from mextrain_engine.ruleset import MAX_SEATS
from mextrain_engine.tiles import HIGH, format_tile, parse_tile

Seat = NewType("Seat", int)
"""A place at the table, 0-based, clockwise."""

TrainId = int
"""A train: the seat that owns it, or ``MEXICAN``."""

MEXICAN: TrainId = -1
"""The Mexican Train. It sorts first and indexes the last entry of a tuple of trains."""


class MoveKind(IntEnum):
    """What a move does. The order is the order in which moves are listed."""

    PLAY = 0
    DRAW = 1
    PASS = 2
    CALL = 3


class Move(NamedTuple):
    """One move. Totally ordered, so lists of moves are stable; get plays from ``play``.

    Attributes:
        kind: what it does.
        train: where a play goes: a seat or ``MEXICAN``; -1 for the rest.
        tile: the tile of a play; -1 for the rest.
    """

    kind: MoveKind
    train: int = -1
    tile: int = -1

    def __str__(self) -> str:
        """Return the notation, as ``format_move`` does."""
        return format_move(self)


DRAW = Move(MoveKind.DRAW)
"""Take one tile from the boneyard."""

PASS = Move(MoveKind.PASS)
"""End the turn: unable to play, or done with an opening train."""

CALL = Move(MoveKind.CALL)
"""Announce that one tile is left."""

PLAYS: tuple[tuple[Move, ...], ...] = tuple(
    tuple(Move(MoveKind.PLAY, train, t) for t in range(len(HIGH)))
    for train in (*range(MAX_SEATS), MEXICAN)
)
"""Every play there can be, as ``PLAYS[train][tile]``; shared, so listing moves makes none."""

_WORDS = {"draw": DRAW, "pass": PASS, "call": CALL}
_PLAY = re.compile(r"(\d{1,2}-\d{1,2})@(M|\d{1,2})", re.ASCII)


def play(tile_id: int, train: TrainId) -> Move:
    """Return the move that lays a tile on a train.

    >>> from mextrain_engine.tiles import tile
    >>> str(play(tile(12, 5), 2)), str(play(tile(12, 5), MEXICAN))
    ('12-5@2', '12-5@M')
    """
    return PLAYS[train][tile_id]


def format_train(train: TrainId) -> str:
    """Return a train as text: its seat number, or ``M``."""
    return "M" if train == MEXICAN else str(train)


@lru_cache(maxsize=8192)  # more than there are
def format_move(move: Move) -> str:
    """Return the notation of a move: ``12-5@2``, ``12-5@M``, ``draw``, ``pass`` or ``call``."""
    if move.kind is MoveKind.PLAY:
        return f"{format_tile(move.tile)}@{format_train(move.train)}"
    return move.kind.name.lower()


def parse_move(text: str) -> Move:
    """Read the notation of a move; the tile may be written either way round.

    >>> parse_move("5-12@M") == parse_move("12-5@M"), parse_move("draw") is DRAW
    (True, True)

    Raises:
        NotationError: the text is not a move.
    """
    if text in _WORDS:
        return _WORDS[text]
    found = _PLAY.fullmatch(text)
    if found is None:
        raise NotationError(text, "a move is written like 12-5@2, 12-5@M, draw, pass or call")
    train = MEXICAN if found[2] == "M" else int(found[2])
    if train >= MAX_SEATS:
        raise NotationError(text, f"a seat is 0 to {MAX_SEATS - 1}")
    return play(parse_tile(found[1]), train)
