"""How the table looks: whatever lies on it fits, and both ends of a train are shown."""

from __future__ import annotations

import io

import pytest
from mextrain.v1 import event_pb2 as ev
from mextrain.v1.round_pb2 import Round, RoundEnd, RoundResult
from mextrain.v1.score_pb2 import Score, Standing
from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import Train, TrainReference
from rich.console import Console, RenderableType

from mextrain_service.cli.choices import PLAYER_NAMES
from mextrain_service.cli.drawing import (
    Hand,
    TrainLine,
    draw_table,
    score_sheet,
    standings,
    tell,
    tell_all,
)

MEXICAN = TrainReference(mexican=True)
LONG = (18, 3, 3, 14, 0, 11, 11, 12, 17, 10, 10, 16, 15, 13, 1, 2, 18, 17, 17)


def drawn(what: RenderableType, width: int = 80) -> list[str]:
    """Return the lines that a terminal of this width shows, less what is blank at their ends."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    with console.capture() as capture:
        console.print(what)
    return [line.rstrip() for line in capture.get().splitlines()]


def train(*pips: int, marked: bool = False, open_double: bool = False) -> Train:
    return Train(pips=pips, marked=marked, open_double=open_double)


def table(*trains: Train, turn: int | None = 0) -> Round:
    seats = len(trains) - 1
    return Round(
        number=1,
        hub=trains[0].pips[0],
        turn=turn,
        hand_counts=[11] * seats,
        boneyard_count=36,
        trains=trains,
    )


def tile(high: int, low: int) -> Tile:
    return Tile(high=high, low=low)


def changed(change: ev.SeatChange.ValueType) -> ev.Event:
    return ev.Event(seat_changed=ev.SeatChanged(seat=1, change=change))


def on(seat: int) -> TrainReference:
    return TrainReference(seat=seat)


@pytest.mark.parametrize("width", [18, 19, 20, 23, 27, 40, 55, 80, 200])
def test_train_line_fits_and_shows_both_ends_when_the_train_is_long(width: int) -> None:
    for length in range(2, len(LONG) + 1):
        line = TrainLine(train(*LONG[:length], open_double=True)).text(width).plain

        assert len(line) <= width
        assert line.startswith("18-3")
        assert line.endswith(f"-{LONG[length - 1]}!")


def test_train_line_counts_the_tiles_that_it_leaves_out() -> None:
    assert "18-3 …14… 2-18 18-17 17-17" == TrainLine(train(*LONG)).text(28).plain


def test_train_line_shows_every_tile_when_there_is_room() -> None:
    assert "12-5 5-5 5-0" == TrainLine(train(12, 5, 5, 0)).text(18).plain


def test_train_line_says_so_when_the_train_is_not_started() -> None:
    assert "not started" == TrainLine(train(12)).text(40).plain


def test_train_line_tells_a_deferred_double_from_an_open_one() -> None:
    deferred = Train(pips=(12, 5, 5), deferred_double=True)

    assert "12-5 5-5~" == TrainLine(deferred).text(40).plain


@pytest.mark.parametrize("width", [80, 120])
def test_table_of_fourteen_takes_one_line_for_each_train(width: int) -> None:
    view = table(*(train(*LONG, marked=True) for _ in range(14)), train(*LONG))

    lines = drawn(draw_table(view, PLAYER_NAMES, [1234] * 14, title="Round 1"), width)

    assert all(len(line) <= width for line in lines)
    assert len(lines) <= 22
    rows = [line for line in lines if line.endswith("17-17")]
    assert 15 == len(rows)
    assert all(name in row for name, row in zip((*PLAYER_NAMES, "Mexican"), rows, strict=True))


def test_table_shows_turn_marker_hub_boneyard_and_the_double_to_cover() -> None:
    view = table(train(12, 5, 5, open_double=True), train(12, marked=True), train(12), turn=1)

    lines = drawn(draw_table(view, ["Ada", "Bea"], [17, 4], title="Round 1 of 13"))

    text = "\n".join(lines)
    assert "Round 1 of 13" == lines[0]
    assert "hub 12-12 · boneyard 36 · ● marked, open to all · ! double to cover" in text
    assert ["0", "Ada", "11", "17", "5", "12-5", "5-5!"] == row(lines, "Ada")
    assert ["▶", "1", "Bea", "11", "4", "●", "12", "not", "started"] == row(lines, "Bea")


def test_table_shows_nobody_to_move_when_the_round_is_over() -> None:
    view = table(train(12), train(12), train(12), turn=None)

    assert "▶" not in "\n".join(drawn(draw_table(view, ["Ada", "Bea"], [0, 0], title="")))


def test_hand_is_drawn_in_as_many_rows_as_it_takes() -> None:
    lines = drawn(
        Hand([tile(high, low) for high in range(5) for low in range(high + 1)][:12]), width=80
    )

    assert 6 == len(lines)
    assert 10 == lines[0].count("╭")
    assert "│ 0│ 0│ │ 1│ 0│ │ 1│ 1│" == lines[1][:23]
    assert 2 == lines[3].count("╭")


def test_score_sheet_of_fourteen_and_nineteen_rounds_fits_eighty_columns() -> None:
    result = RoundResult(hub=18, end=RoundEnd.ROUND_END_BLOCKED, points=(999,) * 14)
    sheet = Score(rounds=[result] * 19, standings=[Standing(total=9999, place=1)] * 14)

    lines = drawn(score_sheet(sheet, PLAYER_NAMES))

    assert all(len(line) <= 80 for line in lines)
    assert 19 == sum(line.count("999") == 14 for line in lines)


def test_standings_put_the_winner_first() -> None:
    last, first = (
        Standing(total=90, place=2, zero_rounds=1),
        Standing(total=45, place=1, zero_rounds=3),
    )
    sheet = Score(standings=[last, first], winners=[1], finished=True)

    lines = drawn(standings(sheet, ["Ada", "Bea"]))

    assert "Final standings" == lines[0]
    assert ["1", "Bea", "★", "45", "3", "█" * 12] == row(lines, "Bea")
    assert ["2", "Ada", "90", "1", "█" * 24] == row(lines, "Ada")
    assert lines.index(next(line for line in lines if "Bea" in line)) < lines.index(
        next(line for line in lines if "Ada" in line)
    )


def test_story_joins_the_tiles_of_one_train_as_they_lie() -> None:
    done = ev.TurnPassed(seat=1, cause=ev.PASS_CAUSE_OPENING_DONE)
    happened = [
        ev.Event(tile_played=ev.TilePlayed(seat=1, tile=tile(12, 5), train=on(1), end=5)),
        ev.Event(tile_played=ev.TilePlayed(seat=1, tile=tile(11, 5), train=on(1), end=11)),
        ev.Event(turn_passed=done),
        ev.Event(tile_played=ev.TilePlayed(tile=tile(12, 1), train=MEXICAN, end=1)),
        ev.Event(tile_drawn=ev.TileDrawn()),
    ]

    assert [
        "Bea: 12-5 5-11 on own train",
        "Bea: pass, opening train done",
        "You: 12-1 on the Mexican Train",
        "You: draw",
    ] == list(tell_all(happened, ["You", "Bea"]))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            ev.Event(tile_played=ev.TilePlayed(seat=1, tile=tile(12, 5), train=on(0), end=5)),
            "Bea: 12-5 on your train",
        ),
        (ev.Event(tile_drawn=ev.TileDrawn(tile=tile(5, 3))), "You: draw 5-3"),
        (
            ev.Event(tile_drawn=ev.TileDrawn(seat=1, penalty=True)),
            "Bea: draw for the last tile not announced",
        ),
        (ev.Event(marker_placed=ev.MarkerPlaced(seat=1)), "Bea: marker on"),
        (ev.Event(marker_removed=ev.MarkerRemoved(seat=1)), "Bea: marker off"),
        (
            ev.Event(double_opened=ev.DoubleOpened(train=MEXICAN, pip=5)),
            "5-5 on the Mexican Train is to be covered",
        ),
        (ev.Event(double_covered=ev.DoubleCovered(train=on(1), pip=5)), None),
        (
            ev.Event(double_released=ev.DoubleReleased(train=on(1), pip=5)),
            "5-5 on Bea's train can never be covered: released",
        ),
        (ev.Event(last_tile_called=ev.LastTileCalled(seat=1)), "Bea: last tile!"),
        (ev.Event(last_tile_missed=ev.LastTileMissed(seat=1)), "Bea: last tile not announced"),
        (ev.Event(went_out=ev.WentOut(seat=1)), "Bea: out!"),
        (ev.Event(turn_started=ev.TurnStarted(seat=1, first=True)), None),
        (
            ev.Event(round_dealt=ev.RoundDealt(number=2, hand_size=15, boneyard_count=60)),
            "Round 2: 15 tiles each, 60 in the boneyard",
        ),
        (ev.Event(hub_sought=ev.HubSought(seat=1)), "Bea: draw for the hub"),
        (
            ev.Event(hub_sought=ev.HubSought(seat=1, tile=tile(4, 2), returned=True)),
            "Bea: draw for the hub 4-2, shown and put back",
        ),
        (
            ev.Event(deal_voided=ev.DealVoided(number=2)),
            "No hand holds the hub: the tiles are dealt again",
        ),
        (ev.Event(hub_laid=ev.HubLaid(tile=tile(9, 9))), "The hub is 9-9"),
        (ev.Event(hub_laid=ev.HubLaid(tile=tile(9, 9), seat=1)), "The hub is 9-9, laid by Bea"),
        (
            ev.Event(
                round_ended=ev.RoundEnded(number=2, end=RoundEnd.ROUND_END_BLOCKED, points=(4, 9))
            ),
            "Round 2 blocked: You 4, Bea 9",
        ),
        (
            ev.Event(game_ended=ev.GameEnded(winners=(0, 1))),
            "The match is over, won by You and Bea",
        ),
        (changed(ev.SEAT_CHANGE_RESIGNED), "Bea: left the match"),
        (changed(ev.SEAT_CHANGE_TIMED_OUT), "Bea: time is up"),
        (changed(ev.SEAT_CHANGE_TOKEN_ROTATED), None),
        (
            ev.Event(entropy_added=ev.EntropyAdded(seat=1)),
            "Bea: added to the chance of the next deal",
        ),
        (ev.Event(version=3), None),
    ],
)
def test_story_tells_every_event_that_a_table_needs(event: ev.Event, words: str | None) -> None:
    assert words == tell(event, ["You", "Bea"])


def row(lines: list[str], name: str) -> list[str]:
    """Return the words of the line that a player's name is in."""
    return next(line.split() for line in lines if name in line)
