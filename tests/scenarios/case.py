"""What a case of a scenario table is, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mextrain_engine import RuleSet


@dataclass(frozen=True, slots=True)
class Deal:
    """An exact deal.

    Attributes:
        hands: tiles of each seat in notation; a hand that is short is filled up from the rest.
        boneyard: the tiles drawn first, in order; the rest follows.
        hub: value of a hub that is set aside; None is the one that descends to this round.
    """

    hands: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    hub: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal that is expected, or that came.

    Attributes:
        reason: the machine reason.
        facts: its facts; an expectation may name some of them.
    """

    reason: str
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be seen; None is not looked at.

    Attributes:
        phase: ``awaiting_deal``, ``playing`` or ``finished``.
        round: number of the round, 1-based.
        hub: value of the hub.
        starter: the seat that took the first turn.
        turn: the seat to move; -1 for nobody.
        first_turn: the seat to move is on its first turn.
        legal: all moves of the seat to move, in notation.
        hands: tiles of the seats named.
        counts: tiles in each hand.
        boneyard: tiles face down.
        trains: pips of the trains named.
        markers: seats whose train is marked.
        open_doubles: trains whose double waits to be covered, in order of laying.
        deferred: trains whose double waits for the end of the first turns.
        owed: what a double of this turn asks for.
        called: seats that announced a last tile.
        call_due: the seat that has yet to; -1 for nobody.
        end: how the last round ended: ``went_out`` or ``blocked``.
        out: seats that went out in it.
        points: points of it, by seat.
        totals: points of the match so far, by seat.
        zero_rounds: rounds in which a seat went out, by seat.
        places: places so far, by seat.
        winners: the seats that won; empty while the match goes on.
        events: exactly what happened in this step.
        happened: some of what happened in this step, in order.
        absent: beginnings of events that did not happen in this step.
    """

    phase: str | None = None
    round: int | None = None
    hub: int | None = None
    starter: int | None = None
    turn: int | None = None
    first_turn: bool | None = None
    legal: tuple[str, ...] | None = None
    hands: Mapping[int, tuple[str, ...]] | None = None
    counts: tuple[int, ...] | None = None
    boneyard: int | None = None
    trains: Mapping[str, tuple[int, ...]] | None = None
    markers: tuple[int, ...] | None = None
    open_doubles: tuple[str, ...] | None = None
    deferred: tuple[str, ...] | None = None
    owed: str | None = None
    called: tuple[int, ...] | None = None
    call_due: int | None = None
    end: str | None = None
    out: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None
    totals: tuple[int, ...] | None = None
    zero_rounds: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    events: tuple[str, ...] | None = None
    happened: tuple[str, ...] | None = None
    absent: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done in a case.

    Attributes:
        moves: moves in notation, made one after the other.
        seat: who makes them; None is the seat to move.
        together: the moves are given at once, all or nothing.
        refused: the last move is expected to be refused, and nothing to change.
        deal: deal the next round instead of moving.
        expect: what must be seen afterwards.
    """

    moves: tuple[str, ...] = ()
    seat: int | None = None
    together: bool = False
    refused: Refused | None = None
    deal: Deal | None = None
    expect: Expectation | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One case: a table, a deal, what is done and what must be seen.

    Attributes:
        cluster: the file that it is in.
        name: a sentence.
        rule_ids: the rules of the rulebook that it shows.
        rules: the rule set.
        seats: how many play.
        deal: the first deal.
        dealt: what must be seen after it.
        steps: what is done.
        problems: codes of what is wrong with the rule set; such a case has no deal.
    """

    cluster: str
    name: str
    rule_ids: tuple[str, ...]
    rules: RuleSet
    seats: int
    deal: Deal
    dealt: Expectation
    steps: tuple[Step, ...]
    problems: tuple[str, ...]
