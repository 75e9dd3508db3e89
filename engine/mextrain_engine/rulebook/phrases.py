"""The numbers of a table as words: what the ``{names}`` in a sentence are filled with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from mextrain_engine.rulebook.circumstances import boneyard_size
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.tiles import set_size

Phrase = Callable[[RuleSet, int], str]


def _first_hub(rules: RuleSet, seats: int) -> str:
    value = rules.first_hub(seats)
    return f"{value}-{value}"


PHRASES: Mapping[str, Phrase] = MappingProxyType(
    {
        "min_players": lambda rules, _: str(rules.min_players),
        "max_players": lambda rules, _: str(rules.max_players),
        "max_pip": lambda rules, seats: str(rules.max_pip(seats)),
        "set_tiles": lambda rules, seats: str(set_size(rules.max_pip(seats))),
        "hand": lambda rules, seats: str(rules.hand_size(seats)),
        "boneyard": lambda rules, seats: str(boneyard_size(rules, seats)),
        "first_hub": _first_hub,
        "rounds": lambda rules, seats: str(rules.total_rounds(seats)),
        "double_blank": lambda rules, _: str(rules.double_blank_value),
        "blank_end": lambda rules, _: str(rules.blank_end_value),
        "penalty": lambda rules, _: _tiles(rules.last_tile_penalty),
        "multiplier": lambda rules, _: str(rules.go_out_double_multiplier),
        "forgotten": lambda rules, _: _tiles(rules.forgot_marker_penalty),
        "branches": lambda rules, _: str(rules.double_branches),
    }
)
"""Every name that a sentence may use."""


def fill(text: str, rules: RuleSet, seat_counts: Sequence[int]) -> str:
    """Return a sentence with its names filled for the counts of seats given, ascending.

    >>> fill("Tiles for each player: {hand}.", RuleSet(), (4,))
    'Tiles for each player: 15.'
    >>> fill("Tiles for each player: {hand}.", RuleSet(), range(2, 9))
    'Tiles for each player: 15 with 2 to 4 players, 12 with 5 or 6, 10 with 7 or 8.'
    """
    return text.format_map(
        {
            name: _by_seats([(seats, phrase(rules, seats)) for seats in seat_counts])
            for name, phrase in PHRASES.items()
            if f"{{{name}}}" in text
        }
    )


def _by_seats(values: Sequence[tuple[int, str]]) -> str:
    groups = list(_groups(values))
    if len(groups) == 1:
        return groups[0][1]
    (first_range, first_value), *others = groups
    return ", ".join(
        [
            f"{first_value} with {first_range} players",
            *(f"{value} with {seat_range}" for seat_range, value in others),
        ]
    )


def _groups(values: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yield runs of equal values as (``5 or 6``, value)."""
    for value, run in groupby(values, key=lambda pair: pair[1]):
        yield _range([seats for seats, _ in run]), value


def _range(seats: Sequence[int]) -> str:
    match len(seats):
        case 1:
            return str(seats[0])
        case 2:
            return f"{seats[0]} or {seats[1]}"
        case _:
            return f"{seats[0]} to {seats[-1]}"


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"
