"""Tokens of a platform's own players: which are accepted, and which seats they open."""

from __future__ import annotations

import base64
import hmac
import json
import warnings
from collections.abc import AsyncIterator
from math import inf, nan
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.callers import PlayerCaller
from mextrain_service.application.model import PlatformId, PlayerId
from mextrain_service.application.refused import (
    AUDIENCE_WRONG,
    CREDENTIAL_MALFORMED,
    ISSUER_UNKNOWN,
    TOKEN_EARLY,
    TOKEN_EXPIRED,
    TOKEN_FORGED,
    token_expired,
)
from mextrain_service.auth.player_tokens import (
    ALGORITHMS,
    PlatformIssuer,
    PlayerTokens,
    SigningKeyUnknownError,
)
from mextrain_service.auth.public_keys import PublicKeys
from tests.refusals import refusal
from tests.rpc.fake_clock import FakeClock
from tests.rpc.games import Seated, seat_all
from tests.rpc.players import AUDIENCE, issuer_of, key_set, player_token, signing_key
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, worker

ACME = PlatformId("acme")


def _tokens(keys: PublicKeys | None = None, clock: FakeClock | None = None) -> PlayerTokens:
    if keys is None:
        keys = PublicKeys()
        keys.replace(key_set("acme"))
    return PlayerTokens(
        [PlatformIssuer(ACME, issuer_of("acme"), AUDIENCE, keys)], clock or FakeClock()
    )


def test_token_speaks_for_the_player_of_its_platform() -> None:
    expected = PlayerCaller(ACME, PlayerId("ann"))
    tokens = _tokens()
    assert expected == tokens.caller(player_token("ann")) == tokens.caller(player_token("ann"))


def test_token_may_be_for_several_services() -> None:
    several = player_token("ann", aud=["chat", AUDIENCE])
    assert PlayerId("ann") == _tokens().caller(several).player_id


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_token_is_accepted_with_every_algorithm_that_is_named(algorithm: str) -> None:
    private: Any = {
        "R": lambda: RSAKey.generate_key(2048, {"kid": "k"}),
        "P": lambda: RSAKey.generate_key(2048, {"kid": "k"}),
        "E": lambda: ECKey.generate_key(f"P-{algorithm[2:]}", {"kid": "k"}),
    }
    key = (
        OKPKey.generate_key("Ed25519", {"kid": "k"})
        if algorithm == "Ed25519"
        else private[algorithm[0]]()
    )
    keys = PublicKeys()
    keys.replace(json.dumps({"keys": [key.as_dict(private=False)]}))
    claims = {"iss": issuer_of("acme"), "aud": AUDIENCE, "sub": "ann", "exp": 2**40}
    with warnings.catch_warnings(action="ignore"):
        token = jwt.encode({"alg": algorithm, "kid": "k"}, claims, key, algorithms=[algorithm])
    assert PlayerId("ann") == _tokens(keys).caller(token).player_id


def _with_public_key() -> str:
    """Return a token as anyone can make one if the public key is taken for a shared secret."""
    claims = {"iss": issuer_of("acme"), "aud": AUDIENCE, "sub": "ann", "exp": 2**40}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "kid": "acme"}, claims)
    ]
    mac = hmac.digest(signing_key("acme").as_pem(private=False), b".".join(parts), "sha256")
    return b".".join((*parts, base64.urlsafe_b64encode(mac).rstrip(b"="))).decode()


def _claiming(claim: str, value: Any) -> str:
    return player_token("ann", **{claim: value})


REFUSED = {
    "of_another_key_of_that_name": (
        jwt.encode(
            {"alg": "ES256", "kid": "acme"},
            {"iss": issuer_of("acme"), "aud": AUDIENCE, "sub": "ann", "exp": 2**40},
            ECKey.generate_key("P-256"),
        ),
        TOKEN_FORGED,
    ),
    "signed_with_the_public_key_as_a_secret": (_with_public_key(), TOKEN_FORGED),
    "of_a_key_that_is_not_in_the_set": (player_token("ann", key="new"), TOKEN_FORGED),
    "of_another_issuer": (player_token("ann", platform="rival"), ISSUER_UNKNOWN),
    "that_names_an_issuer_and_is_of_another": (
        player_token("ann", platform="rival", key="acme", iss="https://elsewhere"),
        ISSUER_UNKNOWN,
    ),
    "for_another_service": (player_token("ann", aud="chat"), AUDIENCE_WRONG),
    "for_no_service": (player_token("ann", aud=None), AUDIENCE_WRONG),
    "without_a_player": (player_token("ann", sub=None), CREDENTIAL_MALFORMED),
    "of_a_player_without_a_name": (player_token(""), CREDENTIAL_MALFORMED),
    "of_a_player_with_a_long_name": (player_token("x" * 65), CREDENTIAL_MALFORMED),
    "without_an_end": (player_token("ann", exp=None), CREDENTIAL_MALFORMED),
    "for_later": (player_token("ann", nbf=2**39), TOKEN_EARLY),
    **{
        f"with_{claim}_{value!r}": (_claiming(claim, value), CREDENTIAL_MALFORMED)
        for claim in ("exp", "nbf")
        for value in (nan, inf, -inf, 1e308, -1, True, "1", [1])
    },
    **{
        f"of_a_player_called_{name!a}": (player_token(name), CREDENTIAL_MALFORMED)
        for name in ("a\0b", "a\nb", "\ud800", "\u202eann")
    },
    "that_is_over": (player_token("ann", expires_s=1), TOKEN_EXPIRED),
    "that_is_too_long": (player_token("ann", more="x" * 8_192), CREDENTIAL_MALFORMED),
}


