"""Make the record of one round for each preset that has none: ``python -m tests.golden.records``.

A record is kept for ever and replayed by every later version; an existing one is never rewritten.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from mextrain_engine import (
    PRESETS,
    Phase,
    Record,
    RecordedDeal,
    RecordedMove,
    RuleSet,
    apply,
    commitment,
    deal_from_seed,
    format_record,
    legal_moves,
    new_game,
    round_seed,
)

FOLDER = Path(__file__).parent.parent / "data" / "records"
SEATS = 3


def one_round(rules: RuleSet, name: str) -> Record:
    """Return a round of random moves, in which every other last tile is announced."""
    rng = random.Random(name)
    seed = round_seed(hashlib.sha256(name.encode()).digest(), 1)
    state = deal_from_seed(new_game(rules, SEATS), seed).state
    entries: list[RecordedDeal | RecordedMove] = [RecordedDeal(1, commitment(seed), seed)]
    while state.phase is Phase.PLAYING:
        round_ = state.round
        assert round_ is not None
        seat = round_.turn
        if round_.uncalled >= 0 and rng.random() < 0.5:
            seat = round_.uncalled
        move = rng.choice(legal_moves(state, seat))
        entries.append(RecordedMove(seat, move))
        state = apply(state, move, seat).state
    return Record(rules, SEATS, tuple(entries))


def main() -> None:
    """Write the records that are missing."""
    FOLDER.mkdir(exist_ok=True)
    for name, rules in PRESETS.items():
        path = FOLDER / f"{name}.mextrain"
        if not path.exists():
            path.write_text(format_record(one_round(rules, name)), encoding="utf-8")


if __name__ == "__main__":
    main()
