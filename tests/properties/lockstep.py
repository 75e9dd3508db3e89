"""The engine and the reference playing the same match, compared at every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import mextrain_engine as engine
from mextrain_engine import Event, RuleSet, State
from tests.properties.pictures import (
    engine_events,
    engine_picture,
    options_of,
    reference_picture,
)
from tests.properties.situations import Moment, situations
from tests.reference.game import Game
from tests.reference.rules import rules_for
from tests.reference.table import MEXICAN, Happening, Table, Train
from tests.reference.tiles import all_tiles, tile_text


class Lockstep:
    """A match played by both at once.

    Attributes:
        rules: the rule set.
        state: where the engine stands.
        game: where the reference stands.
        log: deals and moves so far, as one could paste them into a test.
        happened: all that the last deal or move did.
        seen: rare situations met so far, each with how often.
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        """Begin a match before its first deal."""
        self.rules = rules
        self.state: State = engine.new_game(rules, seats)
        self.game = Game(rules_for(options_of(rules), seats))
        self.log: list[str] = []
        self.happened: list[Happening] = []
        self.seen: Counter[str] = Counter()
        self._passes_in_a_row = 0

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return self.state.seats

    @property
    def table(self) -> Table:
        """Return the reference's table."""
        assert self.game.table is not None
        return self.game.table

    @property
    def is_live(self) -> bool:
        """Tell whether a round is going on."""
        return self.game.phase == "playing"

    def deal(self, permutation: Sequence[int]) -> tuple[Event, ...]:
        """Deal the next round to both, compare, and return the engine's events."""
        self.log.append(f"deal {list(permutation)}")
        step = engine.deal(self.state, permutation)
        self.happened = self.game.deal(permutation)
        self.seen.update(situations(Moment(self.game, None, "deal", self.happened)))
        return self._arrive(step)

    def make(self, move: str, seat: int | None = None) -> tuple[Event, ...]:
        """Make a move on both sides, compare, and return the engine's events."""
        mover = self.table.turn if seat is None else seat
        self.log.append(f"{mover}: {move}")
        try:
            step = engine.apply(self.state, engine.parse_move(move), mover)
        except engine.IllegalMoveError as error:
            raise AssertionError(self._report("a legal move is refused", move, error)) from error
        before = self.table.copy()
        self.happened = self.game.make(move, mover)
        self.seen.update(situations(Moment(self.game, before, move, self.happened)))
        if move != "call":
            self._passes_in_a_row = self._passes_in_a_row + 1 if move == "pass" else 0
        return self._arrive(step)

    def check_state(self) -> None:
        """Compare legal moves and refusals here, and check what holds of every state."""
        self._same("integrity", engine.Integrity(0), engine.integrity(self.state))
        for seat in range(self.seats):
            expected = sorted(self.game.legal_moves(seat))
            self._check_moves(seat, expected)
        if self.is_live:
            expected = self.game.legal_moves()
            self._same("the seat to move has a move", True, bool(expected))
            self._same(
                "legal moves of the seat to move",
                engine.legal_moves(self.state),
                engine.legal_moves(self.state, self.table.turn),
            )
            self._check_refusals(self.table.turn, expected)
        self._check_bound()
        self._check_score()

    def _arrive(self, step: engine.Step) -> tuple[Event, ...]:
        self.state = step.state
        expected, found = reference_picture(self.game), engine_picture(step.state)
        for name in expected | found:
            self._same(name, expected.get(name), found.get(name))
        self._same(
            "events",
            sorted(self.happened, key=repr),
            sorted(engine_events(step.events), key=repr),
        )
        return step.events

    def _check_moves(self, seat: int, expected: list[str]) -> None:
        listed = engine.legal_moves(self.state, seat)
        self._same(f"moves of seat {seat} are sorted", sorted(set(listed)), listed)
        self._same(f"moves of seat {seat}", expected, sorted(str(move) for move in listed))
        for word in ("draw", "pass", "call"):
            self._check_explained(seat, word, word in expected)

    def _check_refusals(self, mover: int, legal: list[str]) -> None:
        """Ask about every play of the hand, tiles that are elsewhere, and other seats' plays."""
        trains: list[Train] = [*range(self.seats), MEXICAN]
        for tile in self.table.hands[mover]:
            for train in trains:
                move = f"{tile_text(tile)}@{train}"
                self._check_explained(mover, move, move in legal)
        elsewhere = [t for t in all_tiles(self.game.rules.max_pip) if t not in self.table.hand()]
        turn_count = len(self.log)
        for pick in range(3):
            tile = elsewhere[(turn_count * 7 + pick * 31) % len(elsewhere)]
            train = trains[(turn_count + pick) % len(trains)]
            self._check_explained(mover, f"{tile_text(tile)}@{train}", False)
        other = (mover + 1 + turn_count % (self.seats - 1)) % self.seats
        for tile in self.table.hands[other][:2]:
            self._check_explained(other, f"{tile_text(tile)}@{other}", False)

    def _check_explained(self, seat: int, move: str, is_legal: bool) -> None:
        refusal = engine.explain(self.state, engine.parse_move(move), seat)
        if (refusal is None) != is_legal:
            self._same(f"explain {move} of seat {seat}", is_legal, refusal)
        if refusal is not None:
            assert refusal.message

    def _check_bound(self) -> None:
        """C42, C44: the game ends. Two laps of nothing but passes are one too many."""
        self._same("passes end", True, self._passes_in_a_row <= 2 * self.seats)

    def _check_score(self) -> None:
        sheet = engine.score(self.state)
        totals, places = self.game.standing()
        self._same("totals", totals, list(sheet.totals))
        self._same("places", places, list(sheet.places))
        over = self.game.phase == "finished"
        outcome = engine.outcome(self.state)
        winners = None if outcome is None else list(outcome.winners)
        self._same("winners", self.game.winners() if over else None, winners)

    def _same(self, what: str, expected: Any, found: Any) -> None:
        assert expected == found, self._report(what, expected, found)

    def _report(self, what: str, expected: object, found: object) -> str:
        changed = {
            name: value
            for name, value in options_of(self.rules).items()
            if value != options_of(RuleSet())[name]
        }
        return "\n".join(
            [
                f"engine and reference differ: {what}",
                f"  reference: {expected}",
                f"  engine:    {found}",
                f"  happened:  {self.happened}",
                f"  table:     {self.game.table}",
                f"  rules:     {changed}, {self.seats} seats",
                "  so far:",
                *(f"    {entry}" for entry in self.log),
            ]
        )
