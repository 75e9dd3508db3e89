"""A record as one viewer may have it: the live round without its deal, with the viewer's own tiles.

Rounds that are over are shown whole, since their seed is revealed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from mextrain_engine.events import TileDrawn
from mextrain_engine.record import (
    Entry,
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    Replayed,
    replay,
)
from mextrain_engine.state import Phase
from mextrain_engine.tiles import TileId, tiles_in


def redact_record(record: Record, seat: int | None) -> Record:
    """Return what a viewer may know of a game's record.

    >>> from mextrain_engine import RuleSet
    >>> record = Record(RuleSet(), 2, (RecordedDeal(1, commitment=b"c", seed=bytes(32)),))
    >>> hidden = redact_record(record, seat=None).entries[0]
    >>> hidden.commitment, hidden.seed, hidden.hand
    (b'c', None, None)

    Args:
        record: the whole record; its seeds are all there.
        seat: the viewer's seat; None for a spectator.

    Raises:
        RecordError: the record cannot be replayed.
    """
    steps = redacting(record, seat)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            redacted: Record = end.value
            return redacted


def redacting(record: Record, seat: int | None) -> Generator[None, None, Record]:
    """Redact a record as ``redact_record`` does, step by step; yield after each of its actions.

    Args:
        record: the whole record; its seeds are all there.
        seat: the viewer's seat; None for a spectator.

    Returns:
        What the viewer may know.

    Raises:
        RecordError: the record cannot be replayed.
    """
    played = []
    for each in replay(record):
        played.append(each)
        yield
    if not played or played[-1].step.state.phase is not Phase.PLAYING:
        return record
    live = max(at for at, one in enumerate(played) if isinstance(one.entry, RecordedDeal))
    entries = [one.entry if at < live else _hide(one, seat) for at, one in enumerate(played)]
    return replace(record, entries=tuple(entries))


def _hide(played: Replayed, seat: int | None) -> Entry:
    if isinstance(played.entry, RecordedMove | RecordedSkip):
        return replace(played.entry, drawn=_own_draw(played, seat))
    hand = None
    round_ = played.step.state.round
    if seat is not None and round_ is not None:
        hand = tuple(tiles_in(round_.hands[seat]))
    deal = played.entry
    return RecordedDeal(deal.number, deal.commitment, entropy=deal.entropy, hand=hand)


def _own_draw(played: Replayed, seat: int | None) -> TileId | None:
    for event in played.step.events:
        if isinstance(event, TileDrawn) and event.seat == seat and not event.penalty:
            return event.tile
    return None
