"""Small numbers side by side in as few bits as the largest of them needs.

Knows bits; nothing of what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Sequence


def pack(numbers: Sequence[int], bits: int) -> bytes:
    """Return the numbers in `bits` bits each, the first in the lowest bits of the first byte.

    >>> pack([1, 2, 3], bits=4).hex()
    '2103'

    Raises:
        ValueError: a number does not fit.
    """
    whole = 0
    for number in reversed(numbers):
        if number >> bits:
            raise ValueError(f"{number} does not fit into {bits} bits")
        whole = whole << bits | number
    return whole.to_bytes(_bytes_for(len(numbers), bits), "little")


def unpack(packed: bytes, bits: int, count: int) -> list[int]:
    """Return the `count` numbers that `pack` put there.

    >>> unpack(bytes.fromhex("2103"), bits=4, count=3)
    [1, 2, 3]

    Raises:
        ValueError: so many numbers take more or fewer bytes.
    """
    if len(packed) != _bytes_for(count, bits):
        raise ValueError(f"{count} numbers of {bits} bits do not take {len(packed)} bytes")
    whole, mask = int.from_bytes(packed, "little"), (1 << bits) - 1
    return [whole >> at & mask for at in range(0, count * bits, bits)]


def _bytes_for(count: int, bits: int) -> int:
    return (count * bits + 7) // 8
