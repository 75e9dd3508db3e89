"""Points of a round, and who stands where after some rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.tiles import Tile


class Result(NamedTuple):
    """How a round came out."""

    hub: int
    starter: int
    blocked: bool
    out: list[int]
    points: list[int]


class Standing(NamedTuple):
    """How a match stands: points and place of each seat, 1 being the best."""

    totals: list[int]
    places: list[int]


def round_points(rules: Rules, hands: Sequence[Sequence[Tile]], out: Sequence[int]) -> list[int]:
    """Return the points of each seat for a round that is over."""
    left = [hand_value(rules, hand) for hand in hands]
    seats = range(rules.seats)
    if rules.scoring == "pips_low_wins":  # TC L47, MG L14; C43: a block gives nobody a zero
        return left
    if out:  # WH L48; D5: several share, floor division
        winners, pot = list(out), sum(left)
    elif rules.block_score == "lowest_shares_pot":  # C45
        winners = [seat for seat in seats if left[seat] == min(left)]
        pot = sum(left[seat] for seat in seats if seat not in winners)
    else:
        winners, pot = [], 0
    return [pot // len(winners) if seat in winners else 0 for seat in seats]


def hand_value(rules: Rules, hand: Sequence[Tile]) -> int:
    """Return the pips of a hand; the double-blank counts what the rules say (TC L47, C47)."""
    return sum(rules.double_blank_value if tile == (0, 0) else tile[0] + tile[1] for tile in hand)


def standing(rules: Rules, results: Sequence[Result]) -> Standing:
    """Return totals and places (TC L49, L50; WH L48: positive points, the most wins)."""
    seats = range(rules.seats)
    totals = [sum(result.points[seat] for result in results) for seat in seats]
    worth = [standing_key(rules, results, seat, totals[seat]) for seat in seats]
    places = [1 + sum(other < worth[seat] for other in worth) for seat in seats]
    return Standing(totals, places)


def standing_key(
    rules: Rules, results: Sequence[Result], seat: int, total: int
) -> tuple[float, ...]:
    """Return what seats are ordered by: the smaller, the better."""
    first = total if rules.scoring == "pips_low_wins" else -total
    if rules.tie_break == "shared":
        return (first,)
    zero_rounds = sum(seat in result.out for result in results)  # C43: only by going out
    others = [result.points[seat] for result in results if result.points[seat] != 0]
    return (first, -zero_rounds, min(others, default=0))  # C46
