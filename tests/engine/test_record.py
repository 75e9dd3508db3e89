"""The record of a game: text that round-trips, replays, and shows each viewer only its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mextrain_engine import (
    PRESETS,
    DealError,
    NotationError,
    Phase,
    Record,
    RecordedDeal,
    RecordedMove,
    RecordedSkip,
    RecordError,
    RuleSet,
    RuleSetError,
    State,
    TileId,
    apply,
    by_players,
    commitment,
    deal_from_seed,
    format_record,
    format_tile,
    legal_moves,
    new_game,
    observe,
    parse_record,
    preset,
    redact_record,
    replay,
    round_seed,
)
from mextrain_engine.events import DealVoided

HEADER = "mextrain 1 rules=1 preset=modern seats=2"


def played(name: str, seed: int, plies: int) -> tuple[Record, State]:
    """Return the record of a random game and the state that it leads to."""
    rng = random.Random(seed)
    rules = PRESETS[name].override(double_blank_value=rng.choice([0, 25, 50]))
    seats = rng.randint(rules.min_players, rules.max_players)
    state = new_game(rules, seats)
    entries: list[RecordedDeal | RecordedMove] = []
    while len(entries) < plies and state.phase is not Phase.FINISHED:
        if state.phase is Phase.AWAITING_DEAL:
            number = len(state.results) + 1
            seed_ = round_seed(seed.to_bytes(32, "big"), number)
            entropy = (b"mine", b"")[: rng.randint(0, 2)]
            entries.append(RecordedDeal(number, commitment(seed_), seed_, entropy))
            state = deal_from_seed(state, seed_, entropy).state
        else:
            move = rng.choice(legal_moves(state))
            assert state.round is not None
            entries.append(RecordedMove(state.round.turn, move))
            state = apply(state, move).state
    return Record(rules, seats, tuple(entries)), state


GAMES = st.tuples(st.sampled_from(sorted(PRESETS)), st.integers(0, 2**32), st.integers(0, 200))


@settings(deadline=None, max_examples=40)
@given(GAMES)
def test_record_round_trips_through_text_and_replays_to_the_same_state(
    game: tuple[str, int, int],
) -> None:
    record, state = played(*game)
    again = parse_record(format_record(record))
    assert record == again
    steps = list(replay(again))
    assert state == (steps[-1].step.state if steps else new_game(record.rules, record.seats))


@settings(deadline=None, max_examples=40)
@given(GAMES)
def test_redacted_record_round_trips_and_names_no_seed_of_a_live_round(
    game: tuple[str, int, int],
) -> None:
    record, state = played(*game)
    for seat in (None, *range(state.seats)):
        hidden = redact_record(record, seat)
        assert hidden == parse_record(format_record(hidden))
        seeds = [entry.seed for entry in hidden.entries if isinstance(entry, RecordedDeal)]
        over = len(state.results)
        assert [True] * over + [False] * (len(seeds) - over) == [seed is not None for seed in seeds]


def test_redacted_record_shows_the_viewer_its_own_hand_and_draws() -> None:
    record, state = played("modern", 5, 30)
    hidden = redact_record(record, 0)
    deal = hidden.entries[0]
    assert isinstance(deal, RecordedDeal)
    first = next(replay(record)).step.state
    assert observe(first, 0).hand == deal.hand
    for entry in hidden.entries:
        if isinstance(entry, RecordedMove) and str(entry.move) == "draw":
            assert (entry.seat == 0) == (entry.drawn is not None)
    assert Phase.PLAYING is state.phase


def test_redacted_record_names_what_players_added_to_the_deal() -> None:
    seed = bytes(range(32))
    rules = preset("modern")
    whole = Record(rules, 2, (RecordedDeal(1, commitment(seed), seed, (b"ada", b"bob")),))
    (deal,) = redact_record(whole, 1).entries
    assert isinstance(deal, RecordedDeal)
    assert ((b"ada", b"bob"), None) == (deal.entropy, deal.seed)


def test_record_of_a_finished_round_is_shown_whole() -> None:
    record, state = played("ehow", 3, 10_000)
    assert Phase.FINISHED is state.phase
    assert record == redact_record(record, None)


def test_redacted_record_cannot_be_replayed() -> None:
    record, _ = played("modern", 5, 3)
    with pytest.raises(RecordError, match="live round") as caught:
        list(replay(redact_record(record, 1)))
    assert 2 == caught.value.line


def test_comments_and_empty_lines_are_passed_over() -> None:
    assert Record(RuleSet(), 2, ()) == parse_record(f"# mine\n\n{HEADER}\n  # more\n")


def test_options_of_every_kind_round_trip() -> None:
    rules = preset("thoughtco").override(
        first_hub_value=6,
        clamp_hand_size=True,
        hand_size_by_players=by_players({14: 5}),
        drawn_tile="must_play",
    )
    assert rules == parse_record(format_record(Record(rules, 2, ()))).rules
    odd = replace(RuleSet(), name="mine")
    assert RuleSet() == parse_record(format_record(Record(odd, 2, ()))).rules


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing",
        "mextrain 2 rules=1 preset=modern seats=2",
        "mextrain 1 preset=modern seats=2",
        "mextrain 1 rules=one preset=modern seats=2",
        "mextrain 1 rules=1 preset=modern seats=2 seats=3",
        "mextrain 1 rules=1 preset=modern seats",
        f"{HEADER}\ndeal",
        f"{HEADER}\ndeal 1 seed=xyz",
        f"{HEADER}\ndeal 1 weight=5",
        f"{HEADER}\n0",
        f"{HEADER}\n0 12-5@0 extra",
        f"{HEADER}\n0 pass=12-5",
        f"{HEADER}\n0 12-5",
        f"{HEADER}\nx draw",
    ],
)
def test_text_that_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_record(text)


def test_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(NotationError, match="line 3"):
        parse_record(f"{HEADER}\n0 draw\n0 jump")


@pytest.mark.parametrize("words", ["colour=red", "hub_rule=up", "blanks_wild=maybe"])
def test_option_that_does_not_exist_is_refused(words: str) -> None:
    with pytest.raises(RuleSetError):
        parse_record(f"{HEADER} {words}")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("mextrain 1 rules=2 preset=modern seats=2", 1, "revision"),
        ("mextrain 1 rules=1 preset=modern seats=9", 1, "players"),
        (f"{HEADER}\n0 draw", 2, "ROUND_NOT_DEALT"),
        (f"{HEADER}\ndeal 1 tiles=0-0", 2, "once"),
    ],
)
def test_record_that_cannot_be_played_names_the_line(text: str, line: int, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        list(replay(parse_record(text)))
    assert line == caught.value.line


def test_hand_made_deal_is_replayed_from_its_tiles() -> None:
    record = Record(RuleSet(), 2, (RecordedDeal(1, tiles=tuple(range(91))),))
    assert record == parse_record(format_record(record))
    (replayed,) = replay(record)
    assert Phase.PLAYING is replayed.step.state.phase


def test_void_deals_are_dealt_again_from_the_same_seed() -> None:
    rules = preset("thoughtco").override(hub_search="redeal")
    steps = [deal_from_seed(new_game(rules, 2), bytes([n]) * 32) for n in range(12)]
    voids = [sum(isinstance(event, DealVoided) for event in step.events) for step in steps]
    assert 0 in voids
    assert max(voids) > 0
    assert all(step.state.phase is Phase.PLAYING for step in steps)


def test_deal_is_given_up_when_no_hand_ever_holds_a_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mextrain_engine.record.MAX_VOID_DEALS", 0)
    rules = preset("thoughtco").override(hub_search="redeal")
    codes = set()
    for n in range(12):
        try:
            deal_from_seed(new_game(rules, 2), bytes([n]) * 32)
        except DealError as error:
            codes.add(error.code)
    assert {"HUB_NEVER_DEALT"} == codes


def test_skipped_turn_is_recorded_and_replayed() -> None:
    text = f"{HEADER}\ndeal 1 tiles={','.join(map(format_tile, range(91)))}\n0 skip\n"
    record = parse_record(text)
    assert text == format_record(record)
    round_ = list(replay(record))[-1].step.state.round
    assert round_ is not None
    assert 1 == round_.turn
    with pytest.raises(RecordError, match="seat 0 is to move"):
        list(replay(parse_record(text.replace("0 skip", "1 skip"))))
    assert RecordedSkip(0, TileId(83)) == parse_record(f"{HEADER}\n0 skip=12-5").entries[0]


def test_drawn_tile_is_written_beside_its_draw() -> None:
    record = parse_record(f"{HEADER}\n1 draw=5-12")
    assert (RecordedMove(1, record.entries[0].move, TileId(83)),) == record.entries  # type: ignore[union-attr]
    assert f"{HEADER}\n1 draw=12-5\n" == format_record(record)
