"""The Python client on a real service: seats, policies, lists and what players add to deals."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1.event_pb2 import EntropyAdded, Event, SeatChange, SeatChanged
from mextrain.v1.game_pb2 import (
    Bot,
    BotLevel,
    DealBy,
    Game,
    GameState,
    HandsShown,
    OnTimeout,
    OpenSeat,
    Person,
    ResignedSeats,
    Seat,
    TablePolicy,
    TimeBank,
    TurnClock,
)
from mextrain.v1.rule_options_pb2 import ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import RuleSet
from mextrain.v1.view_pb2 import Phase

from mextrain_client import MextrainClient, format_tile
from mextrain_engine import PRESETS, deal, new_game, set_size, tiles_in
from mextrain_engine import format_tile as format_tile_id
from mextrain_engine.fairness import commitment, permutation
from mextrain_service.local.discovery import Running
from tests.cli.test_client import PAIR, refused
from tests.polling import eventually

WITH_OPEN = (PAIR[0], Seat(open=OpenSeat()))
BANK = TimeBank(initial=Duration(seconds=300), increment=Duration(seconds=1, nanos=500_000_000))


def policy(**changes: Any) -> TablePolicy:
    """Return a policy in which everything is said, as answers have it."""
    full: dict[str, Any] = {
        "deal_by": DealBy.DEAL_BY_PLATFORM,
        "hands_shown": HandsShown.HANDS_SHOWN_AFTER_ROUND,
        "resigned_seats": ResignedSeats.RESIGNED_SEATS_BOT,
    }
    return TablePolicy(**(full | changes))


EVERY_POLICY = (
    policy(),
    policy(
        deal_by=DealBy.DEAL_BY_SEATS,
        auto_forced_moves=True,
        hands_shown=HandsShown.HANDS_SHOWN_AFTER_GAME,
    ),
    policy(
        auto_call=True,
        spectators=True,
        spectator_delay_turns=3,
        resigned_seats=ResignedSeats.RESIGNED_SEATS_SKIP,
    ),
    policy(
        clock=TurnClock(
            per_turn=Duration(seconds=172_800),
            on_timeout=OnTimeout.ON_TIMEOUT_WAIT,
            forfeit_after=3,
        )
    ),
    policy(clock=TurnClock(bank=BANK, on_timeout=OnTimeout.ON_TIMEOUT_SKIP, forfeit_after=100)),
)


class As(Protocol):
    """Returns a client with this token."""

    def __call__(self, token: str) -> MextrainClient: ...


@pytest.fixture
def as_(service: Running) -> Iterator[As]:
    with ExitStack() as clients:
        yield lambda token: clients.enter_context(MextrainClient(service.endpoint, token))


def changed(seat: int, change: SeatChange.ValueType) -> list[SeatChanged]:
    return [SeatChanged(seat=seat, change=change)]


def changes(events: Iterable[Event]) -> list[SeatChanged]:
    return [event.seat_changed for event in events if event.HasField("seat_changed")]


@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_table_is_run_as_its_policy_says(platform: MextrainClient, policy: TablePolicy) -> None:
    created = platform.create_game(PAIR, policy=policy)

    answered = created.game.policy
    assert policy == answered
    assert answered == platform.get_game(created.game.game_id).game.policy
    assert policy.spectators == created.HasField("spectator_token")


def test_invitation_takes_the_open_seat_once_and_the_table_deals_by_itself(
    platform: MextrainClient, as_: As
) -> None:
    created = platform.create_game(WITH_OPEN, policy=TablePolicy(deal_by=DealBy.DEAL_BY_AUTOMATIC))
    game_id = created.game.game_id
    assert [0] == [access.seat for access in created.seat_tokens]
    (invitation,) = created.invitations
    assert created.game.seats[1].HasField("open")
    assert datetime.now(UTC) < invitation.expire_time.ToDatetime(UTC)

    claimed = as_(invitation.token).claim_seat(game_id, 1, display_name="Guest")

    assert SeatChanged(seat=1, change=SeatChange.SEAT_CHANGE_CLAIMED) == (
        claimed.events[0].seat_changed
    )
    view = claimed.game.view
    assert (Phase.PHASE_PLAYING, 1) == (view.phase, view.seat)
    assert "Guest" == claimed.game.seats[1].person.display_name
    late = refused(lambda: as_(invitation.token).claim_seat(game_id, 1))
    assert "SEAT_TAKEN" == late.reason
    own = as_(claimed.seat_token.token).get_game(game_id)
    assert list(view.hand) == list(own.game.view.hand)


def test_platform_takes_an_open_seat_for_a_player_it_names(platform: MextrainClient) -> None:
    game_id = platform.create_game(WITH_OPEN).game.game_id
    taken = PAIR[0].person.player_id
    twice = refused(lambda: platform.claim_seat(game_id, 1, player_id=taken))
    claimed = platform.claim_seat(game_id, 1, player_id="bea", display_name="Bea")

    assert "PLAYER_SEATED" == twice.reason
    assert PAIR[1].person == claimed.game.seats[1].person


def test_rotation_of_a_token_ends_the_one_before(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, old = created.game.game_id, created.seat_tokens[0].token

    rotated = as_(old).claim_seat(game_id, 0)

    assert changed(0, SeatChange.SEAT_CHANGE_TOKEN_ROTATED) == changes(rotated.events)
    assert "TOKEN_SUPERSEDED" == refused(lambda: as_(old).get_game(game_id)).reason
    token = rotated.seat_token
    assert 0 == as_(token.token).get_game(game_id).game.view.seat
    assert datetime.now(UTC) < token.expire_time.ToDatetime(UTC)


def test_bot_stands_in_until_the_holder_returns(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, ada = created.game.game_id, as_(created.seat_tokens[0].token)

    away = ada.substitute_seat(game_id, 0, Bot(level=BotLevel.BOT_LEVEL_GREEDY))
    back = ada.substitute_seat(game_id, 0, None)

    assert BotLevel.BOT_LEVEL_GREEDY == away.game.seats[0].stand_in
    assert BotLevel.BOT_LEVEL_UNSPECIFIED == back.game.seats[0].stand_in
    assert PAIR[0].person == away.game.seats[0].person
    assert changed(0, SeatChange.SEAT_CHANGE_STOOD_IN) == changes(away.events)
    assert changed(0, SeatChange.SEAT_CHANGE_RETURNED) == changes(back.events)
    assert not away.HasField("seat_token")
    assert not back.HasField("seat_token")


def test_resigned_seat_goes_to_somebody_else(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, bea = created.game.game_id, as_(created.seat_tokens[1].token)

    resigned = bea.resign_seat(game_id, 1, expected_version=0)
    regretted = refused(lambda: bea.substitute_seat(game_id, 1, None))
    cleo = Person(player_id="cleo", display_name="Cleo")
    handed = platform.substitute_seat(game_id, 1, cleo)

    assert resigned.game.seats[1].resigned
    assert changed(1, SeatChange.SEAT_CHANGE_RESIGNED) == changes(resigned.events)
    assert "SEAT_RESIGNED" == regretted.reason
    assert cleo == handed.game.seats[1].person
    assert not handed.game.seats[1].resigned
    assert "TOKEN_SUPERSEDED" == refused(lambda: bea.get_game(game_id)).reason
    assert 1 == as_(handed.seat_token.token).get_game(game_id).game.view.seat


def test_clock_shows_the_deadline_and_the_banks(platform: MextrainClient) -> None:
    clock = TurnClock(bank=BANK)
    game_id = platform.create_game(PAIR, policy=TablePolicy(clock=clock)).game.game_id
    assert not platform.get_game(game_id).game.view.HasField("turn_deadline")

    game = platform.deal_round(game_id).game

    most, deadline = BANK.initial.ToTimedelta(), game.view.turn_deadline
    left = deadline.ToDatetime() - game.view.server_time.ToDatetime()
    assert timedelta(0) < left <= most
    assert [True, True] == [timedelta(0) < bank.ToTimedelta() <= most for bank in game.banks]
    (listed,) = (each for each in platform.games() if each.game_id == game_id)
    assert deadline == listed.turn_deadline


def test_games_are_listed_by_player_and_state_page_by_page(
    platform: MextrainClient, as_: As
) -> None:
    player = Person(player_id=f"lister-{secrets.token_hex(4)}")
    bot, nobody = Seat(bot=Bot()), Seat(open=OpenSeat())
    made = [platform.create_game([Seat(person=player), other]) for other in (bot, nobody, bot)]
    latest_first = [created.game.game_id for created in reversed(made)]
    first = platform.list_games(player.player_id, page_size=2)
    rest = platform.list_games(player.player_id, page_size=2, page_token=first.next_page_token)

    assert latest_first == [game.game_id for page in (first, rest) for game in page.games]
    assert (2, "") == (len(first.games), rest.next_page_token)
    assert latest_first == [game.game_id for game in platform.games(player.player_id)]
    (open_one,) = platform.games(player.player_id, GameState.GAME_STATE_OPEN)
    assert (latest_first[1], 0) == (open_one.game_id, open_one.seat)
    assert player == open_one.seats[0].person
    assert open_one.seats[1].HasField("open")
    assert Phase.PHASE_AWAITING_DEAL == open_one.phase
    own = as_(made[0].seat_tokens[0].token)
    assert latest_first == [game.game_id for game in own.games()]


def _whose_seeds_are_shown(game: Game) -> Game | None:
    return game if game.commitments[0].seed else None


def test_deal_that_seats_added_to_can_be_checked_with_the_engine(
    platform: MextrainClient, as_: As
) -> None:
    short = RuleSet(rounds=ROUNDS_FIXED, round_count=1)
    created = platform.create_game(PAIR, preset="modern", overrides=short)
    game_id = created.game.game_id
    seats = [as_(access.token) for access in created.seat_tokens]
    parts = [secrets.token_bytes(32) for _ in seats]
    for seat, part in enumerate(parts):
        added = seats[seat].add_entropy(game_id, seat, part, round_number=1)
        assert 1 == added.round
        assert [EntropyAdded(seat=seat)] == [event.entropy_added for event in added.events]
        assert [] == list(added.game.commitments[0].entropy)
    again = refused(lambda: seats[0].add_entropy(game_id, 0, b"more"))
    dealt = platform.deal_round(game_id).game.commitments[0]
    hands = [set(map(format_tile, seat.get_game(game_id).game.view.hand)) for seat in seats]
    for seat in range(2):
        platform.resign_seat(game_id, seat)
    over = eventually(lambda: _whose_seeds_are_shown(platform.get_game(game_id).game))

    assert "ENTROPY_ADDED" == again.reason
    assert parts == [part.entropy for part in dealt.entropy]
    assert not dealt.seed
    seed, rules = over.commitments[0].seed, PRESETS["modern"]
    assert created.game.commitments[0].commitment == commitment(seed)
    order = permutation(seed, set_size(rules.max_pip(2)), parts)
    redealt = deal(new_game(rules, 2), order).state.round
    assert redealt is not None
    assert hands == [set(map(format_tile_id, tiles_in(hand))) for hand in redealt.hands]


def test_deleted_game_is_gone(platform: MextrainClient) -> None:
    game_id = platform.create_game(PAIR).game.game_id
    platform.deal_round(game_id, expected_version=0)
    stale = refused(lambda: platform.delete_game(game_id, expected_version=0))

    assert "STALE_VERSION" == stale.reason
    assert 1 == platform.delete_game(game_id, expected_version=1).version
    assert "GAME_NOT_FOUND" == refused(lambda: platform.get_game(game_id)).reason
    assert game_id not in {game.game_id for game in platform.games()}


def test_write_is_carried_out_once_under_a_request_id_of_the_caller(
    platform: MextrainClient, as_: As
) -> None:
    name = secrets.token_hex(16)
    first, second = (platform.create_game(PAIR, request_id=name) for _ in range(2))
    game_id = first.game.game_id
    assert game_id == second.game.game_id
    assert list(first.seat_tokens) == list(second.seat_tokens)

    ada = as_(first.seat_tokens[0].token)
    rotations = [ada.claim_seat(game_id, 0, request_id=name) for _ in range(2)]
    assert rotations[0].seat_token == rotations[1].seat_token
    assert 1 == platform.get_game(game_id).game.view.version
    ada = as_(rotations[1].seat_token.token)
    assert 0 == ada.get_game(game_id).game.view.seat
    platform.deal_round(game_id)
    move = ada.list_legal_moves(game_id).moves[0]
    meant = refused(lambda: ada.play_move(game_id, move, seat=1))
    played = [ada.play_move(game_id, move, seat=0, request_id=name[::-1]) for _ in range(2)]
    assert "SEAT_NOT_YOURS" == meant.reason
    assert list(played[0].events) == list(played[1].events)
    assert played[0].view.version == played[1].view.version
