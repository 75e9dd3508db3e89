"""The service lets in whom the matrix lets in: every method, every caller, every cell."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import mextrain.v1
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from grpc import aio
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.move_pb2 import Move

from mextrain_service.application.model import GameId
from mextrain_service.auth.seat_tokens import SeatTokens
from tests.rpc.access_matrix import CALLERS, MATRIX, OK
from tests.rpc.calls import CALLS, PEOPLE
from tests.rpc.games import Seated, seat_all
from tests.rpc.players import player_token
from tests.rpc.refusing import read, refusal_of
from tests.rpc.serving import Client, House, worker
from tools.access_page import PAGE, page

OPEN_SEAT = 2
WATCHED = game_pb2.TablePolicy(spectators=True)
WITH_OPEN_SEAT = (*PEOPLE, game_pb2.Seat(open=game_pb2.OpenSeat()))
"""Whoever is invited must have an open seat to be invited to."""

PAST_THE_DOOR = {"ROUND_NOT_DEALT", "SEAT_OPEN"}
"""Refusals of the rules: whoever gets one was let in."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a kind of caller does: with which client, for which game, meaning which seat."""

    client: Client
    game_id: str
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Games, and what each kind of caller does with them."""

    attempts: dict[str, Attempt]

    async def answer(self, method: str, caller: str) -> str:
        """Return ``OK`` or the reason of the refusal."""
        attempt = self.attempts[caller]
        try:
            await CALLS[method](attempt.client, attempt.game_id, attempt.seat)
        except aio.AioRpcError as error:
            reason = read(error).reason
            return OK if reason in PAST_THE_DOOR else reason
        return OK


async def _scene(platform: Client, rival: Client, nobody: Client, house: House) -> Scene:
    own = await seat_all(platform, seats=PEOPLE, policy=WATCHED)
    other = await seat_all(platform, seats=PEOPLE, policy=WATCHED)
    unwatched = await seat_all(platform, seats=PEOPLE)
    inviting = await seat_all(platform, seats=WITH_OPEN_SEAT)
    game_id, tokens, now_ms = own.game_id, house.tokens(), house.clock.now_ms()
    renewed = await _renewed(platform)
    invited = tokens.invitation(GameId(inviting.game_id), OPEN_SEAT, now_ms)
    invitation = _bearing(nobody, invited.token)
    return Scene(
        {
            "platform": Attempt(platform, game_id),
            "other_platform": Attempt(rival, game_id),
            "operator": Attempt(_bearing(nobody, house.operator_key.text), game_id),
            "own_seat": Attempt(own.seats[0], game_id, 0),
            "another_seat": Attempt(own.seats[1], game_id, 0),
            "old_token": Attempt(renewed.seats[0], renewed.game_id, 0),
            "other_game": Attempt(other.seats[0], game_id, 0),
            "player": Attempt(_bearing(nobody, player_token("ann")), game_id, 0),
            "player_another_seat": Attempt(_bearing(nobody, player_token("bob")), game_id, 0),
            "player_no_seat": Attempt(_bearing(nobody, player_token("cas")), game_id, 0),
            "other_player": Attempt(
                _bearing(nobody, player_token("ann", platform="rival")), game_id, 0
            ),
            "invited": Attempt(invitation, inviting.game_id, OPEN_SEAT),
            "invited_another_seat": Attempt(invitation, inviting.game_id, 0),
            "invited_other_game": Attempt(invitation, game_id, OPEN_SEAT),
            "spectator": Attempt(own.spectator, game_id),
            "spectator_unwanted": Attempt(
                _spectator(nobody, tokens, unwatched, now_ms), unwatched.game_id
            ),
            "spectator_other_game": Attempt(other.spectator, game_id),
            "nobody": Attempt(nobody, game_id),
        }
    )


def _bearing(nobody: Client, credential: str) -> Client:
    return nobody.bearing(credential)


def _spectator(nobody: Client, tokens: SeatTokens, seated: Seated, now_ms: int) -> Client:
    return nobody.bearing(tokens.spectator_token(GameId(seated.game_id), now_ms).token)


async def _renewed(platform: Client) -> Seated:
    """Return a game whose first seat has a newer token than the one that was issued with it."""
    seated = await seat_all(platform, seats=PEOPLE, policy=WATCHED)
    await platform.claim(seated.game_id, 0)
    return seated


@pytest.fixture
async def served(house: House) -> AsyncIterator[Client]:
    """A worker without limits, for one row of the matrix."""
    async with worker(house) as client:
        yield client


@pytest.mark.parametrize("method", MATRIX)
async def test_method_answers_every_caller_as_the_matrix_says(
    method: str, served: Client, house: House
) -> None:
    platform = served.bearing(house.key.text)
    rival = served.bearing(house.other_key.text)
    answers = {}
    for caller in CALLERS:
        scene = await _scene(platform, rival, served, house)  # a call may change the game
        answers[caller] = await scene.answer(method, caller)
    assert MATRIX[method] == answers


def _methods() -> dict[str, MethodDescriptor]:
    """Return every method of every service of the contract."""
    found = {}
    for module in pkgutil.iter_modules(mextrain.v1.__path__):
        if module.name.endswith("_pb2"):
            file: Any = importlib.import_module(f"mextrain.v1.{module.name}")
            for service in file.DESCRIPTOR.services_by_name.values():
                found.update(service.methods_by_name)
    return found


def test_matrix_has_a_row_for_every_method_of_the_contract_and_a_cell_for_every_caller() -> None:
    assert set(_methods()) == set(MATRIX) == set(CALLS)
    assert all(list(CALLERS) == list(row) for row in MATRIX.values())


BAD_CREDENTIALS = {
    "not-a-token": "TOKEN_INVALID",
    f"mxk_acme_{'A' * 43}": "TOKEN_INVALID",
    f"mxo_ann_{'A' * 43}": "TOKEN_INVALID",
    player_token("ann", key="unknown"): "TOKEN_INVALID",
    player_token("ann", expires_s=1): "TOKEN_EXPIRED",
}


@pytest.mark.parametrize("method", MATRIX)
async def test_bad_credential_is_refused_by_every_method_and_never_taken_for_none(
    method: str, served: Client
) -> None:
    for credential, reason in BAD_CREDENTIALS.items():
        call = CALLS[method](served.bearing(credential), "A" * 22, 0)
        assert reason == (await refusal_of(call)).reason


@pytest.mark.parametrize(
    "method",
    [
        name
        for name in MATRIX
        if "game_id" in str(_methods()[name].input_type.fields_by_name.keys())
    ],
)
async def test_game_that_is_not_there_is_absent_for_whoever_may_ask_at_all(
    method: str, served: Client, house: House
) -> None:
    nowhere, now_ms = GameId("A" * 22), house.clock.now_ms()
    tokens = house.tokens()
    clients = {
        "platform": served.bearing(house.key.text),
        "own_seat": served.bearing(tokens.seat_token(nowhere, 0, 1, now_ms).token),
        "spectator": served.bearing(tokens.spectator_token(nowhere, now_ms).token),
        "player": served.bearing(player_token("ann")),
        "operator": served.bearing(house.operator_key.text),
    }
    for caller, client in clients.items():
        if MATRIX[method][caller] == OK:
            refused = await refusal_of(CALLS[method](client, nowhere, 0))
            assert (caller, "GAME_NOT_FOUND") == (caller, refused.reason)


_STALE = 99_999
_CHANGES: dict[str, Callable[[str, int], Message]] = {
    "ClaimSeat": lambda game_id, seat: pb.ClaimSeatRequest(
        game_id=game_id, seat=seat, expected_version=_STALE
    ),
    "ResignSeat": lambda game_id, seat: pb.ResignSeatRequest(
        game_id=game_id, seat=seat, expected_version=_STALE
    ),
    "SubstituteSeat": lambda game_id, seat: pb.SubstituteSeatRequest(
        game_id=game_id, seat=seat, bot=game_pb2.Bot(), expected_version=_STALE
    ),
    "AddEntropy": lambda game_id, seat: pb.AddEntropyRequest(
        game_id=game_id, seat=seat, entropy=b"dice", expected_version=_STALE
    ),
    "DealRound": lambda game_id, _: pb.DealRoundRequest(game_id=game_id, expected_version=_STALE),
    "PlayMove": lambda game_id, _: pb.PlayMoveRequest(
        game_id=game_id, moves=[Move(notation="draw")], expected_version=_STALE
    ),
    "DeleteGame": lambda game_id, _: pb.DeleteGameRequest(game_id=game_id, expected_version=_STALE),
}
"""A request of each method that takes ``expected_version``, with one that no game has."""


def test_every_method_that_expects_a_version_is_tried_with_a_stale_one() -> None:
    guarded = {
        name
        for name, method in _methods().items()
        if "expected_version" in method.input_type.fields_by_name
    }
    assert guarded == set(_CHANGES)


@pytest.mark.parametrize("method", _CHANGES)
async def test_refusal_shows_the_table_to_those_alone_whom_get_game_shows_it(
    method: str, served: Client, house: House
) -> None:
    platform, rival = served.bearing(house.key.text), served.bearing(house.other_key.text)
    scene = await _scene(platform, rival, served, house)
    shown = {}
    for caller, attempt in scene.attempts.items():
        call: Any = getattr(attempt.client.stub, method)
        request = _CHANGES[method](attempt.game_id, attempt.seat)
        refused = await refusal_of(call(request, metadata=attempt.client.metadata))
        shown[caller] = refused.view is not None
        assert shown[caller] == ("version" in refused.facts), caller
    assert not [caller for caller in shown if shown[caller] and MATRIX["GetGame"][caller] != OK]
    assert shown["platform"] or MATRIX[method]["platform"] != OK


async def test_used_invitation_and_player_without_a_seat_learn_nothing_of_the_version(
    served: Client, house: House
) -> None:
    seated = await seat_all(served.bearing(house.key.text), seats=WITH_OPEN_SEAT)
    game_id, now_ms = seated.game_id, house.clock.now_ms()
    invitation = house.tokens().invitation(GameId(game_id), OPEN_SEAT, now_ms)
    invited = served.bearing(invitation.token)
    await invited.claim(game_id, OPEN_SEAT)
    for late in (invited, served.bearing(player_token("cas"))):
        refusals = []
        for version in (0, 1, 2, _STALE):
            request = pb.ClaimSeatRequest(game_id=game_id, seat=OPEN_SEAT, expected_version=version)
            call = late.stub.ClaimSeat(request, metadata=late.metadata)
            refusals.append(await refusal_of(call))
        assert [refusals[0]] * 4 == refusals
        assert ("SEAT_TAKEN", None) == (refusals[0].reason, refusals[0].view)


def test_page_is_that_of_the_matrix() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `make docs-access`"
