"""The chain over the log of a game: each entry has a link that no other history of the game has.

Two histories of one game, as there are when the store goes back in time, may both come to a
version. The link there tells them apart: it is a hash of the link before it and of the entry. It is
computed from what every player may know, so it can be given to anyone who watches.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple, Self, assert_never

from mextrain_service.application.model import (
    FACE_BYTES,
    LINK_BYTES,
    STAMP_BYTES,
    Dealt,
    EntropyAdded,
    GameId,
    HostedGame,
    LogEntry,
    Moved,
    SeatChanged,
    SeatHolder,
    Skipped,
)

_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_CURSOR_CHARACTERS = 64
"""No cursor is longer."""


class Position(NamedTuple):
    """A place in the history of a game.

    Attributes:
        version: entries before it.
        link: the link of the chain there, ``LINK_BYTES`` long.
    """

    version: int
    link: bytes

    @classmethod
    def of(cls, game: HostedGame) -> Self:
        """Return the place that a game has come to."""
        return cls(game.version, game.link)

    @property
    def cursor(self) -> str:
        """The place as text; opaque to clients.

        >>> Position(41, bytes(6)).cursor
        '41-AAAAAAAA'
        """
        text = binascii.b2a_base64(self.link, newline=False).translate(_URL_SAFE)
        return f"{self.version}-{text.decode()}"

    @classmethod
    def from_cursor(cls, cursor: str) -> Self:
        """Return the place that a cursor names.

        >>> Position.from_cursor("41-AAAAAAAA").version
        41

        Raises:
            ValueError: the text is not a cursor.
        """
        version, _, link = cursor.partition("-")
        if len(cursor) > _CURSOR_CHARACTERS or not version.isdecimal() or not cursor.isascii():
            raise ValueError("invalid cursor")
        try:
            position = cls(int(version), base64.urlsafe_b64decode(link))
        except binascii.Error as error:
            raise ValueError("invalid cursor") from error
        if len(position.link) != LINK_BYTES or position.cursor != cursor:
            raise ValueError("invalid cursor")
        return position


def first_link(game_id: GameId, created_ms: int) -> bytes:
    """Return the link of a game without entries."""
    return _hash(b"%d " % created_ms + game_id.encode())


def next_link(link: bytes, entry: LogEntry) -> bytes:
    """Return the link after an entry.

    What a seat added to a deal is not in it, as the others may not know that.
    """
    match entry:
        case Moved(seat, move):
            facts = b"m%c%c%c%c" % (seat, move.kind, move.train & 0xFF, move.tile & 0xFF)
        case Dealt():
            facts = b"d"
        case Skipped(seat):
            facts = b"s%c" % seat
        case SeatChanged(seat, change):
            facts = b"c%c" % seat + change.value.encode() + b" " + entry.face
        case EntropyAdded(seat):
            facts = b"e%c" % seat
        case _:
            assert_never(entry)
    return _hash(link + facts)


def links_after(link: bytes, entries: Iterable[LogEntry]) -> list[bytes]:
    """Return the links after each of the entries, the first of which follows ``link``."""
    links: list[bytes] = []
    for entry in entries:
        link = next_link(link, entry)
        links.append(link)
    return links


def links_of(game: HostedGame, entries: Iterable[LogEntry]) -> list[bytes]:
    """Return the links of a game at each version from 0 on; ``entries`` begin with its first."""
    first = first_link(game.game_id, game.created_ms)
    return [first, *links_after(first, entries)]


def face_of(holder: SeatHolder) -> bytes:
    """Return a digest of what everyone sees of who sits on a seat, 3 bytes."""
    shown = (
        *(holder.kind.value, holder.display_name, holder.resigned),
        *(None if each is None else each.value for each in (holder.bot_level, holder.stand_in)),
    )
    return blake2b(repr(shown).encode(), digest_size=FACE_BYTES).digest()


def new_stamp() -> bytes:
    """Return what tells one commit from every other that came to the same version."""
    return os.urandom(STAMP_BYTES)


def _hash(content: bytes) -> bytes:
    return blake2b(content, digest_size=LINK_BYTES).digest()
