"""Fetches the public keys of issuers of players' tokens, and keeps them fresh."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, NoReturn

import structlog

from mextrain_service.auth.player_tokens import PlatformIssuer

LEAST_PAUSE_S: Final = 10.0
"""How long one issuer is left in peace at least, however many tokens name keys nobody knows."""

_FETCH_S: Final = 5.0
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class KeySet:
    """One issuer, and where its keys are.

    Attributes:
        issuer: whose keys they are; they are replaced in place.
        source: the path of a file, or an address.
    """

    issuer: PlatformIssuer
    source: str

    @property
    def is_remote(self) -> bool:
        """Whether the keys are fetched from elsewhere."""
        return self.source.startswith(("https://", "http://"))

    def read(self) -> None:
        """Read the keys now; blocks.

        Raises:
            OSError: they cannot be read.
            ValueError: they are no keys that can be used.
        """
        self.issuer.keys.replace(_fetched(self.source) if self.is_remote else _text(self.source))


class KeySets:
    """The keys of all issuers. Keys that cannot be had leave those that are known in place."""

    def __init__(self, sets: Sequence[KeySet], clock: Callable[[], float] = monotonic) -> None:
        """Take the sets, and what tells seconds."""
        self._sets: Mapping[str, KeySet] = {each.issuer.issuer: each for each in sets}
        self._clock = clock
        self._asked: dict[str, float] = {}
        self._log: Any = structlog.get_logger("mextrain.keys")

    async def read(self) -> None:
        """Read all keys."""
        await asyncio.gather(*(self._read(each) for each in self._sets.values()))

    async def look_again(self, issuer: str) -> bool:
        """Read the keys of an issuer again, unless that was done just now; tell whether it was."""
        if self._clock() - self._asked.get(issuer, -LEAST_PAUSE_S) < LEAST_PAUSE_S:
            return False
        await self._read(self._sets[issuer])
        return True

    async def follow(self, interval_s: float) -> NoReturn:
        """Read all keys again and again; ends when it is cancelled."""
        while True:
            await asyncio.sleep(interval_s)
            await self.read()

    async def _read(self, each: KeySet) -> None:
        self._asked[each.issuer.issuer] = self._clock()
        try:
            await asyncio.to_thread(each.read)
        except (OSError, ValueError) as error:
            self._log.error("keys not read", issuer=each.issuer.issuer, error=str(error))


def _text(path: str) -> bytes:
    return Path(path).read_bytes()


def _fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_FETCH_S) as answer:  # noqa: S310 - the operator's
        body: bytes = answer.read(_MOST_BYTES + 1)
    if len(body) > _MOST_BYTES:
        message = f"it has more than {_MOST_BYTES} bytes"
        raise ValueError(message)
    return body
