"""How the table looks: whatever lies on it fits, and both ends of a train are shown."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from mextrain_engine import (
    MEXICAN,
    Owed,
    RoundEnd,
    RoundResult,
    RoundView,
    TileId,
    TrainView,
    events,
    tile,
)
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
from mextrain_service.client import (
    EntropyAdded,
    ScoreSheet,
    SeatChange,
    SeatChanged,
    Standing,
    TableFact,
)

LONG = (18, 3, 3, 14, 0, 11, 11, 12, 17, 10, 10, 16, 15, 13, 1, 2, 18, 17, 17)


def drawn(what: RenderableType, width: int = 80) -> list[str]:
    """Return the lines that a terminal of this width shows, less what is blank at their ends."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    with console.capture() as capture:
        console.print(what)
    return [line.rstrip() for line in capture.get().splitlines()]


def train(owner: int, *pips: int, marked: bool = False, open_double: bool = False) -> TrainView:
    return TrainView(owner, pips, marked, open_double, deferred_double=False)


def table(*trains: TrainView, turn: int | None = 0) -> RoundView:
    seats = len(trains) - 1
    return RoundView(
        number=1,
        hub=trains[0].pips[0],
        starter=0,
        turn=turn,
        first_turn=False,
        drawn=0,
        laid=0,
        owed=Owed.NOTHING,
        hand_counts=(11,) * seats,
        boneyard_count=36,
        trains=trains,
        open_doubles=tuple(view.train for view in trains if view.open_double),
        called=(),
        call_due=None,
        shown_hands=None,
    )


@pytest.mark.parametrize("width", [18, 19, 20, 23, 27, 40, 55, 80, 200])
def test_train_line_fits_and_shows_both_ends_when_the_train_is_long(width: int) -> None:
    for length in range(2, len(LONG) + 1):
        line = TrainLine(train(0, *LONG[:length], open_double=True)).text(width).plain

        assert len(line) <= width
        assert line.startswith("18-3")
        assert line.endswith(f"-{LONG[length - 1]}!")


def test_train_line_counts_the_tiles_that_it_leaves_out() -> None:
    assert "18-3 …14… 2-18 18-17 17-17" == TrainLine(train(0, *LONG)).text(28).plain


def test_train_line_shows_every_tile_when_there_is_room() -> None:
    assert "12-5 5-5 5-0" == TrainLine(train(0, 12, 5, 5, 0)).text(18).plain


def test_train_line_says_so_when_the_train_is_not_started() -> None:
    assert "not started" == TrainLine(train(0, 12)).text(40).plain


def test_train_line_tells_a_deferred_double_from_an_open_one() -> None:
    deferred = TrainView(0, (12, 5, 5), marked=False, open_double=False, deferred_double=True)

    assert "12-5 5-5~" == TrainLine(deferred).text(40).plain


@pytest.mark.parametrize("width", [80, 120])
def test_table_of_fourteen_takes_one_line_for_each_train(width: int) -> None:
    view = table(*(train(seat, *LONG, marked=True) for seat in range(14)), train(MEXICAN, *LONG))

    lines = drawn(draw_table(view, PLAYER_NAMES, [1234] * 14, title="Round 1"), width)

    assert all(len(line) <= width for line in lines)
    assert len(lines) <= 22
    rows = [line for line in lines if line.endswith("17-17")]
    assert 15 == len(rows)
    assert all(name in row for name, row in zip((*PLAYER_NAMES, "Mexican"), rows, strict=True))


def test_table_shows_turn_marker_hub_boneyard_and_the_double_to_cover() -> None:
    view = table(
        train(0, 12, 5, 5, open_double=True), train(1, 12, marked=True), train(MEXICAN, 12), turn=1
    )

    lines = drawn(draw_table(view, ["Ada", "Bea"], [17, 4], title="Round 1 of 13"))

    text = "\n".join(lines)
    assert "Round 1 of 13" == lines[0]
    assert "hub 12-12 · boneyard 36 · ● marked, open to all · ! double to cover" in text
    assert ["0", "Ada", "11", "17", "5", "12-5", "5-5!"] == row(lines, "Ada")
    assert ["▶", "1", "Bea", "11", "4", "●", "12", "not", "started"] == row(lines, "Bea")


def test_table_shows_nobody_to_move_when_the_round_is_over() -> None:
    view = table(train(0, 12), train(1, 12), train(MEXICAN, 12), turn=None)

    assert "▶" not in "\n".join(drawn(draw_table(view, ["Ada", "Bea"], [0, 0], title="")))


