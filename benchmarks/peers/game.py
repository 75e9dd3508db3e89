"""The one round that all peers play, recorded once: its rules, its deal, its moves."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from mextrain_engine import (
    Move,
    MoveKind,
    Phase,
    RuleSet,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    preset,
)
from mextrain_engine.fairness import permutation, round_seed
from mextrain_engine.moves import MEXICAN
from mextrain_service.application.fair_deal import secret_from_seed

SEATS = 4
SET_SIZE = 91
RULES = {
    "rounds": "single",
    "first_turn_mode": "single_tile",
    "first_turn_trains": "any_available",
    "mexican_train_from": "first_turn",
    "open_double_duty": "none",
}
"""What is changed of ``modern``: one round, no opening trains, doubles bind only who laid them."""


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A round from its deal to its end.

    Attributes:
        seed: what a game at the service is dealt from, to be dealt so.
        order: the permutation of the tiles.
        moves: who made which move, in order.
        legal: every move that was legal before each.
    """

    seed: int
    order: tuple[int, ...]
    moves: tuple[tuple[int, Move], ...]
    legal: tuple[frozenset[Move], ...]

    def for_peers(self) -> dict[str, Any]:
        """Return it as the programs of the peers read it."""
        return {
            "permutation": list(self.order),
            "moves": [{"seat": seat, **peer_move(move)} for seat, move in self.moves],
        }


def recorded_round(seed: int) -> RecordedRound:
    """Play a round at random, the same for the same seed."""
    rng = random.Random(seed)
    order = permutation(round_seed(secret_from_seed(seed), 1), SET_SIZE)
    state: State = deal(new_game(rules(), SEATS), order).state
    moves: list[tuple[int, Move]] = []
    legal: list[frozenset[Move]] = []
    while state.phase is Phase.PLAYING:
        assert state.round is not None
        choices = legal_moves(state)
        legal.append(frozenset(choices))
        moves.append((state.round.turn, rng.choice(choices)))
        state = apply(state, moves[-1][1]).state
    return RecordedRound(seed, order, tuple(moves), tuple(legal))


def rules() -> RuleSet:
    """Return the rules that all peers play by."""
    return preset("modern").override(**RULES)


def peer_move(move: Move) -> dict[str, Any]:
    """Return a move as the peers write it: trains by number, the Mexican Train after the seats."""
    if move.kind is not MoveKind.PLAY:
        return {"kind": move.kind.name.lower()}
    train = SEATS if move.train == MEXICAN else move.train
    return {"kind": "play", "tile": move.tile, "train": train}