@pytest.mark.parametrize("name", REFUSED)
def test_token_is_refused(name: str) -> None:
    token, kind = REFUSED[name]
    with refusal(kind):
        _tokens().caller(token)


@pytest.mark.parametrize("text", ["", "a.b.c", "a.b", "....", "é.é.é", "x" * 9_000])
def test_text_that_is_no_token_is_malformed(text: str) -> None:
    with refusal(CREDENTIAL_MALFORMED):
        _tokens().caller(text)


def test_token_expires_with_half_a_minute_of_leeway_even_when_it_was_seen_before() -> None:
    clock = FakeClock()
    tokens = _tokens(clock=clock)
    token = player_token("ann", expires_s=clock.now_ms() // 1_000)
    tokens.caller(token)
    clock.advance(29)
    tokens.caller(token)
    clock.advance(1)
    with refusal(TOKEN_EXPIRED) as caught:
        tokens.caller(token)
    assert token_expired(clock.now_ms() - 30_000).facts == caught.value.facts


def test_verified_tokens_are_kept_up_to_a_number() -> None:
    keys = PublicKeys()
    keys.replace(key_set("acme"))
    issuer = PlatformIssuer(ACME, issuer_of("acme"), AUDIENCE, keys)
    tokens = PlayerTokens([issuer], FakeClock(), verified_kept=2)
    issued = [player_token(f"player-{number}") for number in range(5)]
    assert [tokens.caller(each).player_id for each in issued * 2] == [
        f"player-{number}" for number in range(5)
    ] * 2
    assert [tokens.knows(each) for each in issued] == [False, False, False, True, True]


def test_token_of_a_key_that_left_the_set_is_refused_even_when_it_was_seen_before() -> None:
    keys = PublicKeys()
    keys.replace(key_set("acme", "old"))
    tokens, token = _tokens(keys), player_token("ann", key="old")
    tokens.caller(token)
    keys.replace(key_set("acme"))
    with pytest.raises(SigningKeyUnknownError):
        tokens.caller(token)


def test_token_without_the_name_of_a_key_is_accepted_when_there_is_only_one() -> None:
    claims = {"iss": issuer_of("acme"), "aud": AUDIENCE, "sub": "ann", "exp": 2**40}
    token = jwt.encode({"alg": "ES256"}, claims, signing_key("acme"))
    assert PlayerId("ann") == _tokens().caller(token).player_id
    keys = PublicKeys()
    keys.replace(key_set("acme", "other"))
    with pytest.raises(SigningKeyUnknownError):
        _tokens(keys).caller(token)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"keys": 1}', '{"keys": []}', '{"keys": [1]}'),
        json.dumps({"keys": [OctKey.generate_key(256).as_dict()]}),
        json.dumps({"keys": [signing_key("leaked").as_dict(private=True)]}),
        json.dumps({"keys": [{**signing_key("enc").as_dict(private=False), "use": "enc"}]}),
        json.dumps({"keys": [{"kty": "RSA", "e": "AQAB", "n": "v" * 171}]}),
    ],
    ids=[
        *("nothing", "a_list", "empty", "a_number", "no_keys", "no_key"),
        *("a_shared_secret", "a_private_key", "for_encryption", "too_short"),
    ],
)
def test_set_without_a_key_that_can_be_used_is_refused_and_changes_nothing(text: str) -> None:
    keys = PublicKeys()
    keys.replace(key_set("acme"))
    with pytest.raises(ValueError):
        keys.replace(text)
    assert 1 == len(keys)


def test_two_issuers_of_one_name_are_refused() -> None:
    issuers = [PlatformIssuer(PlatformId(name), "same", "", PublicKeys()) for name in ("a", "b")]
    with pytest.raises(ValueError, match="issuer"):
        PlayerTokens(issuers, FakeClock())


@pytest.fixture
async def other(house: House) -> AsyncIterator[Client]:
    """A second worker, with a memory of its own."""
    async with worker(house) as client:
        yield client


OPEN = (
    game_pb2.Seat(person=game_pb2.Person(player_id="ann")),
    game_pb2.Seat(person=game_pb2.Person(player_id="bob")),
    game_pb2.Seat(open=game_pb2.OpenSeat()),
)


async def _open_game(platform: Client) -> Seated:
    return await seat_all(platform, seats=OPEN)