def test_hand_is_drawn_in_as_many_rows_as_it_takes() -> None:
    lines = drawn(Hand([TileId(t) for t in range(12)]), width=80)

    assert 6 == len(lines)
    assert 10 == lines[0].count("╭")
    assert "│ 0│ 0│ │ 1│ 0│ │ 1│ 1│" == lines[1][:23]
    assert 2 == lines[3].count("╭")


def test_score_sheet_of_fourteen_and_nineteen_rounds_fits_eighty_columns() -> None:
    result = RoundResult(18, 0, RoundEnd.BLOCKED, 0, (999,) * 14)
    sheet = ScoreSheet((result,) * 19, (Standing(9999, 1, 0),) * 14, (), finished=False)

    lines = drawn(score_sheet(sheet, PLAYER_NAMES))

    assert all(len(line) <= 80 for line in lines)
    assert 19 == sum(line.count("999") == 14 for line in lines)


def test_standings_put_the_winner_first() -> None:
    sheet = ScoreSheet((), (Standing(90, 2, 1), Standing(45, 1, 3)), (1,), finished=True)

    lines = drawn(standings(sheet, ["Ada", "Bea"]))

    assert "Final standings" == lines[0]
    assert ["1", "Bea", "★", "45", "3", "█" * 12] == row(lines, "Bea")
    assert ["2", "Ada", "90", "1", "█" * 24] == row(lines, "Ada")
    assert lines.index(next(line for line in lines if "Bea" in line)) < lines.index(
        next(line for line in lines if "Ada" in line)
    )


def test_story_joins_the_tiles_of_one_train_as_they_lie() -> None:
    happened: list[TableFact] = [
        events.TilePlayed(1, tile(12, 5), 1, 5),
        events.TilePlayed(1, tile(11, 5), 1, 11),
        events.Passed(1, events.PassCause.OPENING_DONE),
        events.TilePlayed(0, tile(12, 1), MEXICAN, 1),
        events.TileDrawn(0, None),
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
        (events.TilePlayed(1, tile(12, 5), 0, 5), "Bea: 12-5 on your train"),
        (events.TileDrawn(0, tile(5, 3)), "You: draw 5-3"),
        (
            events.TileDrawn(1, None, penalty=True),
            "Bea: draw for the last tile not announced",
        ),
        (events.MarkerPlaced(1), "Bea: marker on"),
        (events.MarkerRemoved(1), "Bea: marker off"),
        (events.DoubleOpened(MEXICAN, 5), "5-5 on the Mexican Train is to be covered"),
        (events.DoubleCovered(1, 5), None),
        (events.DoubleReleased(1, 5), "5-5 on Bea's train can never be covered: released"),
        (events.LastTileCalled(1), "Bea: last tile!"),
        (events.LastTileMissed(1), "Bea: last tile not announced"),
        (events.WentOut(1), "Bea: out!"),
        (events.TurnStarted(1, first=True), None),
        (events.RoundDealt(2, 15, 60), "Round 2: 15 tiles each, 60 in the boneyard"),
        (events.HubSought(1, None), "Bea: draw for the hub"),
        (
            events.HubSought(1, tile(4, 2), returned=True),
            "Bea: draw for the hub 4-2, shown and put back",
        ),
        (events.DealVoided(2), "No hand holds the hub: the tiles are dealt again"),
        (events.HubLaid(tile(9, 9), None), "The hub is 9-9"),
        (events.HubLaid(tile(9, 9), 1), "The hub is 9-9, laid by Bea"),
        (
            events.RoundEnded(2, RoundEnd.BLOCKED, (), (4, 9)),
            "Round 2 blocked: You 4, Bea 9",
        ),
        (events.GameEnded((0, 1), (4, 4), (1, 1)), "The match is over, won by You and Bea"),
        (SeatChanged(1, SeatChange.RESIGNED), "Bea: left the match"),
        (SeatChanged(1, SeatChange.TIMED_OUT), "Bea: time is up"),
        (SeatChanged(1, SeatChange.TOKEN_ROTATED), None),
        (EntropyAdded(1), "Bea: added to the chance of the next deal"),
    ],
)
def test_story_tells_every_event_that_a_table_needs(event: TableFact, words: str | None) -> None:
    assert words == tell(event, ["You", "Bea"])


def row(lines: list[str], name: str) -> list[str]:
    """Return the words of the line that a player's name is in."""
    return next(line.split() for line in lines if name in line)
