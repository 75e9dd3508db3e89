from __future__ import annotations

import pytest
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import GameId
from mextrain_service.rpc.messages.names import is_name
from tests.rpc.games import seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, persons

NAMES = {
    "none": "",
    "of_several_words": "Ann O'Hara-Żółć 2",
    "japanese_with_a_wide_space": "山田　太郎",
    "persian_with_a_joiner": "می\u200cخواهم",  # noqa: RUF001 - not Latin letters
    "hindi_with_a_joiner": "क्\u200dष",
    "sinhala_with_a_joiner": "ශ්\u200dරී",
    "a_family": "👩\u200d👩\u200d👧\u200d👦",
    "a_flag_of_two_letters": "🇯🇵",
    "a_flag_of_a_part": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "emoji_with_a_skin_and_a_style": "🤙🏽❤\ufe0f",
    "newer_than_the_tables": "\U0001faff\U0003347f",
}
MISLEADING = {
    "line_feed": "a\nb",
    "null": "a\0b",
    "tab": "a\tb",
    "override_to_the_left": "\u202eann",
    "isolate": "a\u2066b",
    "mark_of_direction": "a\u200f",
    "byte_order_mark": "a\ufeffb",
    "width_of_nothing": "a\u200bb",
    "space_that_does_not_break": "a\u00a0b",
    "line_separator": "a\u2028b",
    "private_character": "\ue000",
    "lone_surrogate": "\ud800",
    "noncharacter": "\uffff",
    "joiner_alone": "\u200d",
    "joiner_at_the_end": "می\u200c",
    "joiner_between_latin_letters": "a\u200db",
    "two_joiners": "م\u200c\u200cی",
    "tag_without_a_flag": "a\U000e0067",
}


@pytest.mark.parametrize("kind", NAMES)
def test_name_in_any_script_is_accepted(kind: str) -> None:
    assert is_name(NAMES[kind])


@pytest.mark.parametrize("kind", MISLEADING)
def test_name_that_misleads_is_refused(kind: str) -> None:
    assert not is_name(MISLEADING[kind])


async def test_game_is_created_with_such_names_and_not_with_misleading_ones(
    platform: Client,
) -> None:
    def request(name: str) -> pb.CreateGameRequest:
        person = game_pb2.Person(player_id="ann", display_name=name)
        return pb.CreateGameRequest(seats=[game_pb2.Seat(person=person), *persons(1)])

    for name in NAMES.values():
        created = await platform.create_game(request(name))
        assert created.game.seats[0].person.display_name == name
    refused = await refusal_of(platform.create_game(request("\u202eann")))
    assert (("seats[0].person.display_name", "BAD_CHARACTERS"),) == refused.violations


@pytest.mark.parametrize("name", ["Bob", "bob", "  Bob ", "\uff22ob"])
async def test_invited_player_does_not_take_the_name_of_somebody_at_the_table(
    platform: Client, house: House, name: str
) -> None:
    bob = game_pb2.Seat(person=game_pb2.Person(player_id="bob", display_name="Bob"))
    seated = await seat_all(platform, seats=[bob, game_pb2.Seat(open=game_pb2.OpenSeat())])
    token = house.tokens().invitation(GameId(seated.game_id), 1, house.clock.now_ms()).token
    invited = platform.bearing(token)
    claim = pb.ClaimSeatRequest(game_id=seated.game_id, seat=1, display_name=name)
    refused = await refusal_of(invited.stub.ClaimSeat(claim, metadata=invited.metadata))
    assert (("display_name", "DUPLICATE"),) == refused.violations
    claim.display_name = "Bobby"
    await invited.stub.ClaimSeat(claim, metadata=invited.metadata)
