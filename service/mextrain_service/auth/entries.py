"""Secrets of callers as settings and files name them: an owner and the SHA-256 of what it sends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_ENTRY = re.compile(r"([a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?):([0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One key that is accepted.

    Attributes:
        owner: a platform or an operator: 1 to 32 of ``a-z 0-9 -``.
        digest: SHA-256 of the key, 32 bytes.
    """

    owner: str
    digest: bytes

    def __str__(self) -> str:
        """Return the entry as it is written."""
        return f"{self.owner}:{self.digest.hex()}"


def parse_entry(text: str) -> KeyEntry:
    """Read an entry.

    Raises:
        ValueError: it is not written so; the text is not repeated, as it may be a key by mistake.

    >>> parse_entry("acme:" + "0" * 64).owner
    'acme'
    """
    found = _ENTRY.fullmatch(text)
    if found is None:
        raise ValueError("an entry must be <owner>:<64 hexadecimal digits>")
    return KeyEntry(found[1], bytes.fromhex(found[2]))


def parse_lines(text: str) -> list[KeyEntry]:
    """Read a file of entries, one a line; ``#`` begins a remark.

    Raises:
        ValueError: a line is not written so; with its number.
    """
    return [_numbered(number, line) for number, line in meaningful_lines(text)]


def meaningful_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, each with its number, without remarks."""
    for number, line in enumerate(text.splitlines(), 1):
        meant = line.partition("#")[0].strip()
        if meant:
            yield number, meant


def by_owner(entries: Iterable[KeyEntry]) -> dict[str, list[bytes]]:
    """Return the digests of each owner."""
    found: dict[str, list[bytes]] = {}
    for entry in entries:
        found.setdefault(entry.owner, []).append(entry.digest)
    return found


def _numbered(number: int, line: str) -> KeyEntry:
    try:
        return parse_entry(line)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None
