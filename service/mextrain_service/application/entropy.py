"""What players add to the chance of a deal: which deal is next, and what was added to which."""

from __future__ import annotations

from mextrain_engine import Phase, State
from mextrain_service.application.model import RoundEntropy

Added = tuple[RoundEntropy, ...]
"""What was added so far: an entry for each round that anyone added to, in order."""


def next_deal(state: State) -> int | None:
    """Return the number of the round that is dealt next; None when the match has no further one."""
    if state.phase is Phase.FINISHED:
        return None
    live = 1 if state.phase is Phase.PLAYING else 0
    number = len(state.results) + live + 1
    return number if number <= state.rules.total_rounds(state.seats) else None


def parts_of(entropy: Added, number: int) -> tuple[bytes, ...]:
    """Return what each seat added to a round, by seat; no entries when nobody added anything."""
    for each in entropy:
        if each.number == number:
            return each.by_seat
    return ()


def entropy_of(entropy: Added, number: int) -> tuple[bytes, ...]:
    """Return what was added to a round, in seat order, without those who added nothing."""
    return tuple(part for part in parts_of(entropy, number) if part)


def has_added(entropy: Added, number: int, seat: int) -> bool:
    """Tell whether a seat has added to a round."""
    return any(part for part in parts_of(entropy, number)[seat : seat + 1])


def added(entropy: Added, number: int, seat: int, part: bytes, seats: int) -> Added:
    """Return what was added so far with one part more.

    Args:
        entropy: what was added so far.
        number: the round, at least the last one of it.
        seat: who adds, 0-based.
        part: what it adds, 1 to 32 bytes.
        seats: how many seats there are.
    """
    earlier = tuple(each for each in entropy if each.number != number)
    by_seat = list(parts_of(entropy, number) or (b"",) * seats)
    by_seat[seat] = part
    whole = (*earlier, RoundEntropy(number, tuple(by_seat)))
    return tuple(sorted(whole, key=lambda each: each.number))
