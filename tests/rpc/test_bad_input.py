"""Requests that cannot be: each has a stable reason with the facts, and changes nothing."""

from __future__ import annotations

import pytest
from mextrain.v1 import game_pb2, move_pb2, rule_options_pb2, rule_set_pb2, tile_pb2, train_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.rpc.games import STORED_ID, dealt_out, first_turn, seat_all, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import MAX_REQUEST_BYTES, Client, House, bots, persons, worker


def _seat(player_id: str, name: str = "") -> game_pb2.Seat:
    return game_pb2.Seat(person=game_pb2.Person(player_id=player_id, display_name=name))


CREATIONS: dict[str, tuple[pb.CreateGameRequest, list[tuple[str, str]]]] = {
    "no_seats": (pb.CreateGameRequest(), [("seats", "REQUIRED")]),
    "one_seat": (pb.CreateGameRequest(seats=persons(1)), [("seats", "OUT_OF_RANGE")]),
    "fifteen_seats": (pb.CreateGameRequest(seats=persons(15)), [("seats", "OUT_OF_RANGE")]),
    "nobody_on_a_seat": (
        pb.CreateGameRequest(seats=[*persons(1), game_pb2.Seat()]),
        [("seats[1]", "REQUIRED")],
    ),
    "the_same_player_twice": (
        pb.CreateGameRequest(seats=[_seat("a"), _seat("b"), _seat("a")]),
        [("seats[2].person.player_id", "DUPLICATE")],
    ),
    "unknown_enum_values": (
        pb.CreateGameRequest(
            seats=[*persons(1), game_pb2.Seat(bot=game_pb2.Bot(level=99))],  # type: ignore[arg-type]
            policy=game_pb2.TablePolicy(deal_by=77),  # type: ignore[arg-type]
            overrides=rule_set_pb2.RuleSet(hub_rule=55),  # type: ignore[arg-type]
        ),
        [
            ("overrides.hub_rule", "UNKNOWN_VALUE"),
            ("seats[1].bot.level", "UNKNOWN_VALUE"),
            ("policy.deal_by", "UNKNOWN_VALUE"),
        ],
    ),
    "everything_at_once": (
        pb.CreateGameRequest(
            preset="x" * 65,
            seats=[_seat(""), _seat("p" * 65, "n" * 65), _seat("ok", "tab\there")],
            request_id="r" * 65,
        ),
        [
            ("preset", "TOO_LONG"),
            ("seats[0].person.player_id", "REQUIRED"),
            ("seats[1].person.player_id", "TOO_LONG"),
            ("seats[1].person.display_name", "TOO_LONG"),
            ("seats[2].person.display_name", "BAD_CHARACTERS"),
            ("request_id", "TOO_LONG"),
        ],
    ),
    "steps_that_overlap": (
        pb.CreateGameRequest(
            seats=persons(3),
            overrides=rule_set_pb2.RuleSet(
                hand_size_by_players=[
                    rule_set_pb2.PlayerStep(min_players=2, max_players=4, value=9),
                    rule_set_pb2.PlayerStep(min_players=4, max_players=3, value=9),
                ]
            ),
        ),
        [
            ("overrides.hand_size_by_players[1].max_players", "OUT_OF_RANGE"),
            ("overrides.hand_size_by_players[1]", "OVERLAP"),
        ],
    ),
}


@pytest.mark.parametrize("name", CREATIONS)
async def test_create_game_names_every_field_that_is_wrong(
    name: str, platform: Client, house: House
) -> None:
    request, violations = CREATIONS[name]
    refused = await refusal_of(platform.create_game(request))
    assert (refused.code, refused.reason) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert list(refused.violations) == violations
    assert refused.facts["field"] == violations[0][0]
    assert await stored_bytes(house.redis) == {}


async def test_create_game_says_everything_that_is_wrong_with_the_rules(
    platform: Client, house: House
) -> None:
    overrides = rule_set_pb2.RuleSet(
        last_tile_penalty=3,
        hub_search=rule_options_pb2.HUB_SEARCH_REDEAL,
        hand_size_by_players=[rule_set_pb2.PlayerStep(min_players=4, max_players=4, value=40)],
    )
    request = pb.CreateGameRequest(seats=persons(4), overrides=overrides)
    refused = await refusal_of(platform.create_game(request))
    assert (refused.code, refused.reason) == ("INVALID_ARGUMENT", "RULE_SET_INVALID")
    assert refused.facts["problems"] == "CONTRADICTION,HANDS_EXCEED_SET"
    assert {
        ("hub_source", "CONTRADICTION"),
        ("last_tile_penalty", "CONTRADICTION"),
        ("hand_size_by_players", "HANDS_EXCEED_SET"),
    } <= set(refused.violations)
    assert await stored_bytes(house.redis) == {}


