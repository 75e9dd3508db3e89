"""A table at which rare situations are to be expected, and the options that such tables share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mextrain_engine import RuleSet, by_players, preset
from tests.properties.play import Taste, indifferent


@dataclass(frozen=True)
class Corner:
    """A table and the situations that some of its games must reach.

    Attributes:
        name: what it is about.
        seats: how many seats.
        expected: names of situations.
        preset: the rules it starts from.
        changes: options that differ from them.
        taste: how moves are chosen.
        rounds: rounds played of each match, at most.
    """

    name: str
    seats: int
    expected: tuple[str, ...]
    preset: str = "modern"
    changes: Mapping[str, Any] = field(default_factory=dict)
    taste: Taste = indifferent
    rounds: int = 1

    @property
    def rules(self) -> RuleSet:
        """Return the rules of the table, for its number of seats only."""
        seats = {"min_players": self.seats, "max_players": self.seats}
        return preset(self.preset).override(**seats, **self.changes)


def small(pips: int, hand: int, **changes: Any) -> dict[str, Any]:
    """Return options for a smaller set with other hands."""
    return {
        "max_pip_by_players": by_players({14: pips}),
        "hand_size_by_players": by_players({14: hand}),
        **changes,
    }


FROM_HANDS = {"hub_source": "from_hands", "round_starter": "hub_holder"}
ANY_HUB = {**FROM_HANDS, "hub_search_target": "any_double", "rounds": "fixed", "round_count": 2}
FIVE = by_players({14: 5})
POSITIVE = {"scoring": "winner_takes_sum", "tie_break": "shared"}
