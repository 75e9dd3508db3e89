"""Makes the permutation of the whole set that leads to an exact deal."""

from __future__ import annotations

from mextrain_engine import RuleSet, double, parse_tile, set_size
from mextrain_engine.options import HubSource
from tests.scenarios.case import Deal


def permutation(rules: RuleSet, seats: int, deal: Deal, round_number: int) -> tuple[int, ...]:
    """Return every tile of the set once, in the order that deals the hands and boneyard wanted.

    What the deal leaves open is filled with the other tiles in ascending order.

    Raises:
        ValueError: a tile is dealt twice, a hand is too long, or a tile is not in the set.
    """
    every = range(set_size(rules.max_pip(seats)))
    hub = _set_aside(rules, seats, deal, round_number)
    hands = [[parse_tile(tile) for tile in hand] for hand in deal.hands]
    boneyard = [parse_tile(tile) for tile in deal.boneyard]
    named = [*(tile for hand in hands for tile in hand), *boneyard, *hub]
    if len(set(named)) != len(named) or not set(named) <= set(every):
        message = f"dealt twice or not in the set: {sorted(map(str, named))}"
        raise ValueError(message)
    rest = [tile for tile in every if tile not in set(named)]
    size = rules.hand_size(seats)
    order: list[int] = []
    for hand in hands:
        if len(hand) > size:
            message = f"a hand of {len(hand)} where {size} are dealt"
            raise ValueError(message)
        missing = size - len(hand)
        order += [*hand, *rest[:missing]]
        rest = rest[missing:]
    return (*order, *boneyard, *rest, *hub)


def _set_aside(rules: RuleSet, seats: int, deal: Deal, round_number: int) -> list[int]:
    if rules.hub_source is not HubSource.SET_ASIDE:
        return []
    value = rules.first_hub(seats) - (round_number - 1) if deal.hub is None else deal.hub
    return [double(value)]
