"""What a viewer may know, as a type: built from an allow-list, never copied and blanked.

There is no field for another seat's hand or for the boneyard's order, so they cannot be shown.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mextrain_engine.moves import MEXICAN
from mextrain_engine.state import Owed, Phase, Round, RoundResult, State
from mextrain_engine.tiles import TileId, TileMask, tiles_in


class TrainView(NamedTuple):
    """One train on the table.

    Attributes:
        train: the seat that owns it, or ``MEXICAN``.
        pips: the chain: ``(12, 5, 5, 0)`` is 12-5, 5-5, 5-0; the first is the hub's value, so a
            train that is not started has one entry.
        marked: it carries a marker; always false for the Mexican Train.
        open_double: it ends in a double that is to be covered.
        deferred_double: it ends in a double that opens when all first turns are over.
    """

    train: int
    pips: tuple[int, ...]
    marked: bool
    open_double: bool
    deferred_double: bool


class RoundView(NamedTuple):
    """A round as everyone at the table sees it.

    Attributes:
        number: 1-based.
        hub: pip value of the hub.
        starter: the seat that took the first turn.
        turn: the seat to move; None when the round is over.
        first_turn: the seat to move is on its first turn.
        drawn: tiles that the seat to move has drawn for its present obligation; in this turn,
            where the rules grant one draw a turn.
        laid: tiles that it has laid in this turn.
        owed: what a double of this turn still asks for.
        hand_counts: tiles in each hand, by seat.
        boneyard_count: tiles face down.
        trains: by seat, then the Mexican Train.
        open_doubles: trains whose end is to be covered, in order of laying.
        called: seats that announced their last tile, ascending.
        call_due: the seat that has yet to announce it; None for nobody.
        shown_hands: every hand when the round is over; None while it is live.
    """

    number: int
    hub: int
    starter: int
    turn: int | None
    first_turn: bool
    drawn: int
    laid: int
    owed: Owed
    hand_counts: tuple[int, ...]
    boneyard_count: int
    trains: tuple[TrainView, ...]
    open_doubles: tuple[int, ...]
    called: tuple[int, ...]
    call_due: int | None
    shown_hands: tuple[tuple[TileId, ...], ...] | None


class View(NamedTuple):
    """All that one viewer may know.

    Attributes:
        seats: how many seats there are.
        phase: whether a deal is due, a round is live, or all is over.
        total_rounds: rounds of the match.
        results: the rounds that are over.
        round: the live round or the last one; None before the first deal.
        seat: the viewer's seat; None for a spectator.
        hand: the viewer's tiles, ascending; empty for a spectator.
    """

    seats: int
    phase: Phase
    total_rounds: int
    results: tuple[RoundResult, ...]
    round: RoundView | None
    seat: int | None
    hand: tuple[TileId, ...]


def observe(state: State, seat: int) -> View:
    """Return what a seat may know.

    >>> from mextrain_engine import RuleSet, deal, new_game
    >>> step = deal(new_game(RuleSet(), seats=4), range(91))
    >>> view = observe(step.state, seat=0)
    >>> len(view.hand), view.round.hand_counts, view.round.boneyard_count
    (15, (15, 15, 15, 15), 30)

    Args:
        seat: the viewer, 0-based.

    Raises:
        IndexError: there is no such seat.
    """
    if not 0 <= seat < state.seats:
        raise IndexError(seat)
    # Rule setup.face-down
    hand = () if state.round is None else _tiles(state.round.hands[seat])
    return _view(state, seat, hand)


def spectate(state: State) -> View:
    """Return what anyone may know: the table without a hand.

    >>> from mextrain_engine import RuleSet, deal, new_game
    >>> spectate(deal(new_game(RuleSet(), seats=2), range(91)).state).hand
    ()
    """
    return _view(state, None, ())


def _view(state: State, seat: int | None, hand: tuple[TileId, ...]) -> View:
    return View(
        seats=state.seats,
        phase=state.phase,
        total_rounds=state.rules.total_rounds(state.seats),
        results=state.results,
        round=None if state.round is None else _round_view(state.round, state),
        seat=seat,
        hand=hand,
    )


def _round_view(round_: Round, state: State) -> RoundView:
    live = state.phase is Phase.PLAYING
    hands = None if live else tuple(map(_tiles, round_.hands))
    return RoundView(
        number=round_.number,
        hub=round_.hub,
        starter=round_.starter,
        turn=round_.turn if live else None,
        first_turn=live and not round_.begun >> round_.turn & 1,
        drawn=round_.drawn,
        laid=round_.laid,
        owed=round_.owed,
        # Rule last.off
        hand_counts=tuple([hand.bit_count() for hand in round_.hands]),
        boneyard_count=len(round_.boneyard),
        trains=_trains(round_, state.seats),
        open_doubles=round_.open_doubles,
        called=_tiles(round_.called),
        call_due=round_.uncalled if live and round_.uncalled >= 0 else None,
        shown_hands=hands,
    )


def _trains(round_: Round, seats: int) -> tuple[TrainView, ...]:
    """Return the view of each train: those of the seats, then the Mexican Train."""
    markers, doubles, deferred = round_.markers, round_.open_doubles, round_.deferred
    return tuple(
        [
            _train_view(
                train,
                round_.trains[train],
                train != MEXICAN and bool(markers >> train & 1),
                train in doubles,
                train in deferred,
            )
            for train in (*range(seats), MEXICAN)
        ]
    )


@lru_cache(maxsize=4096)
def _train_view(
    train: int, pips: bytes, marked: bool, open_double: bool, deferred_double: bool
) -> TrainView:
    """Return the view of a train; most trains are the same from one view to the next."""
    return TrainView(train, tuple(pips), marked, open_double, deferred_double)


@lru_cache(maxsize=4096)
def _tiles(mask: TileMask) -> tuple[TileId, ...]:
    return tuple(tiles_in(mask))
