"""Small numbers side by side in as few bits as the largest of them needs."""

from __future__ import annotations

from collections.abc import Sequence

_DIGITS = b"0123456789abcdefghijklmnopqrstuv".ljust(256, b"?")
"""The digit for each number of up to 5 bits."""


def pack(numbers: Sequence[int], bits: int) -> bytes:
    """Return the numbers in `bits` bits each, the first in the lowest bits of the first byte.

    >>> pack([1, 2, 3], bits=4).hex()
    '2103'

    Args:
        numbers: each at least 0.
        bits: 1 to 5.

    Raises:
        ValueError: a number does not fit.
    """
    if not numbers:
        return b""
    digits = bytes(numbers)[::-1].translate(_DIGITS)  # int() reads them faster than a loop
    return int(digits, 1 << bits).to_bytes(_bytes_for(len(numbers), bits), "little")


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
