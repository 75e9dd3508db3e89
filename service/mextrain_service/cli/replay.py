"""``mextrain replay``: a text record shown action by action."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, assert_never

import typer
from mextrain.v1.event_pb2 import Event
from rich.console import Console
from rich.text import Text

from mextrain_engine import (
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    Replayed,
    RoundView,
    State,
    View,
    format_move,
    format_tile,
    format_train,
    observe,
    redact,
    replay,
    score,
    spectate,
    tiles_in,
)
from mextrain_service.application.answers import TableEvent
from mextrain_service.cli.choices import PLAYER_NAMES
from mextrain_service.cli.complaints import CliError
from mextrain_service.cli.drawing import Hand, draw_table, tell_all
from mextrain_service.cli.record_file import RecordArgument, read_record
from mextrain_service.rpc.messages.events import event_messages
from mextrain_service.rpc.messages.tiles import tile_messages
from mextrain_service.rpc.messages.views import round_message

Facts = dict[str, object]


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("replay", help="Show a text record move by move.")(_replay)


def _replay(
    file: RecordArgument,
    step: Annotated[
        int | None,
        typer.Option("--step", "-n", min=1, help="Show the table after so many actions, only."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, max=13, help="See it as this seat saw it.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object for each action.")
    ] = False,
) -> None:
    record = read_record(file)
    if seat is not None and seat >= record.seats:
        raise CliError(f"There is no seat {seat}: the record has seats 0 to {record.seats - 1}.")
    steps = _steps(record, step)
    if as_json:
        for number, replayed in steps:
            names = PLAYER_NAMES[: record.seats]
            print(json.dumps(_facts(number, replayed, names, seat)))
        return
    shown = _Replay(record, seat)
    for number, replayed in steps:
        shown.show(number, replayed, with_table=shown.console.is_terminal or step is not None)


def _steps(record: Record, step: int | None) -> Iterator[tuple[int, Replayed]]:
    """Yield the numbered actions that are to be shown: all, or the one that was asked for."""
    numbered = enumerate(replay(record), start=1)
    if step is None:
        return numbered
    if step > len(record.entries):
        raise CliError(f"The record has {len(record.entries)} actions, not {step}.")
    return islice(numbered, step - 1, step)


class _Replay:
    """Shows actions one after another."""

    def __init__(self, record: Record, seat: int | None) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self._names = PLAYER_NAMES[: record.seats]
        self._preset = record.rules.name
        self._seat = seat

    def show(self, number: int, replayed: Replayed, *, with_table: bool) -> None:
        """Print what happened, under its number, and the table after it if asked."""
        lines = list(tell_all(_events(replayed, self._seat), self._names))
        action = _action(replayed)
        head = f"{number:>4}  {action:<16}"
        for line in lines or [""]:
            self.console.print(Text.assemble((head, "dim"), line))
            head = " " * len(head)
        if with_table:
            self._draw(replayed.step.state)

    def _draw(self, state: State) -> None:
        view = _view(state, self._seat)
        if view.round is None:
            return
        title = f"Round {view.round.number} of {view.total_rounds} · {self._preset}"
        table = round_message(view.round)
        self.console.print(draw_table(table, self._names, score(state).totals, title=title))
        if view.hand:
            self.console.print(Hand(tile_messages(view.hand)))


def _view(state: State, seat: int | None) -> View:
    return spectate(state) if seat is None else observe(state, seat)


def _events(replayed: Replayed, seat: int | None) -> Iterable[Event]:
    """Return what happened: all of it, or as a seat was told it."""
    happened = replayed.step.events
    known = happened if seat is None else (redact(event, seat) for event in happened)
    return event_messages(TableEvent(0, event) for event in known)


def _action(replayed: Replayed) -> str:
    match replayed.entry:
        case RecordedMove(seat, move):
            return f"{seat} {format_move(move)}"
        case RecordedSkip(seat):
            return f"{seat} skip"
        case RecordedDeal(number):
            return f"deal {number}"
        case entry:
            assert_never(entry)


def _facts(number: int, replayed: Replayed, names: Sequence[str], seat: int | None) -> Facts:
    """Return an action and what it led to, ready for JSON."""
    state = replayed.step.state
    view = _view(state, seat)
    return {
        "step": number,
        "action": _action(replayed),
        "story": list(tell_all(_events(replayed, seat), names)),
        "phase": view.phase.value,
        "totals": list(score(state).totals),
        "round": None if view.round is None else _round_facts(view.round),
        "hands": _hands(state, seat),
    }


def _round_facts(round_: RoundView) -> Facts:
    return {
        "number": round_.number,
        "turn": round_.turn,
        "trains": {format_train(train.train): list(train.pips) for train in round_.trains},
        "marked": [train.train for train in round_.trains if train.marked],
        "open_doubles": [format_train(train) for train in round_.open_doubles],
        "hand_counts": list(round_.hand_counts),
        "boneyard_count": round_.boneyard_count,
    }


def _hands(state: State, seat: int | None) -> dict[str, list[str]]:
    """Return the tiles of every seat, or of the one whose eyes are borrowed."""
    if state.round is None:
        return {}
    return {
        str(holder): [format_tile(tile_id) for tile_id in tiles_in(hand)]
        for holder, hand in enumerate(state.round.hands)
        if seat is None or holder == seat
    }
