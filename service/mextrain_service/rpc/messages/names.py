"""Which texts can be the name of a person: any script's words and emoji, nothing that misleads."""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINERS: Final = {"\u200c", "\u200d"}
"""Between two letters they shape Persian, Hindi and Sinhala words; between emoji they make one."""

_SPACES: Final = {" ", "\u3000"}
_FLAG: Final = "\U0001f3f4"
_TAGS: Final = range(0xE0020, 0xE0080)
"""They follow a black flag, and name the part of a country whose flag it is."""

_REFUSED: Final = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"}
_NO_CHARACTERS: Final = range(0xFDD0, 0xFDF0)


def is_name(text: str) -> bool:
    """Tell whether people can be shown this as a name.

    Refused are control characters, marks and overrides of direction, line breaks, spaces that look
    like nothing or like another one, private characters and lone surrogates. Characters that are
    newer than this Python's tables are accepted.
    """
    return all(_fits(text, at) for at in range(len(text)))


def _fits(text: str, at: int) -> bool:
    character = text[at]
    if character in _JOINERS:
        return 0 < at < len(text) - 1 and _joins(text[at - 1]) and _joins(text[at + 1])
    if ord(character) in _TAGS:
        return text[:at].rstrip("".join(map(chr, _TAGS))).endswith(_FLAG)
    if character in _SPACES:
        return True
    if ord(character) in _NO_CHARACTERS or ord(character) & 0xFFFE == 0xFFFE:
        return False
    return unicodedata.category(character) not in _REFUSED


def _joins(character: str) -> bool:
    """Tell whether a joiner may stand beside this: a letter or emoji, not ASCII, no joiner."""
    category = unicodedata.category(character)
    return not character.isascii() and category not in _REFUSED and category[0] != "P"