async def test_create_game_refuses_more_seats_than_the_rules_allow(platform: Client) -> None:
    refused = await refusal_of(platform.create_game(pb.CreateGameRequest(seats=persons(9))))
    assert refused.reason == "RULE_SET_INVALID"
    assert refused.facts["problems"] == "SEATS_NOT_ALLOWED"


async def test_unknown_preset_is_answered_with_the_nearest_name(nobody: Client) -> None:
    refused = await refusal_of(nobody.stub.ExplainRules(pb.ExplainRulesRequest(preset="modren")))
    assert (refused.code, refused.reason) == ("NOT_FOUND", "PRESET_NOT_FOUND")
    assert dict(refused.facts) == {"preset": "modren", "nearest": "modern"}


async def test_explain_rules_refuses_a_table_of_no_size(nobody: Client) -> None:
    refused = await refusal_of(nobody.stub.ExplainRules(pb.ExplainRulesRequest(players=15)))
    assert refused.violations == (("players", "OUT_OF_RANGE"),)


async def test_fixed_seed_is_refused_when_the_server_does_not_allow_it(house: House) -> None:
    fair = House(house.redis, house.clock, house.key, house.other_key, fixed_seed_allowed=False)
    async with worker(fair) as nobody:
        platform = nobody.bearing(house.key.text)
        request = pb.CreateGameRequest(seats=persons(2), fixed_seed=0)
        refused = await refusal_of(platform.create_game(request))
    assert (refused.code, refused.reason) == ("PERMISSION_DENIED", "FIXED_SEED_DISABLED")
    assert await stored_bytes(house.redis) == {}


@pytest.mark.parametrize(
    ("game_id", "code"),
    [
        ("", "REQUIRED"),
        ("g" * 65, "TOO_LONG"),
        ("{x}:s", "BAD_CHARACTERS"),
        ("é", "BAD_CHARACTERS"),
    ],
)
async def test_name_that_no_game_can_have_is_refused(
    game_id: str, code: str, platform: Client
) -> None:
    for call in (platform.get_game, platform.deal, platform.score):
        refused = await refusal_of(call(game_id))
        assert refused.reason == "FIELD_INVALID"
        assert refused.violations == (("game_id", code),)


async def test_unknown_game_is_not_found_by_any_method(platform: Client, house: House) -> None:
    token = house.tokens().seat_token(STORED_ID, 0, 1, house.clock.now_ms()).token
    seat = platform.bearing(token)
    calls = [
        platform.get_game(STORED_ID),
        platform.score(STORED_ID),
        platform.deal(STORED_ID),
        seat.play(STORED_ID, "draw"),
        seat.legal_moves(STORED_ID),
    ]
    for call in calls:
        refused = await refusal_of(call)
        assert (refused.code, refused.reason) == ("NOT_FOUND", "GAME_NOT_FOUND")
        assert dict(refused.facts) == {"game_id": STORED_ID}


Move = move_pb2.Move
_MEXICAN = train_pb2.TrainReference(mexican=True)


def _laid(high: int, low: int, train: train_pb2.TrainReference = _MEXICAN) -> move_pb2.Move:
    tile = tile_pb2.Tile(high=high, low=low)
    return Move(play_tile=move_pb2.PlayTile(tile=tile, train=train))


