"""What a person types at their seat, as moves or as a wish."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from mextrain_engine import (
    MAX_SEATS,
    NotationError,
    format_move,
    format_tile,
    parse_move,
    parse_tile,
)
from mextrain_service.cli.complaints import CliError


class Wish(Enum):
    """What can be asked for instead of moving."""

    HINT = "hint"
    WHY = "why"
    SCORE = "score"
    RULES = "rules"
    HELP = "help"
    QUIT = "quit"


_NUMBER = re.compile(r"[0-9]{1,3}")
_SHORT = {"?": Wish.HELP, "h": Wish.HINT, "q": Wish.QUIT, "exit": Wish.QUIT}


def read_line(
    line: str, legal: Sequence[str], seat: int, names: Sequence[str]
) -> tuple[str, ...] | Wish:
    """Return the moves in notation, or the wish, that a line asks for.

    A move is its number in the list, its notation (``12-5@M``, ``draw``), or a tile with a train
    that may be a player's name. A tile alone goes where it can; several words are several moves. An
    empty line is the only legal move, if there is but one.

    Args:
        line: what was typed.
        legal: the seat's legal moves in notation, in the order of their numbers from 1.
        seat: the person's seat.
        names: what each seat is called, by seat.

    Raises:
        CliError: it can be read as nothing of that.
    """
    words = line.lower().split()
    if not words:
        if len(legal) == 1:
            return (legal[0],)
        raise CliError("Which move? Type its number, or `help`.")
    wish = _SHORT.get(words[0]) or next((w for w in Wish if w.value == words[0]), None)
    if wish is not None:
        return wish
    if len(words) == 1 and _NUMBER.fullmatch(words[0]):
        return (_numbered(int(words[0]), legal),)
    return tuple(_move(word, legal, seat, names) for word in words)


def _numbered(number: int, legal: Sequence[str]) -> str:
    if not 1 <= number <= len(legal):
        raise CliError(f"There is no move {number}; they go from 1 to {len(legal)}.")
    return legal[number - 1]


def _move(word: str, legal: Sequence[str], seat: int, names: Sequence[str]) -> str:
    tile_text, at, train_text = word.partition("@")
    try:
        if not at and "-" not in word:
            return format_move(parse_move(word))
        tile = format_tile(parse_tile(tile_text))
    except NotationError:
        raise CliError(
            f"{word[:40]!r} is no move.", "Write 12-5, 12-5@M, 12-5@Bea, draw or pass, or a number."
        ) from None
    train = _train(train_text, seat, names) if at else _only_train(tile, legal, seat)
    return f"{tile}@{train}"


def _only_train(tile: str, legal: Sequence[str], seat: int) -> str:
    """Return where a tile goes that was given without a train: home, if that is not wrong."""
    trains = [move.partition("@")[2] for move in legal if move.startswith(f"{tile}@")]
    if len(trains) > 1:
        raise CliError("That tile fits several trains: say which, as in 12-5@M, or by number.")
    return trains[0] if trains else str(seat)


def _train(text: str, seat: int, names: Sequence[str]) -> str:
    if text in {"m", "mexican"}:
        return "M"
    if text in {"me", "mine", "own"}:
        return str(seat)
    if _NUMBER.fullmatch(text):
        return str(min(int(text), MAX_SEATS - 1))
    found = [index for index, name in enumerate(names) if text and name.lower().startswith(text)]
    if len(found) != 1:
        raise CliError(f"Whose train is {text[:20]!r}?", "Give a seat, a name, or M.")
    return str(found[0])
