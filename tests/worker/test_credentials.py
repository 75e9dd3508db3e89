"""Keys in files and at addresses: read at the start, and read again when they change."""

from __future__ import annotations

import http.server
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from mextrain_service.application.callers import Caller, PlatformCaller, PlayerCaller
from mextrain_service.application.model import GameId, PlatformId, PlayerId
from mextrain_service.application.refused import Refused
from mextrain_service.auth.api_keys import NewApiKey, generate_api_key
from mextrain_service.auth.entries import KeyEntry
from mextrain_service.settings.auth import AuthSettings
from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.worker.clock import SystemClock
from mextrain_service.worker.credentials import Credentials, credentials
from mextrain_service.worker.key_sets import KeySet, KeySets
from tests.polling import until
from tests.rpc.players import Players, issuer_of, key_set, player_token

ACME = PlatformId("acme")
SIGNING_KEY = "a-signing-key-of-32-characters-or-more"


def _key() -> NewApiKey:
    return generate_api_key(ACME)


def _entry(key: NewApiKey) -> str:
    return str(KeyEntry(key.owner, key.digest))


@asynccontextmanager
async def _known(**settings: Any) -> AsyncIterator[Credentials]:
    whole = {"signing_key": SecretStr(SIGNING_KEY), "reload_s": 0.05, **settings}
    async with credentials(AuthSettings(**whole), SystemClock()) as known:
        yield known


async def _caller(known: Credentials, credential: str) -> Caller | None:
    try:
        return await known.authenticator.caller(f"Bearer {credential}")
    except Refused:
        return None


async def _eventually(known: Credentials, credential: str, expected: Caller | None) -> None:
    async def recognised() -> bool:
        return expected == await _caller(known, credential)

    await until(recognised)


def _not_used(logged: Sequence[Mapping[str, Any]], why: str) -> bool:
    """Return whether the log says that a file was not used, and why."""
    return any(line["event"] == "file not used" and why in line["error"] for line in logged)


def _write(path: Path, *lines: str) -> None:
    """Put another file in the place of one, as deployments do."""
    draft = path.with_suffix(".new")
    draft.write_text("\n".join(lines) + "\n")
    draft.rename(path)


async def test_platform_keys_of_a_file_rotate_without_a_restart(tmp_path: Path) -> None:
    old, new, fixed = _key(), _key(), _key()
    path = tmp_path / "keys"
    _write(path, "# keys of platforms", "", f"{_entry(old)}  # since June")
    async with _known(platform_keys=_entry(fixed), platform_keys_file=path) as known:
        acme = PlatformCaller(ACME)
        assert [acme, acme, None] == [await _caller(known, key.text) for key in (fixed, old, new)]
        _write(path, _entry(old), _entry(new))
        await _eventually(known, new.text, acme)
        assert acme == await _caller(known, old.text)
        _write(path, _entry(new))
        await _eventually(known, old.text, None)
        assert [acme, acme] == [await _caller(known, key.text) for key in (fixed, new)]


async def test_file_that_cannot_be_used_any_more_leaves_the_keys_in_place(tmp_path: Path) -> None:
    old, new = _key(), _key()
    path = tmp_path / "keys"
    _write(path, _entry(old))
    with capture_logs() as logged:
        async with _known(platform_keys_file=path) as known:
            _write(path, _entry(new), "half an ent")
            await until(lambda: _not_used(logged, "line 2"))
            assert await _caller(known, old.text)
            path.unlink()
            await until(lambda: _not_used(logged, "No such file"))
            assert await _caller(known, old.text)
            _write(path, _entry(new))
            await _eventually(known, new.text, PlatformCaller(ACME))