MALFORMED: dict[str, tuple[list[move_pb2.Move], str, dict[str, str]]] = {
    "tile_out_of_range": ([_laid(19, 2)], "TILE_MALFORMED", {"tile": "19-2"}),
    "negative_tile": ([_laid(5, -1)], "TILE_MALFORMED", {"tile": "5--1"}),
    "tile_in_notation": ([Move(notation="19-2@M")], "TILE_MALFORMED", {"tile": "19-2"}),
    "notation": (
        [Move(notation="12/5@2")],
        "MOVE_MALFORMED",
        {"text": "12/5@2", "field": "moves[0].notation"},
    ),
    "no_action": ([Move()], "MOVE_MALFORMED", {"text": "", "field": "moves[0]"}),
    "no_moves": ([], "FIELD_INVALID", {"field": "moves"}),
    "too_many_moves": ([Move(notation="pass")] * 65, "FIELD_INVALID", {"field": "moves"}),
    "no_tile": (
        [Move(play_tile=move_pb2.PlayTile(train=_MEXICAN))],
        "FIELD_INVALID",
        {"field": "moves[0].play_tile.tile"},
    ),
    "no_train": (
        [_laid(1, 0, train_pb2.TrainReference())],
        "FIELD_INVALID",
        {"field": "moves[0].play_tile.train"},
    ),
    "not_the_mexican_train": (
        [_laid(1, 0, train_pb2.TrainReference(mexican=False))],
        "FIELD_INVALID",
        {"field": "moves[0].play_tile.train"},
    ),
    "train_of_no_seat": (
        [_laid(1, 0, train_pb2.TrainReference(seat=-1))],
        "FIELD_INVALID",
        {"field": "moves[0].play_tile.train.seat"},
    ),
    "draw_before_the_end": (
        [Move(notation="draw"), Move(notation="12-5@M")],
        "FIELD_INVALID",
        {"field": "moves[0]"},
    ),
    "two_kinds_of_faults": (
        [_laid(19, 2), Move(play_tile=move_pb2.PlayTile(train=_MEXICAN))],
        "FIELD_INVALID",
        {"field": "moves[0].play_tile.tile"},
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_malformed_move_is_refused(name: str, platform: Client, house: House) -> None:
    moves, reason, facts = MALFORMED[name]
    seated = await seat_all(platform)
    turn = first_turn((await platform.deal(seated.game_id)).game)
    seat = seated.seats[turn]
    before = await stored_bytes(house.redis)
    request = pb.PlayMoveRequest(game_id=seated.game_id, moves=moves)
    refused = await refusal_of(seat.stub.PlayMove(request, metadata=seat.metadata))
    assert (refused.code, refused.reason) == ("INVALID_ARGUMENT", reason)
    assert facts.items() <= dict(refused.facts).items()
    assert refused.violations
    assert before == await stored_bytes(house.redis)


@pytest.mark.parametrize("field", ["expected_version", "seat"])
async def test_negative_number_is_refused(field: str, platform: Client) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(seated.seats[0].play(seated.game_id, "draw", **{field: -1}))
    assert refused.violations == ((field, "OUT_OF_RANGE"),)


async def test_oversized_request_is_refused_with_the_limit(platform: Client, house: House) -> None:
    request = pb.CreateGameRequest(seats=persons(2), preset="x" * MAX_REQUEST_BYTES)
    refused = await refusal_of(platform.create_game(request))
    assert (refused.code, refused.reason) == ("RESOURCE_EXHAUSTED", "REQUEST_TOO_LARGE")
    assert dict(refused.facts) == {
        "limit_bytes": str(MAX_REQUEST_BYTES),
        "size_bytes": str(request.ByteSize()),
    }
    assert await stored_bytes(house.redis) == {}


async def test_request_of_exactly_the_limit_is_read(platform: Client) -> None:
    request = pb.CreateGameRequest(seats=persons(2))
    request.preset = "x" * (MAX_REQUEST_BYTES - request.ByteSize() - 3)
    assert request.ByteSize() == MAX_REQUEST_BYTES
    assert (await refusal_of(platform.create_game(request))).reason == "FIELD_INVALID"
    request.preset += "x"
    assert (await refusal_of(platform.create_game(request))).reason == "REQUEST_TOO_LARGE"


async def test_bytes_that_are_no_message_are_refused(platform: Client) -> None:
    method = "/mextrain.v1.GameService/GetGame"
    refused = await refusal_of(platform.raw(method, b"\xff\xff\xff"))
    assert (refused.code, refused.reason) == ("INVALID_ARGUMENT", "FIELD_INVALID")
    assert refused.violations == (("", "UNREADABLE"),)


async def test_method_that_is_not_served_is_refused_with_its_name(platform: Client) -> None:
    method = "/mextrain.v1.GameService/TakeBack"
    refused = await refusal_of(platform.raw(method, b""))
    assert (refused.code, refused.reason) == ("UNIMPLEMENTED", "UNIMPLEMENTED")
    assert dict(refused.facts) == {"method": method}


async def test_round_cannot_be_dealt_while_one_is_live(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    before = await stored_bytes(house.redis)
    refused = await refusal_of(platform.deal(seated.game_id))
    assert (refused.code, refused.reason) == ("FAILED_PRECONDITION", "ROUND_IN_PROGRESS")
    assert before == await stored_bytes(house.redis)


async def test_round_cannot_be_dealt_while_a_seat_is_open(platform: Client) -> None:
    seats = [*persons(2), game_pb2.Seat(open=game_pb2.OpenSeat())]
    seated = await seat_all(platform, seats=seats)
    refused = await refusal_of(platform.deal(seated.game_id))
    assert (refused.reason, dict(refused.facts)) == ("SEAT_OPEN", {"seat": "2"})


async def test_nothing_goes_on_when_the_match_is_over(platform: Client, house: House) -> None:
    seated = await seat_all(platform, preset="ehow", seats=[*bots(2)])
    await dealt_out(platform, seated.game_id)
    before = await stored_bytes(house.redis)
    refused = await refusal_of(platform.deal(seated.game_id))
    assert (refused.code, refused.reason) == ("FAILED_PRECONDITION", "GAME_FINISHED")
    assert before == await stored_bytes(house.redis)
