"""A whole game as the list of its actions, and how it is played through again.

A record names the rules revision, so that a later rules fix cannot change what a stored game means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mextrain_engine.deal import deal, new_game
from mextrain_engine.errors import DealError, EngineError, IllegalMoveError, RuleSetError
from mextrain_engine.events import DealVoided, Event
from mextrain_engine.fairness import attempts
from mextrain_engine.moves import Move
from mextrain_engine.ruleset import RULES_REVISION, RuleSet
from mextrain_engine.state import State, Step
from mextrain_engine.tiles import TileId, set_size
from mextrain_engine.turn import apply, skip_turn

MAX_VOID_DEALS = 1000
"""Deals of one round until a hand holds the hub. Two hands of 2 tiles out of 190, the worst that
rules allow, need more once in some 10^9 rounds; two hands of 15 out of 91 never do."""


class RecordError(EngineError, ValueError):
    """A record can be read but not replayed.

    Attributes:
        line: the line of the action that fails, 1-based.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordedDeal:
    """A line ``deal``: how a round was dealt, as far as the reader may know.

    Attributes:
        number: the round, 1-based.
        commitment: what was published before the deal; None for a deal made by hand.
        seed: the seed that it commits to; None while the round is live.
        entropy: what players added, in seat order.
        tiles: the permutation of a deal made by hand; None when it follows from the seed.
        hand: the tiles that the reader held after the deal, in a record that is redacted.
    """

    number: int
    commitment: bytes | None = None
    seed: bytes | None = None
    entropy: tuple[bytes, ...] = ()
    tiles: tuple[int, ...] | None = None
    hand: tuple[TileId, ...] | None = None


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A line of a move.

    Attributes:
        seat: who moved, 0-based.
        move: what it did.
        drawn: the tile that came of a draw, in a record that is redacted for its owner.
    """

    seat: int
    move: Move
    drawn: TileId | None = None


@dataclass(frozen=True, slots=True)
class RecordedSkip:
    """A line ``skip``: the host ended a seat's turn in its place.

    Attributes:
        seat: whose turn it was, 0-based.
        drawn: the tile that it drew, in a record that is redacted for its owner.
    """

    seat: int
    drawn: TileId | None = None


Entry = RecordedDeal | RecordedMove | RecordedSkip
"""One action of a record."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its first deal on.

    Attributes:
        rules: the rule set.
        seats: how many seats, 2 to 14.
        entries: the actions, in order.
        revision: the revision of the rules that it was played under.
    """

    rules: RuleSet
    seats: int
    entries: tuple[Entry, ...]
    revision: int = RULES_REVISION


class Replayed(NamedTuple):
    """One action of a record and what it led to."""

    entry: Entry
    step: Step


def replay(record: Record) -> Iterator[Replayed]:
    """Play a record through, yielding each action with the step it leads to.

    >>> hand_made = RecordedDeal(1, tiles=tuple(range(91)))
    >>> [replayed.step.state.round.hub for replayed in replay(Record(RuleSet(), 2, (hand_made,)))]
    [12]

    Raises:
        RecordError: an action cannot be carried out, or the record is redacted.
    """
    if record.revision != RULES_REVISION:
        message = f"rules revision {record.revision} is not that of this engine, {RULES_REVISION}"
        raise RecordError(1, message)
    try:
        state = new_game(record.rules, record.seats)
    except RuleSetError as error:
        raise RecordError(1, str(error)) from None
    for line, entry in enumerate(record.entries, start=2):
        step = _replay_entry(state, entry, line)
        yield Replayed(entry, step)
        state = step.state


def deal_from_seed(state: State, seed: bytes, entropy: Iterable[bytes] = ()) -> Step:
    """Deal the next round from its seed, again as often as the rules void the deal.

    Args:
        state: a match that awaits a deal.
        seed: the round's seed, 32 bytes.
        entropy: what players added, in seat order.

    Raises:
        DealError: a round is live, the match is over, or no deal ever held a hub.
    """
    size = set_size(state.rules.max_pip(state.seats))
    events: list[Event] = []
    for void, order in enumerate(attempts(seed, size, tuple(entropy))):
        step = deal(state, order)
        events.extend(step.events)
        if not isinstance(step.events[-1], DealVoided):
            return Step(step.state, tuple(events))
        if void >= MAX_VOID_DEALS:
            break
    raise DealError("HUB_NEVER_DEALT", f"no hand held a hub in {MAX_VOID_DEALS} deals")


def _replay_skip(state: State, entry: RecordedSkip, line: int) -> Step:
    if state.round is not None and state.round.turn != entry.seat:
        raise RecordError(
            line, f"seat {entry.seat} is skipped, but seat {state.round.turn} is to move"
        )
    return skip_turn(state)


def _replay_entry(state: State, entry: Entry, line: int) -> Step:
    try:
        match entry:
            case RecordedMove(seat, move):
                return apply(state, move, seat)
            case RecordedSkip():
                return _replay_skip(state, entry, line)
            case RecordedDeal(tiles=tiles) if tiles is not None:
                return deal(state, tiles)
            case RecordedDeal(seed=seed, entropy=entropy) if seed is not None:
                return deal_from_seed(state, seed, entropy)
            case _:
                raise RecordError(line, "the deal is hidden: this record is of a live round")
    except (DealError, IllegalMoveError) as error:
        raise RecordError(line, str(error)) from None
