"""Positions for tests, written the way a person would describe a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from mextrain_engine import (
    MEXICAN,
    Move,
    Owed,
    Phase,
    Round,
    RuleSet,
    State,
    Step,
    apply,
    legal_moves,
    mask_of,
    parse_move,
    parse_tile,
    tile,
)
from mextrain_engine.state import NOT_BARRED
from mextrain_engine.tiles import double, full_set, tiles_in

BEGUN = -1
"""All seats have had their first turn."""


def table(  # noqa: PLR0913 - a position has many parts
    rules: RuleSet,
    hands: Sequence[str],
    *,
    hub: int = 12,
    trains: Mapping[int, Sequence[int]] | None = None,
    boneyard: str | None = "",
    marked: Sequence[int] = (),
    open_doubles: Sequence[int] = (),
    deferred: Sequence[int] = (),
    begun: int = BEGUN,
    turn: int = 0,
    **fields: object,
) -> State:
    """Return a live round.

    Args:
        rules: the rule set.
        hands: the tiles of each seat, as ``"12-5 3-3"``.
        hub: pip value of the hub.
        trains: the chains that are started, hub first, by seat or ``MEXICAN``.
        boneyard: tiles in the order of drawing; None is all that lie nowhere else, ascending.
        marked: seats with a marker.
        open_doubles: trains with an open double, in order of laying.
        deferred: trains with a double that opens after the first lap.
        begun: seats whose first turn is over, as a bit mask.
        turn: the seat to move.
        fields: other fields of the round.
    """
    seats = len(hands)
    everyone = (1 << seats) - 1
    chains = [bytes((trains or {}).get(t, (hub,))) for t in (*range(seats), MEXICAN)]
    laid = mask_of([double(hub), *(tile(a, b) for chain in chains for a, b in pairwise(chain))])
    masks = tuple(mask_of(parse_tile(text) for text in hand.split()) for hand in hands)
    whole = full_set(rules.max_pip(seats))
    if boneyard is None:
        stock = bytes(tiles_in(whole & ~laid & ~sum(masks)))
    else:
        stock = bytes(parse_tile(text) for text in boneyard.split())
    closes = rules.own_train_after_failed_duty.value == "closed_until_covered"
    values: dict[str, object] = {
        "number": 1,
        "hub": hub,
        "starter": 0,
        "hands": masks,
        "boneyard": stock,
        "trains": tuple(chains),
        "markers": sum(1 << seat for seat in marked),
        "open_doubles": tuple(open_doubles),
        "deferred": tuple(deferred),
        "begun": begun & everyone,
        "out": sum(1 << seat for seat, mask in enumerate(masks) if not mask),
        "turn": turn,
        "laid": 0,
        "doubles": 0,
        "drawn": 0,
        "owed": Owed.NOTHING,
        "owed_train": -1,
        "called": 0,
        "uncalled": -1,
        "barred": (NOT_BARRED,) * seats if closes else (),
        "seen": whole & ~sum(masks) & ~mask_of(stock),
    }
    return State(rules, seats, Phase.PLAYING, (), Round(**{**values, **fields}))  # type: ignore[arg-type]


def moves(state: State, seat: int | None = None) -> list[str]:
    """Return the legal moves in notation."""
    return [str(move) for move in legal_moves(state, seat)]


def do(state: State, *notation: str) -> Step:
    """Make moves, each by the seat to move; a seat may be put before one, as ``"1 call"``."""
    events: list[object] = []
    for text in notation:
        seat, _, move = text.rpartition(" ")
        state, new = apply(state, parse(move), int(seat) if seat else None)
        events.extend(new)
    return Step(state, tuple(events))  # type: ignore[arg-type]


def parse(text: str) -> Move:
    """Return the move of a notation."""
    return parse_move(text)


def live(state: State) -> Round:
    """Return the round of a state that has one."""
    assert state.round is not None
    return state.round
