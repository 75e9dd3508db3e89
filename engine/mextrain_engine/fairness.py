"""The fair deal: a round's seed, its commitment, and the permutation that follows from it.

Deterministic arithmetic on bytes that are handed in; where secrets come from is the host's matter.
``docs/fairness.md`` describes it so that it can be checked in any language.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

SEED_BYTES = 32
"""Bytes of a game's secret, of a round's seed and of a commitment."""


def round_seed(secret: bytes, number: int) -> bytes:
    """Return the seed of a round: HMAC-SHA256 of its number under the game's secret.

    Seeds of other rounds do not follow from it.

    >>> round_seed(bytes(32), 1).hex()[:16]
    '158a0a6def63c72e'

    Args:
        secret: 32 bytes that only the host knows.
        number: the round, 1-based.
    """
    return hmac.digest(secret, b"mextrain round " + str(number).encode(), "sha256")


def commitment(seed: bytes) -> bytes:
    """Return what is published before the deal: SHA-256 of the seed, 32 bytes."""
    return hashlib.sha256(seed).digest()


def permutation(seed: bytes, size: int, entropy: Sequence[bytes] = ()) -> tuple[int, ...]:
    """Return the order of the tiles: Fisher–Yates from the top, each index drawn by rejection.

    >>> permutation(bytes(32), 8)
    (2, 3, 7, 1, 4, 6, 5, 0)

    Args:
        seed: the seed of the round, 32 bytes.
        size: how many tiles, 1 to 256.
        entropy: what players added after the commitment, in seat order; mixed into the stream's
            key, so that the host alone cannot choose the outcome.

    Returns:
        Each of ``0 … size - 1`` once.
    """
    stream = _stream(_stream_key(seed, entropy))
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        bound = last + 1
        limit = 65536 - 65536 % bound
        while (value := next(stream)) >= limit:
            pass
        other = value % bound
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _stream_key(seed: bytes, entropy: Sequence[bytes]) -> bytes:
    if not entropy:
        return seed
    parts = b"".join(len(part).to_bytes(2, "big") + part for part in entropy)
    return hmac.digest(seed, b"mextrain entropy " + parts, "sha256")


def _stream(key: bytes) -> Iterator[int]:
    """Yield 16-bit numbers: HMAC-SHA256 of a 32-bit big-endian counter, cut in big-endian pairs."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(4, "big"), "sha256")
        for at in range(0, 32, 2):
            yield block[at] << 8 | block[at + 1]
        counter += 1


def attempts(seed: bytes, size: int, entropy: Sequence[bytes] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the permutations of a round: the first, then one for each deal that was void.

    Only rules that deal again when no hand holds the hub ever need more than the first.
    The k-th repetition is dealt from ``round_seed(seed, k)``.
    """
    yield permutation(seed, size, entropy)
    for attempt in count(1):
        yield permutation(round_seed(seed, attempt), size, entropy)
