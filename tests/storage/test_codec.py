"""A hosted game survives its snapshot, at every state that play reaches."""

from __future__ import annotations

import random
from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mextrain_engine import PRESETS, Phase, check_seats, integrity
from mextrain_service.application.model import (
    LINK_BYTES,
    MAX_CLOCK_MS,
    STAMP_BYTES,
    BotLevel,
    ClockKind,
    ClockState,
    DealBy,
    HandsShown,
    HostedGame,
    OnTimeout,
    PlayerId,
    Receipt,
    ResignedSeats,
    RoundEntropy,
    SeatHolder,
    SeatKind,
    TablePolicy,
    TurnClock,
)
from mextrain_service.storage import CorruptGameError, NewerSchemaError
from mextrain_service.storage.codec import GameEncoder, decode_game, encode_game
from mextrain_service.storage.record import SCHEMA, Header, split
from tests.storage.games import (
    CREATED_MS,
    after,
    new_hosted_game,
    next_entry,
    played,
    with_receipts,
)

TABLES = [
    (name, seats)
    for name, rules in PRESETS.items()
    for seats in (2, 4, 8, 14)
    if not check_seats(rules, seats)
]

PERSON = SeatHolder(SeatKind.PERSON, PlayerId("anna"), "Anna ☺", token_generation=3)
BOT = SeatHolder(SeatKind.BOT, PlayerId("bot-1"), bot_level=BotLevel.GREEDY, token_generation=0)
AWAY = replace(PERSON, stand_in=BotLevel.PASS)
GONE = replace(PERSON, resigned=True)
OPEN = SeatHolder(SeatKind.OPEN, PlayerId(""), token_generation=0)


ANNA = SeatHolder(SeatKind.PERSON, PlayerId("7f9c24e8-3b12-4f6a-9d57-0c8e1a2b3c4d"))
BERT = SeatHolder(SeatKind.PERSON, PlayerId("01890c5e-8f0a-7cc3-98c4-dc0c0c07398f"))

GAME = new_hosted_game()


def _through_the_codec(game: HostedGame) -> HostedGame:
    return decode_game(encode_game(game), game_id=game.game_id, header=Header.of(game, 0))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TABLES), st.randoms(use_true_random=False), st.integers(0, 250))
def test_a_game_comes_back_as_it_was_stored_at_every_state(
    table: tuple[str, int], choice: random.Random, entries: int
) -> None:
    name, seats = table
    game = new_hosted_game(rules=PRESETS[name], seats=seats)
    for _ in range(entries):
        assert game == _through_the_codec(game)
        if game.state.phase is Phase.FINISHED:
            break
        game = after(game, next_entry(game, choice))


@pytest.mark.parametrize("preset", ["modern", "thoughtco_double_six"])
def test_a_match_comes_back_as_it_was_stored_when_it_is_over(preset: str) -> None:
    game = played(new_hosted_game(rules=PRESETS[preset]), 5_000).game
    assert game.state.phase is Phase.FINISHED
    assert game == _through_the_codec(game)


@pytest.mark.parametrize("holder", [PERSON, BOT, OPEN, AWAY, GONE])
def test_a_seat_comes_back_as_it_was_stored(holder: SeatHolder) -> None:
    game = new_hosted_game(seats=2)
    game = replace(game, seats=(holder, game.seats[1]))
    assert game == _through_the_codec(game)


@pytest.mark.parametrize(
    "policy",
    [
        TablePolicy(deal_by=DealBy.SEATS),
        TablePolicy(auto_forced_moves=True),
        TablePolicy(auto_call=True),
        TablePolicy(spectators=True),
        TablePolicy(fixed_seed=True),
        TablePolicy(deal_by=DealBy.AUTOMATIC),
        TablePolicy(spectator_delay=100),
        TablePolicy(hands_shown=HandsShown.AFTER_GAME),
        TablePolicy(resigned_seats=ResignedSeats.SKIP),
        *(
            TablePolicy(clock=TurnClock(kind, 1_000, 250, on_timeout, 3))
            for kind in ClockKind
            for on_timeout in OnTimeout
        ),
    ],
)
def test_a_table_policy_comes_back_as_it_was_stored(policy: TablePolicy) -> None:
    game = replace(new_hosted_game(), policy=policy)
    assert game == _through_the_codec(game)


@pytest.mark.parametrize(
    "clock",
    [
        ClockState(None, 0, False, (), (0, 0)),
        ClockState(1, CREATED_MS + 5, True, (), (0, 7)),
        ClockState(0, CREATED_MS + 86_400_000, False, (0, MAX_CLOCK_MS), (0, 0)),
    ],
)
def test_a_clock_comes_back_as_it_was_stored(clock: ClockState) -> None:
    game = replace(new_hosted_game(seats=2), clock=clock)
    assert game == _through_the_codec(game)


def test_what_players_added_to_deals_comes_back_as_it_was_stored() -> None:
    added = (RoundEntropy(1, (b"", bytes(32))), RoundEntropy(4, (b"dice", b"")))
    game = replace(new_hosted_game(seats=2), entropy=added)
    assert game == _through_the_codec(game)


