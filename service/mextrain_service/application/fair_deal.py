"""The deal of a round from the game's secret, and what is published of it.

The arithmetic is the engine's (``fairness``); here is which seed belongs to which deal. Knows
nothing of where the secret came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mextrain_engine import Phase, State, Step, deal, fairness, set_size
from mextrain_engine.fairness import attempts, round_seed
from mextrain_service.application.entropy import next_deal, parts_of
from mextrain_service.application.model import HandsShown, HostedGame


@dataclass(frozen=True, slots=True)
class RoundCommitment:
    """What binds the host to a round's deal.

    Attributes:
        number: the round, 1-based.
        commitment: SHA-256 of its seed, 32 bytes; published before the deal.
        seed: the seed, 32 bytes; None until it is shown.
        entropy: what each seat added to the round, by seat, empty for one that added nothing; no
            entries until the round is dealt, and when nobody added anything.
    """

    number: int
    commitment: bytes
    seed: bytes | None
    entropy: tuple[bytes, ...] = ()


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


def commitments(game: HostedGame) -> tuple[RoundCommitment, ...]:
    """Return the commitment of every round dealt so far and of the next, with the seeds shown.

    That of the next one is out while a round is live, so that players can add to its chance.
    """
    next_number = next_deal(game.state)
    dealt = len(game.state.results) + (game.state.phase is Phase.PLAYING)
    known = dealt if next_number is None else next_number
    hides = game.policy.hands_shown is HandsShown.AFTER_GAME
    hidden = hides and game.state.phase is not Phase.FINISHED
    shown = 0 if hidden else len(game.state.results)  # a seed says nothing about other rounds
    secret, entropy = game.secret, game.entropy
    bound = [_seed_and_commitment(secret, number) for number in range(1, known + 1)]
    return tuple(
        [
            RoundCommitment(
                number=number,
                commitment=commitment,
                seed=seed if number <= shown else None,
                entropy=parts_of(entropy, number) if entropy and number <= dealt else (),
            )
            for number, (seed, commitment) in enumerate(bound, start=1)
        ]
    )


@lru_cache(maxsize=4_096)
def _seed_and_commitment(secret: bytes, number: int) -> tuple[bytes, bytes]:
    """Return both of a round; each look at a game shows the commitments of all its rounds."""
    seed = round_seed(secret, number)
    return seed, fairness.commitment(seed)
