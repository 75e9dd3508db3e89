"""The driver that calls the engine in this process.

Uses its public functions only; sees of a hand what ``observe`` shows its seat, and of the events
what the seat that moves may know (of a deal: what everyone may).
"""

from __future__ import annotations

from collections.abc import Sequence

from mextrain_engine import (
    IllegalMoveError,
    Phase,
    RuleSet,
    State,
    apply_all,
    check_seats,
    deal,
    explain,
    format_tile,
    format_train,
    integrity,
    legal_moves,
    new_game,
    observe,
    outcome,
    parse_move,
    redact,
    score,
    tiles_in,
)
from tests.scenarios.case import Refused
from tests.scenarios.driver import Seen, Sheet
from tests.scenarios.notation import line


class EngineDriver:
    """A game held as a value."""

    def __init__(self) -> None:
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The state of the game that was started."""
        assert self._state is not None, "no game was started"
        return self._state

    def problems(self, rules: RuleSet, seats: int) -> tuple[str, ...]:
        """Return the codes of what is wrong with a rule set."""
        return tuple(problem.code for problem in check_seats(rules, seats))

    def start(self, rules: RuleSet, seats: int) -> None:
        """Make a game."""
        self._state = new_game(rules, seats)

    def deal(self, permutation: Sequence[int]) -> tuple[str, ...]:
        """Deal the next round."""
        self._state, events = deal(self.state, permutation)
        if self.state.phase is not Phase.AWAITING_DEAL:
            self._require_sound()
        return tuple(line(redact(event, None)) for event in events)

    def play(self, moves: Sequence[str], seat: int) -> tuple[str, ...] | Refused:
        """Make moves at once, all or none."""
        parsed = [parse_move(move) for move in moves]
        explained = explain(self.state, parsed[0], seat)
        try:
            self._state, events = apply_all(self.state, parsed, seat)
        except IllegalMoveError as error:
            refusal = error.refusal if error.index else explained
            return Refused("" if refusal is None else refusal.reason.value, error.refusal.facts)
        self._require_sound()
        return tuple(line(redact(event, seat)) for event in events)

    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the moves that a seat may make."""
        return tuple(str(move) for move in legal_moves(self.state, seat))

    def view(self) -> Seen:
        """Return the table, each hand as its own seat sees it."""
        views = [observe(self.state, seat) for seat in range(self.state.seats)]
        table = views[0].round
        assert table is not None, "nothing was dealt"
        return Seen(
            phase=views[0].phase.value,
            round=table.number,
            hub=table.hub,
            starter=table.starter,
            turn=-1 if table.turn is None else table.turn,
            first_turn=table.first_turn,
            hands={seat: tuple(map(format_tile, view.hand)) for seat, view in enumerate(views)},
            counts=table.hand_counts,
            boneyard=table.boneyard_count,
            trains={format_train(train.train): train.pips for train in table.trains},
            markers=tuple(train.train for train in table.trains if train.marked),
            open_doubles=tuple(format_train(train) for train in table.open_doubles),
            deferred=tuple(
                format_train(train.train) for train in table.trains if train.deferred_double
            ),
            owed=table.owed.name.lower(),
            called=table.called,
            call_due=-1 if table.call_due is None else table.call_due,
        )

    def sheet(self) -> Sheet:
        """Return the score sheet."""
        sheet, won = score(self.state), outcome(self.state)
        last = sheet.rounds[-1]
        assert (won is None) == (self.state.phase is not Phase.FINISHED)
        return Sheet(
            end=last.end.value,
            out=tuple(tiles_in(last.out)),
            points=last.points,
            totals=sheet.totals,
            zero_rounds=sheet.zero_rounds,
            places=sheet.places,
            winners=() if won is None else won.winners,
        )

    def _require_sound(self) -> None:
        assert not integrity(self.state), integrity(self.state)
