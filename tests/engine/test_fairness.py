"""The fair deal."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mextrain_engine import commitment, permutation, round_seed


def by_the_book(key: bytes, size: int) -> list[int]:
    """Shuffle as the document says, written from it again with other means."""
    numbers: list[int] = []
    order = list(range(size))
    at = 0
    for last in reversed(range(1, size)):
        while True:
            if at == len(numbers):
                counter = (at // 16).to_bytes(4, "big")
                block = hmac.new(key, counter, hashlib.sha256).digest()
                numbers += [int.from_bytes(block[i : i + 2], "big") for i in range(0, 32, 2)]
            value, at = numbers[at], at + 1
            if value < 65536 - 65536 % (last + 1):
                break
        other = value % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


@given(st.binary(min_size=32, max_size=32), st.integers(1, 256))
def test_permutation_is_the_documented_one(seed: bytes, size: int) -> None:
    order = permutation(seed, size)
    assert list(range(size)) == sorted(order)
    assert by_the_book(seed, size) == list(order)


def test_entropy_of_players_changes_the_order() -> None:
    seed = bytes(32)
    orders = {permutation(seed, 91, entropy) for entropy in ((), (b"a",), (b"", b"a"), (b"a", b""))}
    assert len(orders) == 4


def test_commitment_is_the_hash_of_the_seed() -> None:
    assert hashlib.sha256(b"seed").digest() == commitment(b"seed")


def test_round_seeds_differ_by_round_and_by_secret() -> None:
    seeds = {
        round_seed(secret, number) for secret in (bytes(32), b"1" * 32) for number in range(1, 50)
    }
    assert len(seeds) == 98


@pytest.mark.parametrize("size", [28, 91])
def test_every_tile_comes_to_every_place_equally_often(size: int) -> None:
    deals = 4000
    counts = Counter(
        (place, tile)
        for n in range(deals)
        for place, tile in enumerate(permutation(hashlib.sha256(b"%d" % n).digest(), size))
    )
    expected = deals / size
    chi_square = sum(
        (counts[place, tile] - expected) ** 2 / expected
        for place in range(size)
        for tile in range(size)
    )
    freedom = (size - 1) ** 2
    assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5
