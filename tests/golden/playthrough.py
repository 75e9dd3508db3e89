"""Print a record step by step with what the table and each seat see.

``python -m tests.golden.playthrough`` (``make golden``) rewrites the kept prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mextrain_engine import (
    Event,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    State,
    View,
    format_move,
    format_tile,
    format_train,
    legal_moves,
    observe,
    parse_record,
    redact,
    replay,
    score,
    spectate,
)

DATA = Path(__file__).parent.parent / "data"
RECORDS = DATA / "records"
PRINTS = DATA / "golden"


def playthrough(text: str) -> str:
    """Return the print of a record."""
    record = parse_record(text)
    lines = [text.splitlines()[0]]
    for number, (entry, step) in enumerate(replay(record), start=1):
        lines += ["", f"== {number}. {_title(entry)}"]
        lines += [f"   {event}" for event in map(_shown, step.events)]
        lines += _table(spectate(step.state))
        for seat in range(record.seats):
            lines += _seat(step.state, seat)
    lines += ["", f"== score {score(step.state)}"]
    return "\n".join(lines) + "\n"


def _title(entry: RecordedDeal | RecordedMove | RecordedSkip) -> str:
    match entry:
        case RecordedDeal(number):
            return f"deal {number}"
        case RecordedMove(seat, move):
            return f"seat {seat}: {format_move(move)}"
        case RecordedSkip(seat):
            return f"seat {seat}: skip"


def _shown(event: Event) -> str:
    """Return an event as a spectator may know it."""
    return repr(redact(event, None))


def _table(view: View) -> Iterator[str]:
    table = view.round
    assert table is not None
    yield (
        f"   round {table.number} of {view.total_rounds}, {view.phase.value}; hub {table.hub}; "
        f"turn {table.turn}{' (first)' if table.first_turn else ''}; "
        f"owed {table.owed.name.lower()}; laid {table.laid}, drawn {table.drawn}; "
        f"hands {table.hand_counts}; boneyard {table.boneyard_count}; "
        f"called {table.called}, due {table.call_due}"
    )
    for train in table.trains:
        signs = "".join(
            sign
            for sign, holds in (
                (" marked", train.marked),
                (" open", train.open_double),
                (" deferred", train.deferred_double),
            )
            if holds
        )
        yield f"   {format_train(train.train)}: {'-'.join(map(str, train.pips))}{signs}"


def _seat(state: State, seat: int) -> Iterator[str]:
    view = observe(state, seat)
    listed = " ".join(map(str, legal_moves(state, seat))) or "nothing"
    yield f"   seat {seat} holds {' '.join(map(format_tile, view.hand)) or 'nothing'}; may {listed}"


def kept() -> list[Path]:
    """Return the records that are kept."""
    return sorted(RECORDS.glob("*.mextrain"))


def print_of(record: Path) -> Path:
    """Return where the print of a record is kept."""
    return PRINTS / f"{record.stem}.txt"


def main() -> None:
    """Rewrite every kept print."""
    PRINTS.mkdir(exist_ok=True)
    for record in kept():
        print_of(record).write_text(playthrough(record.read_text()), encoding="utf-8")


if __name__ == "__main__":
    main()
