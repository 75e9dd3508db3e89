"""A match: deals, moves and results, one after another.

The front of the reference: tests talk to this and to the pictures it gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.reference import dealing, moving, scoring, turns
from tests.reference.rules import Rules
from tests.reference.table import Happening, Table


@dataclass
class Game:
    """A match that changes as it is played.

    Attributes:
        rules: the rules of the table.
        results: the rounds that are over.
        table: the live round or the last one; None before the first deal.
    """

    rules: Rules
    results: list[scoring.Result] = field(default_factory=list)
    table: Table | None = None

    @property
    def phase(self) -> str:
        """Return ``awaiting_deal``, ``playing`` or ``finished``."""
        if self.table is not None and self.table.live:
            return "playing"
        over = len(self.results) == self.rules.total_rounds
        return "finished" if over else "awaiting_deal"

    @property
    def live_table(self) -> Table:
        """Return the table of the live round."""
        assert self.table is not None
        return self.table

    def copy(self) -> Game:
        """Return a match that can be played on without changing this one."""
        return Game(self.rules, list(self.results), self.table and self.table.copy())

    def deal(self, permutation: Sequence[int]) -> list[Happening]:
        """Deal the next round and return what happened."""
        assert self.phase == "awaiting_deal"
        past = dealing.Past(
            hubs=[result.hub for result in self.results],
            starters=[result.starter for result in self.results],
        )
        dealt = dealing.deal(self.rules, past, permutation)
        if dealt.table is not None:
            self.table = dealt.table
        return dealt.happenings

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Return the moves of a seat (that to move, if not given) in notation."""
        if self.phase != "playing":
            return []
        table = self.live_table
        return moving.legal_moves(self.rules, table, table.turn if seat is None else seat)

    def make(self, move: str, seat: int | None = None) -> list[Happening]:
        """Make a legal move and return what happened, the end of the round included."""
        assert move in self.legal_moves(seat), move
        table = self.live_table
        happened = turns.make(self.rules, table, table.turn if seat is None else seat, move)
        if not table.live:
            happened += self.finish_round(table)
        return happened

    def finish_round(self, table: Table) -> list[Happening]:
        """Score a round that is over, and the match after its last round."""
        points = scoring.round_points(self.rules, table.hands, table.out)
        out = sorted(table.out)
        self.results.append(scoring.Result(table.hub, table.starter, not out, out, points))
        end = "went_out" if out else "blocked"
        happened: list[Happening] = [("RoundEnded", table.number, end, out, points)]
        if self.phase == "finished":
            totals, places = self.standing()
            happened.append(("GameEnded", self.winners(), totals, places))
        return happened

    def standing(self) -> scoring.Standing:
        """Return totals and places after the rounds that are over."""
        return scoring.standing(self.rules, self.results)

    def winners(self) -> list[int]:
        """Return the seats on the first place of a finished match."""
        places = self.standing().places
        return [seat for seat in range(self.rules.seats) if places[seat] == 1]