@pytest.mark.parametrize(
    "holders",
    [
        (ANNA, BERT),
        (replace(ANNA, display_name="Anna", token_generation=2), BERT),
        (ANNA, replace(BERT, stand_in=BotLevel.GREEDY, resigned=True)),
        (ANNA, OPEN),
        (ANNA, replace(BERT, player_id=PlayerId(BERT.player_id.upper()))),
        (ANNA, replace(BERT, player_id=PlayerId("{" + BERT.player_id + "}"))),
        (ANNA, replace(BERT, player_id=PlayerId(str(UUID(int=0))))),
    ],
)
def test_seats_of_accounts_that_are_uuids_come_back_as_they_were_stored(
    holders: tuple[SeatHolder, ...],
) -> None:
    game = replace(new_hosted_game(seats=2), seats=holders)
    assert game == _through_the_codec(game)


def test_accounts_that_are_uuids_take_sixteen_bytes_each() -> None:
    names = replace(
        new_hosted_game(seats=2), seats=(replace(ANNA, player_id=PlayerId("anna")),) * 2
    )
    uuids = replace(names, seats=(ANNA, BERT))
    empty = replace(names, seats=(replace(ANNA, player_id=PlayerId("")),) * 2)
    least = len(encode_game(empty)) - 2 * 2
    assert least + 2 + 2 * 16 == len(encode_game(uuids))


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_what_an_encoder_remembers_never_shows_in_what_it_writes(choice: random.Random) -> None:
    encoder = GameEncoder(kept=1)
    game, other = new_hosted_game(seats=2), new_hosted_game("another-game", seats=2)
    for _ in range(20):
        game = after(game, next_entry(game, choice))
        match choice.randrange(4):
            case 0:
                renewed = replace(game.seats[0], token_generation=game.version)
                game = replace(game, seats=(renewed, game.seats[1]))
            case 1:
                game = replace(game, entropy=(RoundEntropy(1, (b"", bytes((game.version,)))),))
            case 2:
                assert encode_game(other) == encoder.encode(other)
        assert encode_game(game) == encoder.encode(game)


@pytest.mark.parametrize("count", [1, 2, 16])
def test_receipts_come_back_as_they_were_stored(count: int) -> None:
    game = with_receipts(played(new_hosted_game(), 40).game, count)
    assert game == _through_the_codec(game)


def test_receipts_with_gaps_and_batches_come_back_as_they_were_stored() -> None:
    receipts = (
        Receipt(b"a" * 8, b"b" * 8, before=3, after=9),
        Receipt(b"c" * 8, b"d" * 8, before=200, after=200),
        Receipt(b"e" * 8, b"f" * 8, before=201, after=350),
    )
    creation = Receipt(b"g" * 8, b"h" * 8, before=0, after=0)
    game = replace(new_hosted_game(), receipts=receipts, creation=creation)
    assert game == _through_the_codec(game)


def test_a_lost_tile_is_not_dealt_to_anyone_by_the_codec() -> None:
    game = played(new_hosted_game(), 1).game
    assert game.state.round is not None
    first, *others = game.state.round.hands
    hands = (first & (first - 1), *others)
    state = game.state._replace(round=game.state.round._replace(hands=hands))
    damaged = replace(game, state=state)
    assert damaged == _through_the_codec(damaged)
    assert integrity(damaged.state)


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_bytes_that_are_no_game_are_refused_or_read_as_one(body: bytes) -> None:
    try:
        decode_game(body, game_id=GAME.game_id, header=Header.of(GAME, 0))
    except (CorruptGameError, NewerSchemaError):
        return


@settings(deadline=None)
@given(st.data())
def test_a_snapshot_with_a_changed_byte_never_fails_in_an_untyped_way(data: st.DataObject) -> None:
    game = with_receipts(played(new_hosted_game(), 40).game, 2)
    body = bytearray(encode_game(game))
    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode_game(bytes(body), game_id=game.game_id, header=Header.of(game, 0))
    except (CorruptGameError, NewerSchemaError):
        return


@given(
    st.builds(
        Header,
        st.integers(0, 255),
        st.integers(0, 2**24 - 1),
        st.integers(0, 2**24 - 1),
        st.binary(min_size=LINK_BYTES, max_size=LINK_BYTES),
        st.binary(min_size=STAMP_BYTES, max_size=STAMP_BYTES),
    )
)
def test_a_header_comes_back_as_it_was_stored(header: Header) -> None:
    assert header == Header.from_bytes(header.to_bytes() + b"body")


def test_a_snapshot_of_a_later_schema_is_refused_as_such() -> None:
    later = bytes((SCHEMA + 1,))
    with pytest.raises(NewerSchemaError, match=f"schema {SCHEMA + 1}"):
        split(later)


@pytest.mark.parametrize("record", [b"", bytes((SCHEMA, 0)), bytes(11), bytes(40)])
def test_a_record_without_a_whole_header_is_refused(record: bytes) -> None:
    with pytest.raises(CorruptGameError):
        split(record)


def test_a_live_game_of_four_fits_into_its_share_of_memory() -> None:
    game = played(new_hosted_game(), 50).game
    assert len(encode_game(game)) <= 220
