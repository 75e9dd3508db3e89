"""The Python client on a real service: seats, policies, lists and what players add to deals."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Protocol

import pytest

from mextrain_engine import Phase, deal, new_game, set_size, tiles_in
from mextrain_engine.fairness import commitment, permutation
from mextrain_service.client import (
    Bank,
    Bot,
    Clock,
    EntropyAdded,
    Game,
    MextrainClient,
    OpenSeat,
    Person,
    Policy,
    Returning,
    SeatChange,
    SeatChanged,
)
from mextrain_service.local.discovery import Running
from tests.cli.test_client import PAIR, refused
from tests.polling import eventually

WITH_OPEN = (PAIR[0], OpenSeat())

EVERY_POLICY = (
    Policy(),
    Policy(deal_by="seats", auto_forced_moves=True, hands_shown="after_game"),
    Policy(auto_call=True, spectators=True, spectator_delay_turns=3, resigned_seats="skip"),
    Policy(clock=Clock(timedelta(days=2), on_timeout="wait", forfeit_after=3)),
    Policy(clock=Clock(Bank(timedelta(minutes=5), timedelta(seconds=1.5)), on_timeout="skip")),
)


class As(Protocol):
    """Returns a client with this token."""

    def __call__(self, token: str) -> MextrainClient: ...


@pytest.fixture
def as_(service: Running) -> Iterator[As]:
    with ExitStack() as clients:
        yield lambda token: clients.enter_context(MextrainClient(service.endpoint, token))


@pytest.mark.parametrize("policy", EVERY_POLICY)
def test_table_is_run_as_its_policy_says(platform: MextrainClient, policy: Policy) -> None:
    created = platform.create_game(PAIR, policy=policy)

    assert policy == created.game.policy
    assert created.game == platform.get_game(created.game.game_id)
    assert policy.spectators == (created.spectator_token is not None)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(deal_by="nobody"),  # type: ignore[arg-type]
        Policy(hands_shown="never"),  # type: ignore[arg-type]
        Policy(resigned_seats="wait"),  # type: ignore[arg-type]
        Policy(clock=Clock(timedelta(seconds=9), on_timeout="resign")),  # type: ignore[arg-type]
    ],
)
def test_policy_in_words_that_do_not_exist_is_refused_before_any_call(
    platform: MextrainClient, policy: Policy
) -> None:
    with pytest.raises(ValueError, match="has no value defined for name"):
        platform.create_game(PAIR, policy=policy)


def test_invitation_takes_the_open_seat_once_and_the_table_deals_by_itself(
    platform: MextrainClient, as_: As
) -> None:
    created = platform.create_game(WITH_OPEN, policy=Policy(deal_by="automatic"))
    game_id = created.game.game_id
    assert {0} == set(created.seat_tokens)
    assert {1} == set(created.invitations)
    assert OpenSeat() == created.game.seats[1].holder
    assert created.expires_at is not None
    assert created.expires_at > datetime.now(UTC)

    claimed = as_(created.invitations[1]).claim_seat(game_id, 1, display_name="Guest")

    assert SeatChanged(1, SeatChange.CLAIMED) == claimed.events[0]
    assert Phase.PLAYING is claimed.game.table.view.phase
    assert 1 == claimed.game.table.view.seat
    assert ("Ada", "Guest") == claimed.game.names
    late = refused(lambda: as_(created.invitations[1]).claim_seat(game_id, 1))
    assert "SEAT_TAKEN" == late.reason
    assert claimed.game.table.view.hand == as_(claimed.token).get_game(game_id).table.view.hand


def test_platform_takes_an_open_seat_for_a_player_it_names(platform: MextrainClient) -> None:
    game_id = platform.create_game(WITH_OPEN).game.game_id
    twice = refused(lambda: platform.claim_seat(game_id, 1, player_id=PAIR[0].player_id))
    claimed = platform.claim_seat(game_id, 1, player_id="bea", display_name="Bea")

    assert "PLAYER_SEATED" == twice.reason
    assert PAIR[1] == claimed.game.seats[1].holder


def test_rotation_of_a_token_ends_the_one_before(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, old = created.game.game_id, created.seat_tokens[0]

    rotated = as_(old).claim_seat(game_id, 0)

    assert (SeatChanged(0, SeatChange.TOKEN_ROTATED),) == rotated.events
    assert "TOKEN_SUPERSEDED" == refused(lambda: as_(old).get_game(game_id)).reason
    assert 0 == as_(rotated.token).get_game(game_id).table.view.seat
    assert rotated.expires_at > datetime.now(UTC)


def test_bot_stands_in_until_the_holder_returns(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, ada = created.game.game_id, as_(created.seat_tokens[0])

    away = ada.substitute_seat(game_id, 0, Bot("greedy"))
    back = ada.substitute_seat(game_id, 0, Returning())

    assert ("greedy", None) == (away.game.seats[0].stand_in, back.game.seats[0].stand_in)
    assert PAIR[0] == away.game.seats[0].holder
    assert (SeatChanged(0, SeatChange.STOOD_IN),) == away.events
    assert (SeatChanged(0, SeatChange.RETURNED),) == back.events
    assert (None, None) == (away.token, back.expires_at)


def test_resigned_seat_goes_to_somebody_else(platform: MextrainClient, as_: As) -> None:
    created = platform.create_game(PAIR)
    game_id, bea = created.game.game_id, as_(created.seat_tokens[1])

    game, changed = bea.resign_seat(game_id, 1, expected_version=0)
    regretted = refused(lambda: bea.substitute_seat(game_id, 1, Returning()))
    handed = platform.substitute_seat(game_id, 1, Person("cleo", "Cleo"))

    assert game.seats[1].resigned
    assert (SeatChanged(1, SeatChange.RESIGNED),) == changed.events
    assert "SEAT_RESIGNED" == regretted.reason
    assert ("Ada", "Cleo") == handed.game.names
    assert not handed.game.seats[1].resigned
    assert "TOKEN_SUPERSEDED" == refused(lambda: bea.get_game(game_id)).reason
    assert handed.token is not None
    assert 1 == as_(handed.token).get_game(game_id).table.view.seat


def test_clock_shows_the_deadline_and_the_banks(platform: MextrainClient) -> None:
    bank = timedelta(minutes=5)
    game_id = platform.create_game(PAIR, policy=Policy(clock=Clock(Bank(bank)))).game.game_id
    assert platform.get_game(game_id).table.turn_deadline is None

    game, _ = platform.deal_round(game_id)

    deadline = game.table.turn_deadline
    assert deadline is not None
    assert timedelta(0) < deadline - game.table.server_time <= bank
    assert [True, True] == [timedelta(0) < left <= bank for left in game.banks]
    (listed,) = (each for each in platform.games() if each.game_id == game_id)
    assert deadline == listed.turn_deadline


def test_games_are_listed_by_player_and_state_page_by_page(
    platform: MextrainClient, as_: As
) -> None:
    player = Person(f"lister-{secrets.token_hex(4)}")
    made = [platform.create_game([player, other]) for other in (Bot(), OpenSeat(), Bot())]
    latest_first = [created.game.game_id for created in reversed(made)]
    first = platform.list_games(player.player_id, page_size=2)
    rest = platform.list_games(player.player_id, page_size=2, page_token=first.next_page_token)

    assert latest_first == [game.game_id for page in (first, rest) for game in page.games]
    assert (2, "") == (len(first.games), rest.next_page_token)
    assert latest_first == [game.game_id for game in platform.games(player.player_id)]
    (open_one,) = platform.games(player.player_id, "open")
    assert (latest_first[1], "open", 0) == (open_one.game_id, open_one.state, open_one.seat)
    assert (player, OpenSeat()) == tuple(seat.holder for seat in open_one.seats)
    assert Phase.AWAITING_DEAL is open_one.phase
    assert latest_first == [game.game_id for game in as_(made[0].seat_tokens[0]).games()]


def _whose_seeds_are_shown(game: Game) -> Game | None:
    return game if game.seeds else None


def test_deal_that_seats_added_to_can_be_checked_with_the_engine(
    platform: MextrainClient, as_: As
) -> None:
    created = platform.create_game(PAIR, overrides={"rounds": "fixed", "round_count": 1})
    game_id = created.game.game_id
    seats = [as_(token) for _, token in sorted(created.seat_tokens.items())]
    parts = {seat: secrets.token_bytes(32) for seat in (0, 1)}
    for seat, part in parts.items():
        added = seats[seat].add_entropy(game_id, seat, part, round_number=1)
        assert (1, (EntropyAdded(seat),)) == (added.round_number, added.events)
        assert {} == added.game.entropy
    again = refused(lambda: seats[0].add_entropy(game_id, 0, b"more"))
    dealt, _ = platform.deal_round(game_id)
    hands = [seat.get_game(game_id).table.view.hand for seat in seats]
    for seat in parts:
        platform.resign_seat(game_id, seat)
    over = eventually(lambda: _whose_seeds_are_shown(platform.get_game(game_id)))

    assert "ENTROPY_ADDED" == again.reason
    assert {1: parts} == dealt.entropy
    assert {} == dealt.seeds
    assert created.game.commitments[1] == commitment(over.seeds[1])
    order = permutation(over.seeds[1], set_size(over.rules.max_pip(2)), list(parts.values()))
    redealt = deal(new_game(over.rules, 2), order).state.round
    assert redealt is not None
    assert hands == [tuple(tiles_in(hand)) for hand in redealt.hands]


def test_deleted_game_is_gone(platform: MextrainClient) -> None:
    game_id = platform.create_game(PAIR).game.game_id
    platform.deal_round(game_id, expected_version=0)
    stale = refused(lambda: platform.delete_game(game_id, expected_version=0))

    assert "STALE_VERSION" == stale.reason
    assert 1 == platform.delete_game(game_id, expected_version=1)
    assert "GAME_NOT_FOUND" == refused(lambda: platform.get_game(game_id)).reason
    assert game_id not in {game.game_id for game in platform.games()}


def test_write_is_carried_out_once_under_a_request_id_of_the_caller(
    platform: MextrainClient, as_: As
) -> None:
    name = secrets.token_hex(16)
    first, second = (platform.create_game(PAIR, request_id=name) for _ in range(2))
    game_id = first.game.game_id
    assert (game_id, first.seat_tokens) == (second.game.game_id, second.seat_tokens)

    ada = as_(first.seat_tokens[0])
    rotations = [ada.claim_seat(game_id, 0, request_id=name) for _ in range(2)]
    assert rotations[0].game == rotations[1].game
    assert 1 == platform.get_game(game_id).table.version
    ada = as_(rotations[1].token)
    assert 0 == ada.get_game(game_id).table.view.seat
    platform.deal_round(game_id)
    move = ada.legal_moves(game_id).moves[0]
    meant = refused(lambda: ada.play(game_id, [move], seat=1))
    played = [ada.play(game_id, [move], seat=0, request_id=name[::-1]) for _ in range(2)]
    assert "SEAT_NOT_YOURS" == meant.reason
    assert played[0] == played[1]