async def _claim(client: Client, game_id: str, seat: int, **fields: Any) -> pb.ClaimSeatResponse:
    request = pb.ClaimSeatRequest(game_id=game_id, seat=seat, **fields)
    return await client.stub.ClaimSeat(request, metadata=client.metadata)


async def test_player_acts_as_the_seat_that_is_bound_to_the_account(platform: Client) -> None:
    seated = await seat_all(platform)
    turn = (await platform.deal(seated.game_id)).game.view.round.turn
    player = platform.bearing(player_token(f"account-{turn}"))
    mine = await player.get_game(seated.game_id)
    assert turn == mine.view.seat
    assert mine == await seated.seats[turn].get_game(seated.game_id)
    moves = (await player.legal_moves(seated.game_id)).moves
    assert turn == (await player.play_moves(seated.game_id, moves[0])).view.seat
    stream = player.watch(seated.game_id)
    assert isinstance(await stream.read(), pb.WatchGameResponse)


async def test_game_does_not_exist_for_players_without_a_seat_and_of_other_platforms(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    for token in (player_token("stranger"), player_token("account-0", platform="rival")):
        player = platform.bearing(token)
        refused = await refusal_of(player.get_game(seated.game_id))
        assert "GAME_NOT_FOUND" == refused.reason


async def test_player_takes_an_open_seat_with_the_account(
    platform: Client, other: Client, house: House
) -> None:
    seated = await _open_game(platform)
    player = platform.bearing(player_token("cas"))
    await refusal_of(player.get_game(seated.game_id))
    claimed = await _claim(player, seated.game_id, 2, request_id="sit", display_name="Cas")
    assert "cas" == claimed.game.seats[2].person.player_id
    assert claimed == await _claim(player, seated.game_id, 2, request_id="sit", display_name="Cas")
    elsewhere = other.bearing(player_token("cas"))
    assert 2 == (await elsewhere.get_game(seated.game_id)).view.seat
    assert 2 == (await player.get_game(seated.game_id)).view.seat


async def test_player_is_refused_the_seat_of_another(platform: Client) -> None:
    seated = await _open_game(platform)
    player = platform.bearing(player_token("cas"))
    assert "SEAT_TAKEN" == (await refusal_of(_claim(player, seated.game_id, 1))).reason
    await _claim(player, seated.game_id, 2)
    late = platform.bearing(player_token("dee"))
    assert "SEAT_TAKEN" == (await refusal_of(_claim(late, seated.game_id, 2))).reason


async def test_player_who_claims_the_own_seat_has_a_new_token_and_the_old_one_dies(
    platform: Client,
) -> None:
    seated = await _open_game(platform)
    player = platform.bearing(player_token("ann"))
    token = (await _claim(player, seated.game_id, 0)).seat_token.token
    assert 0 == (await platform.bearing(token).get_game(seated.game_id)).view.seat
    assert 0 == (await player.get_game(seated.game_id)).view.seat
    old = await refusal_of(seated.seats[0].get_game(seated.game_id))
    assert "TOKEN_SUPERSEDED" == old.reason


async def test_player_finds_the_seat_although_this_worker_remembers_an_older_token(
    platform: Client, other: Client
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    player = platform.bearing(player_token("account-0"))
    await player.get_game(seated.game_id)
    await _claim(other.bearing(player_token("account-0")), seated.game_id, 0)
    assert 0 == (await player.get_game(seated.game_id)).view.seat
    assert (await player.legal_moves(seated.game_id)).version > 1


async def test_player_lists_the_own_games_and_no_others(platform: Client) -> None:
    mine, others = await _open_game(platform), await seat_all(platform)
    player = platform.bearing(player_token("ann"))
    listed = await player.stub.ListGames(pb.ListGamesRequest(), metadata=player.metadata)
    assert [mine.game_id] == [each.game_id for each in listed.games]
    request = pb.ListGamesRequest(player_id="account-0")
    named = await refusal_of(player.stub.ListGames(request, metadata=player.metadata))
    assert "PERMISSION_DENIED" == named.reason
    assert others.game_id not in str(listed)


async def test_player_may_not_do_what_is_for_platforms(platform: Client) -> None:
    seated = await _open_game(platform)
    player = platform.bearing(player_token("ann"))
    for call in (
        player.create_game(pb.CreateGameRequest(seats=OPEN)),
        player.delete(seated.game_id),
        player.deal(seated.game_id),
    ):
        assert "PERMISSION_DENIED" == (await refusal_of(call)).reason


async def test_token_of_an_unknown_key_is_refused_with_its_cause(platform: Client) -> None:
    for token, cause in (
        (player_token("ann", key="new"), "forged"),
        (player_token("ann", aud="chat"), "wrong_audience"),
        (player_token("ann", iss="https://elsewhere"), "unknown_issuer"),
        (player_token("ann", nbf=2**39), "not_yet_valid"),
    ):
        refused = await refusal_of(platform.bearing(token).get_game("A" * 22))
        assert ("UNAUTHENTICATED", "TOKEN_INVALID") == (refused.code, refused.reason)
        assert {"cause": cause} == dict(refused.facts)
