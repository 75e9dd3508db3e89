"""API keys and tokens: what is accepted, and everything that is not."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from mextrain_service.application.callers import PlatformCaller, SeatCaller, SpectatorCaller
from mextrain_service.application.model import GameId, PlatformId
from mextrain_service.application.refused import (
    API_KEY_UNKNOWN,
    CREDENTIAL_MALFORMED,
    TOKEN_EXPIRED,
    TOKEN_FORGED,
    token_expired,
)
from mextrain_service.auth.api_keys import ApiKeys, generate_api_key, platform_id_of
from mextrain_service.auth.seat_tokens import SeatTokens, SigningKey
from tests.refusals import refusal
from tests.rpc.fake_clock import FakeClock

GAME = GameId("R6d1nC5sQkqJv0T2bWm3xA")
OLD = SigningKey("old", b"o" * 32)
NEW = SigningKey("new", b"n" * 32)
LIFE_S = 60


def _tokens(*keys: SigningKey, clock: FakeClock | None = None, kept: int = 8) -> SeatTokens:
    return SeatTokens(keys or (OLD,), LIFE_S, clock or FakeClock(), verified_kept=kept)


def _claims(**changes: object) -> dict[str, object]:
    return {
        "gid": GAME,
        "seat": 0,
        "gen": 1,
        "exp": FakeClock().now_ms() // 1000 + LIFE_S,
        **changes,
    }


def _signed(claims: Mapping[str, object], key: SigningKey = OLD, **header: str) -> str:
    whole = {"alg": "HS256", "kid": key.key_id, **header}
    return jwt.encode(whole, dict(claims), OctKey.import_key(key.secret), [whole["alg"]])


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_seat_token_speaks_for_its_game_seat_and_generation() -> None:
    tokens = _tokens()
    issued = tokens.seat_token(GAME, 3, 2, FakeClock().now_ms())
    assert tokens.caller(issued.token) == SeatCaller(GAME, 3, 2)
    assert (issued.seat, issued.expires_ms) == (3, FakeClock().now_ms() + LIFE_S * 1000)


def test_spectator_token_speaks_for_no_seat() -> None:
    tokens = _tokens()
    issued = tokens.spectator_token(GAME, FakeClock().now_ms())
    assert tokens.caller(issued.token) == SpectatorCaller(GAME)
    assert issued.seat is None


def test_token_is_the_same_when_it_is_issued_again() -> None:
    first, second = (_tokens().seat_token(GAME, 0, 1, 5_000) for _ in range(2))
    assert first == second


def test_token_expires_even_when_it_was_verified_before() -> None:
    clock = FakeClock()
    tokens = _tokens(clock=clock)
    issued = tokens.seat_token(GAME, 0, 1, clock.now_ms())
    tokens.caller(issued.token)
    clock.advance(LIFE_S)
    with refusal(TOKEN_EXPIRED) as caught:
        tokens.caller(issued.token)
    assert caught.value.facts == token_expired(issued.expires_ms).facts


def test_token_of_the_previous_key_stays_good_while_keys_change() -> None:
    issued = _tokens(OLD).seat_token(GAME, 0, 1, FakeClock().now_ms())
    changing = _tokens(NEW, OLD)
    assert changing.caller(issued.token) == SeatCaller(GAME, 0, 1)
    renewed = changing.seat_token(GAME, 0, 1, FakeClock().now_ms()).token
    assert _tokens(NEW).caller(renewed) == SeatCaller(GAME, 0, 1)
    with refusal(TOKEN_FORGED):
        _tokens(NEW).caller(issued.token)


FORGED = {
    "unsigned": f"{_part({'alg': 'none', 'kid': 'old'})}.{_part(_claims())}.",
    "another_digest": _signed(_claims(), alg="HS512"),
    "another_secret": _signed(_claims(), SigningKey("old", b"x" * 32)),
    "unknown_key": _signed(_claims(), NEW),
    "no_key_named": jwt.encode({"alg": "HS256"}, _claims(), OctKey.import_key(OLD.secret)),
    "public_key_as_secret": jwt.encode(
        {"alg": "RS256", "kid": "old"}, _claims(), RSAKey.generate_key(2048)
    ),
    "claims_of_another_service": _signed({"sub": "someone", "exp": 2**40}),
    "seat_without_generation": _signed({"gid": GAME, "seat": 0, "exp": 2**40}),
    "no_end": _signed({"gid": GAME, "seat": 0, "gen": 1}),
    "seat_as_text": _signed(_claims(seat="0")),
}


@pytest.mark.parametrize("name", FORGED)
def test_token_that_this_service_did_not_issue_is_forged(name: str) -> None:
    with refusal(TOKEN_FORGED):
        _tokens().caller(FORGED[name])


def test_token_with_other_claims_under_its_signature_is_forged() -> None:
    header, _, signature = _signed(_claims()).split(".")
    with refusal(TOKEN_FORGED):
        _tokens().caller(f"{header}.{_part(_claims(seat=1))}.{signature}")


@pytest.mark.parametrize(
    "text", ["", "abc", "a.b", "a.b.c", "é.é.é", "....", "x" * 2000, f"{_part({})}.{_part({})}"]
)
def test_text_that_is_no_token_is_malformed(text: str) -> None:
    with refusal(CREDENTIAL_MALFORMED):
        _tokens().caller(text)


def test_verified_tokens_are_kept_up_to_a_number() -> None:
    tokens = _tokens(kept=2)
    issued = [tokens.seat_token(GAME, seat, 1, FakeClock().now_ms()).token for seat in range(5)]
    assert [tokens.caller(token).seat for token in issued * 2] == [0, 1, 2, 3, 4] * 2  # type: ignore[union-attr]
    assert len(tokens._verified) == 2


@pytest.mark.parametrize(
    "keys", [(), (SigningKey("short", b"x" * 31),), (OLD, SigningKey("old", b"y" * 32))]
)
def test_signing_keys_that_cannot_be_are_refused(keys: tuple[SigningKey, ...]) -> None:
    with pytest.raises(ValueError, match="signing key"):
        SeatTokens(keys, LIFE_S, FakeClock())


def test_signing_key_does_not_show_its_secret() -> None:
    assert repr(OLD) == "SigningKey('old')"


ACME = PlatformId("acme")


def test_api_key_speaks_for_its_platform() -> None:
    first, second = (generate_api_key(ACME) for _ in range(2))
    keys = ApiKeys({ACME: [first.digest, second.digest]})
    assert keys.caller(first.text) == keys.caller(second.text) == PlatformCaller(ACME)


@pytest.mark.parametrize("platform", ["acme", "rival", "absent"])
def test_api_key_that_was_not_given_is_unknown(platform: str) -> None:
    known = {PlatformId(name): [generate_api_key(ACME).digest] for name in ("acme", "rival")}
    stranger = generate_api_key(PlatformId(platform))
    with refusal(API_KEY_UNKNOWN):
        ApiKeys(known).caller(stranger.text)


def test_api_key_of_one_platform_does_not_open_another() -> None:
    key = generate_api_key(ACME)
    renamed = key.text.replace("acme", "rival")
    keys = ApiKeys({ACME: [key.digest], PlatformId("rival"): []})
    with refusal(API_KEY_UNKNOWN, CREDENTIAL_MALFORMED):
        keys.caller(renamed)


@pytest.mark.parametrize("text", ["mxk_", "mxk_acme", "mxk_acme_short", "mxk_ACME_" + "a" * 43])
def test_text_that_is_no_api_key_is_malformed(text: str) -> None:
    with refusal(CREDENTIAL_MALFORMED):
        ApiKeys({}).caller(text)


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a_b", "a" * 33])
def test_name_that_no_platform_can_have_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="platform"):
        platform_id_of(name)


def test_digest_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        ApiKeys({ACME: [b"short"]})
