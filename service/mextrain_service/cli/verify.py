"""``mextrain verify``: whether a record keeps to its commitments and to the rules.

A seed is checked against the commitment that was published before the deal; that the deal follows
from the seed, and that every move is legal in what follows, is checked by playing it all again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mextrain_engine import (
    Phase,
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    RecordError,
    Replayed,
    commitment,
    replay,
    score,
)
from mextrain_engine.record import Entry
from mextrain_service.cli.record_file import RecordArgument, read_record


class Deal(Enum):
    """What is known of a deal."""

    PROVEN = "proven"
    BROKEN = "broken"
    UNCOMMITTED = "uncommitted"
    HIDDEN = "hidden"
    BY_HAND = "by_hand"


_WORDS = {
    Deal.PROVEN: ("✓", "the seed is the one that was committed to, and the deal follows from it"),
    Deal.BROKEN: ("✗", "the seed is NOT the one that was committed to"),
    Deal.UNCOMMITTED: ("?", "the deal follows from the seed, but no commitment to it is recorded"),
    Deal.HIDDEN: ("?", "the seed is not revealed yet; the moves cannot be checked before it is"),
    Deal.BY_HAND: ("?", "dealt by hand: the order of the tiles is recorded, nothing proves it"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the check.

    Attributes:
        deals: each deal by the number of its round.
        moves: moves that keep to the rules, from the first on.
        skips: turns that the host ended for a seat, for want of time as it says.
        problem: the first action that cannot have happened, with its line; None when all can.
        misnumbered: deals whose number is not that of the round they open.
        complete: the record goes to the end of the match.
        totals: points at the end of what was checked, by seat.
    """

    deals: tuple[tuple[int, Deal], ...]
    moves: int
    skips: int
    problem: str | None
    misnumbered: tuple[int, ...]
    complete: bool
    totals: tuple[int, ...]

    @property
    def sound(self) -> bool:
        """Nothing contradicts the record."""
        broken = any(deal is Deal.BROKEN for _, deal in self.deals)
        return not broken and self.problem is None and not self.misnumbered


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("verify", help="Check a record: its deals and every move.")(_verify)


def _verify(
    file: RecordArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    verdict = verified(read_record(file))
    if as_json:
        print(json.dumps(_facts(verdict)))
    else:
        _say(verdict)
    if not verdict.sound:
        raise typer.Exit(1)


def verified(record: Record) -> Verdict:
    """Return what a check of the record finds; a record that cannot be played is no error."""
    played, problem = _played(record)
    return Verdict(
        deals=tuple(_deals(record)),
        moves=sum(isinstance(one.entry, RecordedMove) for one in played),
        skips=sum(isinstance(one.entry, RecordedSkip) for one in played),
        problem=problem,
        misnumbered=tuple(_misnumbered(played)),
        complete=bool(played) and played[-1].step.state.phase is Phase.FINISHED,
        totals=score(played[-1].step.state).totals if played else (),
    )


def _played(record: Record) -> tuple[list[Replayed], str | None]:
    """Return what could be played, and why it did not go on; a deal still hidden is no reason."""
    played: list[Replayed] = []
    hidden = next(
        (at for at, entry in enumerate(record.entries) if _deal(entry) is Deal.HIDDEN),
        len(record.entries),
    )
    try:
        for replayed in replay(replace(record, entries=record.entries[:hidden])):
            played.append(replayed)  # noqa: PERF402 - what came before a problem is kept
    except RecordError as error:
        return played, str(error)
    return played, None


def _deals(record: Record) -> Iterator[tuple[int, Deal]]:
    for entry in record.entries:
        deal = _deal(entry)
        if isinstance(entry, RecordedDeal) and deal is not None:
            yield entry.number, deal


def _deal(entry: Entry) -> Deal | None:
    """Return what is known of a deal; None for a move."""
    if not isinstance(entry, RecordedDeal):
        return None
    if entry.tiles is not None:
        return Deal.BY_HAND
    if entry.seed is None:
        return Deal.HIDDEN
    if entry.commitment is None:
        return Deal.UNCOMMITTED
    return Deal.PROVEN if commitment(entry.seed) == entry.commitment else Deal.BROKEN


def _misnumbered(played: Sequence[Replayed]) -> Iterator[int]:
    for replayed in played:
        round_ = replayed.step.state.round
        entry = replayed.entry
        if isinstance(entry, RecordedDeal) and round_ and entry.number != round_.number:
            yield entry.number


def _say(verdict: Verdict) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for number, deal in verdict.deals:
        sign, words = _WORDS[deal]
        style = {"✓": "green", "✗": "bold red"}.get(sign, "yellow")
        console.print(Text.assemble((sign, style), f" deal {number}: {words}"))
    for number in verdict.misnumbered:
        console.print(Text.assemble(("✗", "bold red"), f" deal {number} is not of that round"))
    if verdict.skips:
        skipped = f" {verdict.skips} turns were ended by the host; nothing proves that time was up"
        console.print(Text.assemble(("?", "yellow"), skipped))
    if verdict.problem is None:
        console.print(Text.assemble(("✓", "green"), f" {verdict.moves} moves keep to the rules"))
    else:
        console.print(Text.assemble(("✗", "bold red"), f" {verdict.problem}"))
    console.print(Text(_conclusion(verdict), "bold"))


def _conclusion(verdict: Verdict) -> str:
    if not verdict.sound:
        return "The record does NOT hold."
    known = {deal for _, deal in verdict.deals}
    if Deal.HIDDEN in known:
        return "The record holds as far as it can be checked: a round is still live."
    if known - {Deal.PROVEN}:
        return "The record keeps to the rules, but its deals are not all proven."
    if not verdict.complete:
        return "The record holds so far; the match is not over."
    return "The record holds. Points: " + ", ".join(map(str, verdict.totals))


def _facts(verdict: Verdict) -> dict[str, object]:
    return {
        "sound": verdict.sound,
        "complete": verdict.complete,
        "deals": [{"round": number, "deal": deal.value} for number, deal in verdict.deals],
        "moves": verdict.moves,
        "skips": verdict.skips,
        "problem": verdict.problem,
        "misnumbered": list(verdict.misnumbered),
        "totals": list(verdict.totals),
        "conclusion": _conclusion(verdict),
    }
