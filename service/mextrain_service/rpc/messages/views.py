"""What a caller may know of the table, as messages. Takes view types only, never a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from mextrain.v1 import round_pb2, train_pb2, view_pb2

from mextrain_engine import Owed, Phase, RoundEnd, RoundResult, RoundView, TrainView, tiles_in
from mextrain_service.application.answers import TableAnswer
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.tiles import tile_messages, train_message
from mextrain_service.rpc.messages.times import timestamp

PHASES = EnumPair(Phase, view_pb2.Phase.DESCRIPTOR)
OWED = EnumPair(Owed, round_pb2.Owed.DESCRIPTOR)
ROUND_ENDS = EnumPair(RoundEnd, round_pb2.RoundEnd.DESCRIPTOR)


def view_message(table: TableAnswer) -> view_pb2.View:
    """Return the table as its viewer may see it."""
    view = table.view
    return view_pb2.View(
        version=table.position.version,
        cursor=table.position.cursor,
        phase=PHASES.wire[view.phase],
        total_rounds=view.total_rounds,
        round=None if view.round is None else round_message(view.round),
        seat=view.seat,
        hand=tile_messages(view.hand),
        totals=_totals(view.results, view.seats),
        server_time=timestamp(table.server_time_ms),
        turn_deadline=(
            None if table.turn_deadline_ms is None else timestamp(table.turn_deadline_ms)
        ),
    )


def result_messages(results: Iterable[RoundResult]) -> Iterator[round_pb2.RoundResult]:
    """Yield the rounds that are over, numbered from 1."""
    for number, result in enumerate(results, start=1):
        yield round_pb2.RoundResult(
            number=number,
            hub=result.hub,
            starter=result.starter,
            end=ROUND_ENDS.wire[result.end],
            out=tiles_in(result.out),
            points=result.points,
        )


def round_message(view: RoundView) -> round_pb2.Round:
    """Return a round as everyone sees it."""
    return round_pb2.Round(
        number=view.number,
        hub=view.hub,
        starter=view.starter,
        turn=view.turn,
        first_turn=view.first_turn,
        drawn=view.drawn,
        laid=view.laid,
        owed=OWED.wire[view.owed],
        hand_counts=view.hand_counts,
        boneyard_count=view.boneyard_count,
        trains=map(_train, view.trains),
        open_doubles=map(train_message, view.open_doubles),
        called=view.called,
        call_due=view.call_due,
        shown_hands=(
            [round_pb2.Hand(tiles=tile_messages(hand)) for hand in view.shown_hands]
            if view.shown_hands is not None
            else None
        ),
    )


@lru_cache(maxsize=8192)
def _train(view: TrainView) -> train_pb2.Train:
    """Return a train; shared like a tile, as most trains are the same from one view to the next."""
    return train_pb2.Train(
        train=train_message(view.train),
        pips=view.pips,
        marked=view.marked,
        open_double=view.open_double,
        deferred_double=view.deferred_double,
    )


def _totals(results: Iterable[RoundResult], seats: int) -> list[int]:
    totals = [0] * seats
    for result in results:
        for seat, points in enumerate(result.points):
            totals[seat] += points
    return totals
