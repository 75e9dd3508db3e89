"""A way to reach the engine, as the scenario tables need it: in process, over gRPC, over REST.

To add one: write a class with these methods and put it into ``DRIVERS`` of ``test_scenarios``. No
request can name a deal, so a driver behind a server seeds the store instead: ``start`` makes the
game by ``CreateGame``; ``deal`` loads it through a ``GameStore`` on the same Redis, applies
``mextrain_engine.deal`` with the permutation to its state, and commits that with one ``Dealt``
entry. Everything after it (``PlayMove``, ``ListLegalMoves``, ``GetGame``, ``GetScore``) is then the
service's own. Such a game does not replay from its log, whose deals come from its secret; so
repeated requests are no matter for these tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mextrain_engine import RuleSet
from tests.scenarios.case import Refused


@dataclass(frozen=True, slots=True)
class Seen:
    """The table as its viewers see it; the fields are those of ``Expectation``."""

    phase: str
    round: int
    hub: int
    starter: int
    turn: int
    first_turn: bool
    hands: Mapping[int, tuple[str, ...]]
    counts: tuple[int, ...]
    boneyard: int
    trains: Mapping[str, tuple[int, ...]]
    markers: tuple[int, ...]
    open_doubles: tuple[str, ...]
    deferred: tuple[str, ...]
    owed: str
    called: tuple[int, ...]
    call_due: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet; the fields are those of ``Expectation``."""

    end: str
    out: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    zero_rounds: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]


class Driver(Protocol):
    """One game, from its rule set to its score."""

    def problems(self, rules: RuleSet, seats: int) -> tuple[str, ...]:
        """Return the codes of what is wrong with a rule set; empty when it can be played."""
        ...

    def start(self, rules: RuleSet, seats: int) -> None:
        """Make a game and forget the one before."""
        ...

    def deal(self, permutation: Sequence[int]) -> tuple[str, ...]:
        """Deal the next round; return what happened."""
        ...

    def play(self, moves: Sequence[str], seat: int) -> tuple[str, ...] | Refused:
        """Make moves at once, all or none; return what happened, or why not."""
        ...

    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the moves that a seat may make, in the order in which they are listed."""
        ...

    def view(self) -> Seen:
        """Return the table, each hand as its own seat sees it."""
        ...

    def sheet(self) -> Sheet:
        """Return the score sheet; there is at least one round that is over."""
        ...
