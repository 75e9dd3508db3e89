"""Many seats on one stream: each is played and told as by calls of its own."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.channel_pb2 import ChannelRequest, ChannelResponse, CloseChannel, PlayMoves
from mextrain.v1.event_pb2 import Event
from mextrain.v1.move_pb2 import Move

from mextrain_service.application.streams import OpenStreams
from mextrain_service.rpc.caller_rates import RateLimits
from mextrain_service.rpc.channels.stream import MAX_PENDING_REQUESTS
from tests.polling import until
from tests.rpc.channels import Stream, playing, reason_of, token_of
from tests.rpc.games import Seated, seat_all
from tests.rpc.players import player_token
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import (
    MAX_REQUEST_BYTES,
    STREAM_SETTINGS,
    Bounds,
    Client,
    House,
    NoMeter,
    worker,
)
from tests.rpc.test_history import all_events
from tests.rpc.watchers import here, make_move

WATCHED = game_pb2.TablePolicy(spectators=True)


async def _open_all(stream: Stream, seated: Seated, first: int = 1) -> None:
    for seat, client in seated.seats.items():
        answer = await stream.open(first + seat, seated.game_id, token_of(client))
        assert answer.HasField("opened"), answer


def _events(stream: Stream) -> dict[int, list[Event]]:
    """Return what was told on each channel."""
    told: dict[int, list[Event]] = defaultdict(list)
    for answer in stream.heard:
        told[answer.channel] += answer.events.events
    return told


async def test_games_are_played_over_one_stream_and_every_seat_is_told_its_history(
    platform: Client,
) -> None:
    games = [await seat_all(platform, fixed_seed=seed) for seed in range(4)]
    chance = random.Random(5)
    async with playing(platform) as stream:
        for at, seated in enumerate(games):
            await _open_all(stream, seated, first=10 * at + 1)
            await platform.deal(seated.game_id)
        for _ in range(120):
            at = chance.randrange(len(games))
            await _move(stream, games[at], first=10 * at + 1)
        for at, seated in enumerate(games):
            now = await platform.get_game(seated.game_id)
            for seat, client in seated.seats.items():
                channel = 10 * at + 1 + seat
                while (told := _events(stream)[channel])[-1].version < now.view.version:
                    await stream.next()
                assert told == await all_events(client, seated.game_id)


async def _move(stream: Stream, seated: Seated, first: int) -> None:
    """Make the first legal move, on the channel of the seat to move."""
    game = await seated.platform.get_game(seated.game_id)
    if not game.view.HasField("round"):
        await seated.platform.deal(seated.game_id)
        return
    turn = game.view.round.turn
    legal = await seated.seats[turn].legal_moves(seated.game_id)
    ask = ChannelRequest(
        channel=first + turn,
        tag=1_000_000 + game.view.version,
        play=PlayMoves(moves=[legal.moves[0]], expected_version=game.view.version),
    )
    await stream.ask(ask)
    while (answer := await stream.next()).tag != ask.tag:
        pass
    assert game.view.version < answer.played.version


async def test_channel_begins_with_the_table_or_after_a_version(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    dealt = await here(platform, seated.game_id)
    await make_move(seated)
    seat = seated.seats[1]
    async with playing(platform) as stream:
        opened = await stream.open(1, seated.game_id, token_of(seat))
        game = await seat.get_game(seated.game_id)
        assert opened.opened.version == game.view.version
        reset = (await stream.until(1, "reset")).reset.game
        assert game.view.hand == reset.view.hand
        assert game.view.version == reset.view.version
        await stream.open(2, seated.game_id, token_of(seat), cursor=dealt)
        told = (await stream.until(2, "events")).events.events
        assert [e for e in await all_events(seat, seated.game_id) if e.version > 1] == list(told)


async def test_refused_moves_are_answered_as_by_a_call_and_the_channel_goes_on(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    turn = dealt.game.view.round.turn
    other = (turn + 1) % 3
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        for seat, moves, fields in (
            (other, ("pass",), {}),
            (turn, ("0-0@M",), {}),
            (turn, ("zero",), {}),
            (turn, (), {}),
            (turn, ("pass",), {"expected_version": 99}),
        ):
            answer = await stream.play(1 + seat, *moves, **fields)
            refused = await refusal_of(seated.seats[seat].play(seated.game_id, *moves, **fields))
            assert refused.reason == reason_of(answer.error)
            assert refused.message == answer.error.message
        legal = await seated.seats[turn].legal_moves(seated.game_id)
        played = await stream.play(1 + turn, legal.moves[0])
        assert 1 < played.played.version


async def test_repeated_request_id_moves_once_on_any_stream_and_by_a_call(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    turn = dealt.game.view.round.turn
    move = (await seated.seats[turn].legal_moves(seated.game_id)).moves[0]
    versions = []
    for _ in range(2):
        async with playing(platform) as stream:
            await _open_all(stream, seated)
            for _ in range(2):
                answer = await stream.play(1 + turn, move, request_id="once")
                versions.append(answer.played.version)
            reused = await stream.play(1 + turn, "pass", request_id="once")
            assert "REQUEST_ID_REUSED" == reason_of(reused.error)
    again = pb.PlayMoveRequest(game_id=seated.game_id, moves=[move], request_id="once")
    called = await seated.seats[turn].stub.PlayMove(again, metadata=seated.seats[turn].metadata)
    assert {called.view.version} == set(versions)


async def test_asks_of_a_channel_are_carried_out_in_order_however_they_come(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    turn = dealt.game.view.round.turn
    move = (await seated.seats[turn].legal_moves(seated.game_id)).moves[0]
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        channel = 1 + turn
        once = PlayMoves(moves=[move], request_id="a")
        await stream.ask(
            ChannelRequest(channel=channel, tag=101, play=once),
            ChannelRequest(channel=channel, tag=102, play=once),
            ChannelRequest(channel=channel, tag=103, play=PlayMoves(moves=[move])),
            ChannelRequest(channel=channel, tag=104, close=CloseChannel()),
            ChannelRequest(channel=channel, tag=105, play=once),
        )
        answers: dict[int, ChannelResponse] = {}
        while len(answers) < 5:
            answer = await stream.next()
            if answer.tag > 100:
                answers[answer.tag] = answer
        assert [101, 102, 103, 104, 105] == list(answers)
        kinds = [each.WhichOneof("response") for each in answers.values()]
        assert ["played", "played", "error", "closed", "error"] == kinds
        assert answers[101].played == answers[102].played
        assert "FIELD_INVALID" == reason_of(answers[105].error)
        again = await stream.open(channel, seated.game_id, token_of(seated.seats[turn]))
        assert again.HasField("opened")


@pytest.mark.parametrize("what", ["forged", "of another game", "of another platform", "a key"])
async def test_channel_is_not_opened_by_a_credential_that_is_not_for_it(
    what: str, platform: Client, rival: Client
) -> None:
    own, other, foreign = [await seat_all(who) for who in (platform, platform, rival)]
    game_id, token, reason = {
        "forged": (own.game_id, token_of(own.seats[0])[:-4] + "AAAA", "TOKEN_INVALID"),
        "of another game": (own.game_id, token_of(other.seats[0]), "GAME_NOT_FOUND"),
        "of another platform": (foreign.game_id, token_of(foreign.seats[0]), "GAME_NOT_FOUND"),
        "a key": (foreign.game_id, token_of(rival), "GAME_NOT_FOUND"),
    }[what]
    async with playing(platform) as stream:
        answer = await stream.open(1, game_id, token)
        assert reason == reason_of(answer.error)
        still = await stream.open(1, own.game_id, token_of(own.seats[0]))
        assert still.HasField("opened")


async def test_player_of_the_platform_is_taken_to_the_seat_that_the_player_has(
    platform: Client,
) -> None:
    seats = [game_pb2.Seat(person=game_pb2.Person(player_id=name)) for name in ("ann", "bob")]
    seated = await seat_all(platform, seats=seats)
    await platform.deal(seated.game_id)
    async with playing(platform) as stream:
        await stream.open(1, seated.game_id, player_token("bob"))
        reset = (await stream.until(1, "reset")).reset.game
        assert (await seated.seats[1].get_game(seated.game_id)).view.hand == reset.view.hand
        refused = await stream.open(2, seated.game_id, player_token("cas"))
        assert "GAME_NOT_FOUND" == reason_of(refused.error)


async def test_spectator_watches_and_does_not_play(platform: Client) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    await platform.deal(seated.game_id)
    async with playing(platform) as stream:
        await stream.open(1, seated.game_id, token_of(seated.spectator))
        assert not (await stream.until(1, "reset")).reset.game.view.hand
        refused = await stream.play(1, "pass")
        assert "PERMISSION_DENIED" == reason_of(refused.error)


async def test_unwatched_channel_is_told_nothing_but_answers(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    turn = dealt.game.view.round.turn
    async with playing(platform) as stream:
        await stream.open(1, seated.game_id, token_of(seated.seats[turn]), play_only=True)
        await make_move(seated)
        assert (await stream.play(1, "zero")).HasField("error")
        assert (await stream.close(1)).HasField("closed")
        assert ["opened", "error", "closed"] == [
            answer.WhichOneof("response") for answer in stream.heard
        ]


async def test_channel_is_closed_when_its_token_is_replaced_and_the_others_go_on(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        await platform.claim(seated.game_id, 0)
        closed = (await stream.until(1, "closed")).closed
        assert "TOKEN_SUPERSEDED" == reason_of(closed.status)
        assert "FIELD_INVALID" == reason_of((await stream.play(1, "pass")).error)
        await platform.deal(seated.game_id)
        assert (await stream.until(2, "events")).events.events


async def test_end_of_a_game_is_told_and_the_channel_stays_until_it_is_closed(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        await platform.delete(seated.game_id)
        for channel in (1, 2, 3):
            if not any(each.channel == channel and each.HasField("end") for each in stream.heard):
                await stream.until(channel, "end")
        assert "GAME_NOT_FOUND" == reason_of((await stream.play(2, "pass")).error)
        assert not (await stream.close(2)).closed.HasField("status")


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (ChannelRequest(play=PlayMoves()), "channel"),
        (ChannelRequest(channel=7, play=PlayMoves()), "channel"),
        (ChannelRequest(channel=7, close=CloseChannel()), "channel"),
        (ChannelRequest(channel=7), "channel"),
        (ChannelRequest(channel=7, open={"game_id": "", "token": "t"}), "open.game_id"),  # type: ignore[arg-type]
        (ChannelRequest(channel=7, open={"game_id": "g"}), "open.token"),  # type: ignore[arg-type]
    ],
)
async def test_ask_that_says_too_little_is_refused_by_the_field(
    ask: ChannelRequest, field: str, platform: Client
) -> None:
    async with playing(platform) as stream:
        await stream.ask(ask)
        answer = await stream.next()
        assert ask.channel == answer.channel
        assert "FIELD_INVALID" == reason_of(answer.error)
        assert field in answer.error.message


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.PlayGamesRequest(), "FIELD_INVALID"),
        (pb.PlayGamesRequest(requests=[ChannelRequest(channel=1)] * 1_001), "FIELD_INVALID"),
        (
            pb.PlayGamesRequest(
                requests=[
                    ChannelRequest(
                        channel=1,
                        play=PlayMoves(moves=[Move(notation="0" * MAX_REQUEST_BYTES)]),
                    )
                ]
            ),
            "REQUEST_TOO_LARGE",
        ),
    ],
)
async def test_message_that_cannot_be_read_ends_the_stream_after_what_came_before(
    request_: pb.PlayGamesRequest, reason: str, platform: Client
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        await stream.call.write(request_)
        assert reason == (await refusal_of(stream.to_the_end())).reason


async def test_stream_ends_when_all_that_was_asked_is_answered(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    async with playing(platform) as stream:
        await _open_all(stream, seated)
        asks = [
            ChannelRequest(channel=2, tag=1_000 + at, play=PlayMoves(moves=[Move(notation="zero")]))
            for at in range(3 * MAX_PENDING_REQUESTS)
        ]
        for start in range(0, len(asks), 64):
            await stream.ask(*asks[start : start + 64])
        await stream.call.done_writing()
        wanted = {ask.tag for ask in asks}
        while wanted:
            wanted.discard((await stream.next()).tag)
        await stream.to_the_end()


async def test_stopping_worker_answers_what_was_asked_and_says_that_it_stops(
    house: House,
) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with worker(house, streams=streams) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with playing(platform) as stream:
            await _open_all(stream, seated)
            streams.close()
            assert "SHUTTING_DOWN" == (await refusal_of(stream.to_the_end())).reason
        async with playing(platform) as late:
            assert "SHUTTING_DOWN" == (await refusal_of(late.next())).reason


async def test_each_ask_counts_against_the_rates_of_its_game_and_seat(house: House) -> None:
    bounds = Bounds(rates=RateLimits(player_per_s=0.002, burst_s=2_000))
    async with worker(house, bounds=bounds) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform)
        async with playing(platform) as stream:
            await _open_all(stream, seated)
            reasons = [reason_of((await stream.play(1, "zero")).error) for _ in range(4)]
            assert ["MOVE_MALFORMED"] * 4 == reasons
            played = [reason_of((await stream.play(1, "pass")).error) for _ in range(4)]
            assert "RATE_LIMITED" == played[-1]
            assert "RATE_LIMITED" != reason_of((await stream.play(2, "pass")).error)


async def test_channels_leave_nothing_behind_when_their_stream_is_cut_off(
    house: House, platform: Client
) -> None:
    seated = await seat_all(platform)
    async with playing(platform) as stream:
        await _open_all(stream, seated)

    async def nobody_listens() -> bool:
        return not await house.command("PUBSUB", "SHARDCHANNELS")

    await until(nobody_listens)
