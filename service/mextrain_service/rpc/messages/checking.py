"""Checks the fields of a request and collects all violations.

Each check returns a usable value even for an invalid field, so that one violation hides no other.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeVar

from mextrain_service.application import refused
from mextrain_service.application.chain import Position
from mextrain_service.application.model import GameId
from mextrain_service.application.refused import ErrorKind, FieldViolation, InvalidRequestError
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.names import is_name

_E = TypeVar("_E", bound=Enum)

REQUIRED = "REQUIRED"
OUT_OF_RANGE = "OUT_OF_RANGE"
TOO_LONG = "TOO_LONG"
BAD_CHARACTERS = "BAD_CHARACTERS"
UNKNOWN_VALUE = "UNKNOWN_VALUE"
DUPLICATE = "DUPLICATE"
OVERLAP = "OVERLAP"
MALFORMED = "MALFORMED"
TILE_MALFORMED = "TILE_MALFORMED"
MOVE_MALFORMED = "MOVE_MALFORMED"

MAX_NAME_CHARACTERS = 64
"""Characters of a display name, at most."""

_LONGEST_TEXT_TOLD = 40
"""Characters of a move that cannot be read of which the caller is told."""

MAX_ID_CHARACTERS = 64
"""Most characters of a request ID, a player ID or a game ID."""

_GAME_ID = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_REQUEST_ID = re.compile(r"[!-~]+", re.ASCII)


class Checked:
    """The violations of one request, in the order of the checks."""

    def __init__(self) -> None:
        self._violations: list[FieldViolation] = []
        self._malformed: list[tuple[ErrorKind, dict[str, str]]] = []

    def finish(self) -> None:
        """Return if there are no violations.

        Raises:
            InvalidRequestError: something is wrong; it lists everything. Its reason is
                ``TILE_MALFORMED`` or ``MOVE_MALFORMED`` if nothing but tiles and moves is.
        """
        if not self._violations:
            return
        if len(self._malformed) == len(self._violations):
            kind, facts = self._malformed[0]
            raise InvalidRequestError(self._violations, kind, **facts)
        raise InvalidRequestError(self._violations)

    def found(self, field: str, code: str, description: str) -> None:
        """Add a violation."""
        self._violations.append(FieldViolation(field, code, description))

    def found_tile(self, field: str, text: str) -> None:
        """Add an invalid tile."""
        self.found(field, TILE_MALFORMED, "a tile has two ends of 0 to 18 pips")
        self._malformed.append((refused.TILE_MALFORMED, {"field": field, "tile": text}))

    def found_move(self, field: str, text: str, expected: str) -> None:
        """Add an invalid move."""
        self.found(field, MOVE_MALFORMED, expected)
        facts = {"field": field, "text": text[:_LONGEST_TEXT_TOLD], "expected": expected}
        self._malformed.append((refused.MOVE_MALFORMED, facts))

    def game_id(self, field: str, text: str) -> GameId:
        """Check the form of a game ID."""
        if not text:
            self.found(field, REQUIRED, "the game's ID")
        elif len(text) > MAX_ID_CHARACTERS:
            self.found(field, TOO_LONG, f"at most {MAX_ID_CHARACTERS} characters")
        elif _GAME_ID.fullmatch(text) is None:
            self.found(field, BAD_CHARACTERS, "letters, digits, '-' and '_'")
        return GameId(text)

    def request_id(self, field: str, text: str) -> str:
        """Check a request ID, which may be empty."""
        if len(text) > MAX_ID_CHARACTERS:
            self.found(field, TOO_LONG, f"at most {MAX_ID_CHARACTERS} characters")
        elif text and _REQUEST_ID.fullmatch(text) is None:
            self.found(field, BAD_CHARACTERS, "printable ASCII characters without spaces")
        return text

    def position(self, field: str, cursor: str) -> Position | None:
        """Check the cursor of a game; None when it is empty."""
        if not cursor:
            return None
        try:
            return Position.from_cursor(cursor)
        except ValueError:
            accepted = "invalid cursor; use the cursor of a message of this game"
            self.found(field, MALFORMED, accepted)
            return None

    def text(self, field: str, text: str, longest: int, *, required: bool = False) -> str:
        """Check a text for people: no control characters, and at most ``longest`` characters."""
        if required and not text:
            self.found(field, REQUIRED, f"1 to {longest} characters")
        elif len(text) > longest:
            self.found(field, TOO_LONG, f"at most {longest} characters")
        elif not text.isprintable():
            self.found(field, BAD_CHARACTERS, "printable characters only")
        return text

    def name(self, field: str, text: str) -> str:
        """Check the name of a person, which may be empty."""
        if len(text) > MAX_NAME_CHARACTERS:
            self.found(field, TOO_LONG, f"at most {MAX_NAME_CHARACTERS} characters")
        elif not is_name(text):
            self.found(field, BAD_CHARACTERS, "letters, digits, punctuation, spaces and emoji only")
        return text

    def number(self, field: str, value: int, least: int, greatest: int) -> int:
        """Check a number, both ends allowed."""
        if not least <= value <= greatest:
            self.found(field, OUT_OF_RANGE, f"{least} to {greatest}, not {value}")
            return least
        return value

    def member(self, field: str, pair: EnumPair[_E], number: int, default: _E) -> _E:
        """Check an enum value; unspecified means the default."""
        if not number:
            return default
        member = pair.member.get(number)
        if member is None:
            self.found(field, UNKNOWN_VALUE, f"unknown enum value {number}")
            return default
        return member
