"""The deal of a round from the game's secret, and what is published of it.

The arithmetic is the engine's (``fairness``); here is which seed belongs to which deal. Knows
nothing of where the secret came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mextrain_engine import Phase, State, Step, deal, set_size
from mextrain_engine.fairness import attempts, commitment, round_seed

MAX_DEALS_PER_ROUND = 1000
"""Deals of one round until a hand holds the hub. Two hands of 2 tiles out of 190, the worst that
rules allow, need more once in some 10^9 rounds; two hands of 15 out of 91 never do."""


@dataclass(frozen=True, slots=True)
class RoundCommitment:
    """What binds the host to a round's deal.

    Attributes:
        number: the round, 1-based.
        commitment: SHA-256 of its seed, 32 bytes; published before the deal.
        seed: the seed, 32 bytes; None until the round is over.
    """

    number: int
    commitment: bytes
    seed: bytes | None


def secret_from_seed(seed: int) -> bytes:
    """Return the secret of a game with a fixed seed: the same for the same seed, and not fair."""
    return hashlib.sha256(b"mextrain fixed seed " + str(seed).encode()).digest()


def deals(state: State, secret: bytes, entropy: Sequence[bytes] = ()) -> Iterator[Step]:
    """Yield the deal of the next round, and what replaces it each time that it is void.

    Args:
        state: a match that awaits a deal.
        secret: the game's secret, 32 bytes.
        entropy: what players added to this deal, in seat order.

    Yields:
        The round, or a state that still awaits a deal when no hand held the hub.

    Raises:
        DealError: a round is live or the match is over.
    """
    seed = round_seed(secret, len(state.results) + 1)
    for order in attempts(seed, set_size(state.rules.max_pip(state.seats)), entropy):
        yield deal(state, order)


def commitments(state: State, secret: bytes) -> tuple[RoundCommitment, ...]:
    """Return the commitment of every round so far and of the next, with the seeds that are out.

    A seed is out when its round is over: then every tile of that round is on the table, and
    nothing about another round follows from it.
    """
    over = len(state.results)
    known = over if state.phase is Phase.FINISHED else over + 1
    return tuple(_commitment(secret, number, over) for number in range(1, known + 1))


def _commitment(secret: bytes, number: int, rounds_over: int) -> RoundCommitment:
    seed = round_seed(secret, number)
    return RoundCommitment(number, commitment(seed), seed if number <= rounds_over else None)