async def test_signing_keys_of_a_file_rotate_and_the_tokens_of_a_dropped_one_die(
    tmp_path: Path,
) -> None:
    first, second = "first-signing-key-of-32-characters-", "second-signing-key-of-32-characters"
    path = tmp_path / "signing"
    _write(path, first)
    async with _known(signing_keys_file=path) as known:
        now_ms = SystemClock().now_ms()
        issued = known.tokens.seat_token(GameId("game"), 0, 1, now_ms).token
        expected = await _caller(known, issued)
        assert expected is not None
        _write(path, second, first)
        await until(lambda: issued != known.tokens.seat_token(GameId("game"), 0, 1, now_ms).token)
        assert expected == await _caller(known, issued)
        _write(path, second)
        await _eventually(known, issued, None)


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("platform_keys_file", None),
        ("platform_keys_file", "acme:beef"),
        ("signing_keys_file", None),
        ("signing_keys_file", "too short"),
        ("signing_keys_file", "k" * 31),
        ("signing_keys_file", "# nothing"),
    ],
)
async def test_file_that_cannot_be_used_at_the_start_is_named_with_its_setting(
    tmp_path: Path, setting: str, text: str | None
) -> None:
    path = tmp_path / "keys"
    if text is not None:
        _write(path, text)
    with pytest.raises(SettingsError) as refused:
        async with _known(**{setting: path}):
            pass
    (problem,) = refused.value.problems
    assert problem.startswith(f"MEXTRAIN_AUTH_{setting.upper()}: {path} cannot be ")
    assert "too short" not in problem


async def test_file_with_a_signing_key_of_32_characters_is_used(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    _write(path, "k" * 32)
    async with _known(signing_keys_file=path) as known:
        assert known.tokens.seat_token(GameId("game"), 0, 1, SystemClock().now_ms()).token


def _issuer(jwks: str) -> dict[str, str]:
    return {"platform": "acme", "issuer": issuer_of("acme"), "audience": "mextrain", "jwks": jwks}


ANN = PlayerCaller(ACME, PlayerId("ann"))


async def test_players_come_with_tokens_that_a_file_of_keys_vouches_for(tmp_path: Path) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(key_set("acme"))
    async with _known(issuers=[_issuer(str(path))]) as known:
        assert ANN == await _caller(known, player_token("ann"))
        assert await _caller(known, player_token("ann", key="new")) is None
        seat = known.tokens.seat_token(GameId("game"), 0, 1, SystemClock().now_ms())
        assert await _caller(known, seat.token) is not None


@contextmanager
def _published(sets: Callable[[], str]) -> Iterator[tuple[str, list[str]]]:
    """Publish a key set on a port of this machine; yield its address and what was asked for."""
    asked: list[str] = []

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = sets().encode()
            self.send_response(200 if body else 503)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/jwks.json", asked
        server.shutdown()
        thread.join()


async def test_keys_of_an_issuer_are_fetched_and_fetched_again_for_a_key_that_is_new() -> None:
    published = [key_set("acme")]
    with _published(lambda: published[0]) as (address, asked):
        issuer = Players().issuer("acme")
        now = [0.0]
        sets = KeySets([KeySet(issuer, address)], clock=lambda: now[0])
        await sets.read()
        assert 1 == len(issuer.keys)
        published[0] = key_set("acme", "new")
        assert not await sets.look_again(issuer.issuer)
        now[0] += 10
        assert await sets.look_again(issuer.issuer)
        assert 2 == len(issuer.keys)
        assert 2 == len(asked)


async def test_keys_stay_when_their_issuer_is_away_or_sends_nonsense() -> None:
    published = [key_set("acme")]
    with _published(lambda: published[0]) as (address, _):
        issuer = Players().issuer("acme")
        sets = KeySets([KeySet(issuer, address)])
        await sets.read()
        for nonsense in ("", "<html>", "x" * (2 << 20)):
            published[0] = nonsense
            await sets.read()
            assert 1 == len(issuer.keys)


async def test_service_starts_although_an_issuer_is_away() -> None:
    async with _known(issuers=[_issuer("http://127.0.0.1:1/jwks.json")]) as known:
        assert await _caller(known, player_token("ann")) is None


def test_issuers_are_given_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("MEXTRAIN_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("MEXTRAIN_REDIS_URL", "redis://localhost")
    monkeypatch.setenv("MEXTRAIN_AUTH_SIGNING_KEY", SIGNING_KEY)
    monkeypatch.setenv("MEXTRAIN_AUTH_PLATFORM_KEYS_FILE", "/etc/keys")
    monkeypatch.setenv("MEXTRAIN_AUTH_ISSUERS", json.dumps([_issuer("jwks.json")]))
    (issuer,) = load().auth.issuers
    assert ("acme", "jwks.json") == (issuer.platform, issuer.jwks)
    monkeypatch.setenv("MEXTRAIN_AUTH_ISSUERS", json.dumps([{"platform": "ACME"}]))
    with pytest.raises(SettingsError) as refused:
        load()
    assert all(each.startswith("MEXTRAIN_AUTH_ISSUERS") for each in refused.value.problems)
