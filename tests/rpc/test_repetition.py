"""Requests that come again, come late, or come at the same time as others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from grpc import aio
from mextrain.v1 import game_pb2, rule_options_pb2, rule_set_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import (
    RECEIPTS_KEPT,
    UNGUARDED_RECEIPTS_KEPT,
    HostedGame,
    LogEntry,
)
from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage import RedisGameStore
from tests.rpc.games import Seated, first_turn, gone_on, seat_all, stored_bytes
from tests.rpc.refusing import read, refusal_of
from tests.rpc.seating import LONG_ID, with_open_seat
from tests.rpc.serving import Client, House, bots, persons, worker
from tests.rpc.watchers import make_move


async def _dealt(platform: Client, **fields: object) -> tuple[Seated, int]:
    """Return a game with a live round and the seat to move."""
    seated = await seat_all(platform, **fields)
    return seated, first_turn((await platform.deal(seated.game_id)).game)


def _waits_for(game: game_pb2.Game, seat: int) -> bool:
    """Tell whether that seat is to move, or no round is live."""
    return game.view.phase != view_pb2.PHASE_PLAYING or seat == game.view.round.turn


async def _first_move(seat: Client, game_id: str) -> str:
    move = (await seat.legal_moves(game_id)).moves[0].play_tile
    train = "M" if move.train.mexican else move.train.seat
    return f"{move.tile.high}-{move.tile.low}@{train}"


async def test_repeated_move_is_made_once_and_answered_the_same(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform)
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    first = await seat.play(seated.game_id, move, request_id="tap")
    before = await stored_bytes(house.redis)
    again = await seat.play(seated.game_id, move, request_id="tap")
    assert first == again
    assert before == await stored_bytes(house.redis)


async def test_repeated_move_is_answered_the_same_after_the_game_went_on(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform, seats=[*persons(1), *bots(2)])
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    first = await seat.play(seated.game_id, move, "pass", request_id="tap")
    for number in range(RECEIPTS_KEPT - 1):
        legal = (await seat.legal_moves(seated.game_id)).moves
        request = pb.PlayMoveRequest(
            game_id=seated.game_id, moves=[legal[0]], request_id=f"later-{number}"
        )
        await seat.stub.PlayMove(request, metadata=seat.metadata)
    assert first == await seat.play(seated.game_id, move, "pass", request_id="tap")
    async with worker(house) as other:
        elsewhere = other.bearing(seat.metadata[0][1].removeprefix("Bearer "))
        assert first == await elsewhere.play(seated.game_id, move, "pass", request_id="tap")


async def test_repeated_deal_deals_no_second_time(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    first = await platform.deal(seated.game_id, request_id="deal")
    before = await stored_bytes(house.redis)
    assert first == await platform.deal(seated.game_id, request_id="deal")
    assert before == await stored_bytes(house.redis)


async def test_void_deals_are_part_of_the_deal_and_of_its_repetition(platform: Client) -> None:
    overrides = rule_set_pb2.RuleSet(hub_search=rule_options_pb2.HUB_SEARCH_REDEAL)
    voids = []
    for seed in range(6):
        seated = await seat_all(
            platform, preset="pagat", overrides=overrides, seats=persons(2), fixed_seed=seed
        )
        first = await platform.deal(seated.game_id, request_id="deal")
        assert first == await platform.deal(seated.game_id, request_id="deal")
        assert first.game.view.phase == view_pb2.PHASE_PLAYING
        voids.append(sum(event.HasField("deal_voided") for event in first.events))
        assert first.game.view.version == voids[-1] + 1
    assert max(voids) > 1


async def test_repeated_creation_meets_the_same_game_and_tokens(
    platform: Client, house: House
) -> None:
    policy = game_pb2.TablePolicy(spectators=True)
    request = pb.CreateGameRequest(seats=persons(2), policy=policy, request_id="table-9")
    first = await platform.create_game(request)
    await platform.deal(first.game.game_id)
    async with worker(house) as other:
        again = await other.bearing(house.key.text).create_game(request)
    assert first == again


async def test_request_id_of_another_platform_is_another_request(
    platform: Client, rival: Client
) -> None:
    request = pb.CreateGameRequest(seats=persons(2), request_id="same")
    games = {(await client.create_game(request)).game.game_id for client in (platform, rival)}
    assert len(games) == 2


async def test_reused_request_id_is_refused_and_changes_nothing(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform)
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    await seat.play(seated.game_id, move, request_id="tap")
    before = await stored_bytes(house.redis)
    calls = [
        seat.play(seated.game_id, "pass", request_id="tap"),
        seat.play(seated.game_id, move, request_id="tap", expected_version=1),
    ]
    for call in calls:
        refused = await refusal_of(call)
        assert (refused.code, refused.reason) == ("ALREADY_EXISTS", "REQUEST_ID_REUSED")
        assert dict(refused.facts) == {"request_id": "tap"}
    assert before == await stored_bytes(house.redis)


async def test_reused_request_id_of_a_creation_is_refused(platform: Client, house: House) -> None:
    await platform.create_game(pb.CreateGameRequest(seats=persons(2), request_id="table"))
    before = await stored_bytes(house.redis, "mt:{*")
    other = pb.CreateGameRequest(seats=persons(3), request_id="table")
    assert (await refusal_of(platform.create_game(other))).reason == "REQUEST_ID_REUSED"
    assert before == await stored_bytes(house.redis, "mt:{*")
    assert [] == list((await platform.list_games(player_id="account-2")).games)


async def test_creation_is_remembered_after_any_number_of_requests(platform: Client) -> None:
    request = pb.CreateGameRequest(
        seats=persons(2), request_id="table", preset="masters_match13", fixed_seed=3
    )
    first = await platform.create_game(request)
    seats = {token.seat: platform.bearing(token.token) for token in first.seat_tokens}
    game = (await platform.deal(first.game.game_id)).game
    for number in range(RECEIPTS_KEPT + 2):
        seat = seats[game.view.round.turn]
        legal = (await seat.legal_moves(game.game_id)).moves
        move = pb.PlayMoveRequest(
            game_id=game.game_id, moves=[legal[0]], request_id=f"move-{number}"
        )
        game.view.CopyFrom((await seat.stub.PlayMove(move, metadata=seat.metadata)).view)
    assert first == await platform.create_game(request)


async def test_stale_version_is_refused_with_a_fresh_view(platform: Client, house: House) -> None:
    seated, turn = await _dealt(platform)
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    played = await seat.play(seated.game_id, move, expected_version=1)
    before = await stored_bytes(house.redis)
    refused = await refusal_of(seat.play(seated.game_id, "pass", expected_version=1))
    assert (refused.code, refused.reason) == ("ABORTED", "STALE_VERSION")
    assert dict(refused.facts) == {"expected_version": "1", "version": "2"}
    assert refused.view == played.view
    assert before == await stored_bytes(house.redis)


async def test_stale_version_shows_the_platform_no_hand(platform: Client) -> None:
    seated, _ = await _dealt(platform)
    refused = await refusal_of(platform.deal(seated.game_id, expected_version=0))
    assert refused.view is not None
    assert list(refused.view.hand) == []


async def test_fresh_view_of_the_largest_table_fits_into_the_error(platform: Client) -> None:
    seats = [*persons(1), *bots(13)]
    seated, _ = await _dealt(platform, preset="thoughtco", seats=seats, fixed_seed=1)
    seat = seated.seats[0]
    for _ in range(25):
        await gone_on(platform, seated.game_id, lambda game: _waits_for(game, 0))
        legal = (await seat.legal_moves(seated.game_id)).moves
        if not legal:
            break
        request = pb.PlayMoveRequest(game_id=seated.game_id, moves=[legal[0]])
        await seat.stub.PlayMove(request, metadata=seat.metadata)
    refused = await refusal_of(seat.play(seated.game_id, "pass", expected_version=0))
    assert refused.view is not None
    assert len(refused.view.round.trains) == 15


async def test_worker_with_an_old_memory_of_the_game_decides_on_the_new_one(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform)
    seat = seated.seats[turn]
    async with worker(house) as other:
        elsewhere = other.bearing(seat.metadata[0][1].removeprefix("Bearer "))
        await elsewhere.play(seated.game_id, await _first_move(seat, seated.game_id))
        played = await elsewhere.play(seated.game_id, "pass")
    refused = await refusal_of(seat.play(seated.game_id, "pass", expected_version=1))
    assert refused.reason == "STALE_VERSION"
    assert refused.view == played.view
    refused = await refusal_of(seat.play(seated.game_id, "pass"))
    assert refused.reason == "NOT_YOUR_TURN"


async def test_one_of_racing_writers_wins_and_the_rest_are_told_why(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform)
    credential = seated.seats[turn].metadata[0][1].removeprefix("Bearer ")
    move = await _first_move(seated.seats[turn], seated.game_id)
    async with worker(house) as other:
        clients = [seated.seats[turn], other.bearing(credential)] * 5
        calls = [client.play(seated.game_id, move, expected_version=1) for client in clients]
        answers = await asyncio.gather(*calls, return_exceptions=True)
    reasons = [read(each).reason for each in answers if isinstance(each, aio.AioRpcError)]
    assert reasons == ["STALE_VERSION"] * 9
    assert (await platform.get_game(seated.game_id)).view.version == 2


async def test_racing_repetitions_of_one_request_all_get_its_answer(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform)
    credential = seated.seats[turn].metadata[0][1].removeprefix("Bearer ")
    move = await _first_move(seated.seats[turn], seated.game_id)
    async with worker(house) as other:
        clients = [seated.seats[turn], other.bearing(credential)] * 5
        calls = [client.play(seated.game_id, move, request_id="tap") for client in clients]
        answers = await asyncio.gather(*calls)
    assert all(answer == answers[0] for answer in answers)
    assert (await platform.get_game(seated.game_id)).view.version == 2


async def test_racing_creations_of_one_request_make_one_game(
    platform: Client, house: House
) -> None:
    request = pb.CreateGameRequest(seats=persons(2), request_id="table")
    async with worker(house) as other:
        clients = [platform, other.bearing(house.key.text)] * 4
        answers = await asyncio.gather(*(client.create_game(request) for client in clients))
    assert all(answer == answers[0] for answer in answers)
    assert len(await house.redis.keys("*:s")) == 1


class LosesAnswers(RedisGameStore):
    """The real store behind a network that swallows the answer of each write."""

    async def create(self, game: HostedGame, entries: Sequence[LogEntry] = ()) -> None:
        await super().create(game, entries)
        raise StoreUnavailableError("lost")

    async def commit(
        self, game: HostedGame, *, base: HostedGame, entries: Sequence[LogEntry]
    ) -> None:
        await super().commit(game, base=base, entries=entries)
        raise StoreUnavailableError("lost")


async def test_write_whose_answer_was_lost_is_answered_from_its_receipt(house: House) -> None:
    async with worker(house, LosesAnswers(house.redis)) as nobody:
        platform = nobody.bearing(house.key.text)
        request = pb.CreateGameRequest(seats=persons(2), request_id="table", fixed_seed=7)
        made = await platform.create_game(request)
        dealt = await platform.deal(made.game.game_id, request_id="deal")
    assert dealt.game.view.version == 1
    assert dealt.game.view.phase == view_pb2.PHASE_PLAYING
    assert dealt.events


async def test_write_without_request_id_whose_answer_was_lost_may_have_happened(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform)
    async with worker(house, LosesAnswers(house.redis)) as nobody:
        refused = await refusal_of(nobody.bearing(house.key.text).deal(seated.game_id))
    assert (refused.code, refused.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
    assert refused.retry_after_s == 1.0
    assert (await platform.get_game(seated.game_id)).view.version == 1


class AlwaysBehind(RedisGameStore):
    """The real store with another writer that comes first each time."""

    async def commit(
        self, game: HostedGame, *, base: HostedGame, entries: Sequence[LogEntry]
    ) -> None:
        await super().commit(game, base=replace(base, stamp=b"pas"), entries=entries)


async def test_writer_that_is_always_beaten_gives_up_and_may_come_again(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform)
    before = await stored_bytes(house.redis)
    async with worker(house, AlwaysBehind(house.redis)) as nobody:
        refused = await refusal_of(nobody.bearing(house.key.text).deal(seated.game_id))
    assert (refused.code, refused.reason) == ("ABORTED", "CONTENTION")
    assert dict(refused.facts) == {"attempts": "5", "retry_after_s": "0.1"}
    assert refused.retry_after_s == 0.1
    assert before == await stored_bytes(house.redis)


async def _draws_and_passes(seat: Client, game_id: str, prefix: str) -> int:
    """Make one move of a seat that is to move; return the version after it."""
    legal = (await seat.legal_moves(game_id)).moves
    request = pb.PlayMoveRequest(game_id=game_id, moves=[legal[-1]], request_id=prefix)
    return (await seat.stub.PlayMove(request, metadata=seat.metadata)).view.version


async def test_request_without_a_version_is_known_again_after_seven_later_ones_of_its_caller(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform, seats=[*persons(1), *bots(2)])
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    first = await seat.play(seated.game_id, move, "pass", request_id="tap")
    for number in range(UNGUARDED_RECEIPTS_KEPT - 1):
        await _draws_and_passes(seat, seated.game_id, f"later-{number}")
        before = await stored_bytes(house.redis)
        assert first == await seat.play(seated.game_id, move, "pass", request_id="tap")
        assert before == await stored_bytes(house.redis)


async def test_request_with_a_version_is_never_made_again_however_many_come_later(
    platform: Client, house: House
) -> None:
    seated, turn = await _dealt(platform, seats=[*persons(1), *bots(2)])
    seat = seated.seats[turn]
    move = await _first_move(seat, seated.game_id)
    fields = {"request_id": "tap", "expected_version": 1}
    first = await seat.play(seated.game_id, move, "pass", **fields)
    for number in range(RECEIPTS_KEPT):
        assert first == await seat.play(seated.game_id, move, "pass", **fields)
        game = await seat.get_game(seated.game_id)
        legal = (await seat.legal_moves(seated.game_id)).moves
        request = pb.PlayMoveRequest(
            game_id=seated.game_id,
            moves=[legal[-1]],
            request_id=f"later-{number}",
            expected_version=game.view.version,
        )
        await seat.stub.PlayMove(request, metadata=seat.metadata)
    before = await stored_bytes(house.redis)
    refused = await refusal_of(seat.play(seated.game_id, move, "pass", **fields))
    assert "STALE_VERSION" == refused.reason
    assert before == await stored_bytes(house.redis)


async def test_new_holder_of_a_seat_begins_without_the_requests_of_the_one_before(
    platform: Client,
) -> None:
    seated, turn = await _dealt(platform, seats=persons(2))
    old = seated.seats[turn]
    move = await _first_move(old, seated.game_id)
    await old.play(seated.game_id, move, "pass", request_id="1")
    while (await platform.get_game(seated.game_id)).view.round.turn != turn:
        await make_move(seated)
    person = game_pb2.Person(player_id="zoe")
    given = await platform.substitute(seated.game_id, turn, person=person)
    new = platform.bearing(given.seat_token.token)
    version = (await new.get_game(seated.game_id)).view.version
    assert version < await _draws_and_passes(new, seated.game_id, "1")


async def test_claim_is_known_again_though_its_seat_begins_without_requests(
    platform: Client,
) -> None:
    made, invited = await with_open_seat(platform)
    first = await invited.claim(made.game.game_id, 1, request_id=LONG_ID)
    assert first == await invited.claim(made.game.game_id, 1, request_id=LONG_ID)
