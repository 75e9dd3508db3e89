"""The settings: read once, checked whole, documented."""

from __future__ import annotations

from pathlib import Path

import pytest

from mextrain_service.settings.loading import SettingsError, load
from mextrain_service.settings.model import Settings, variables
from mextrain_service.settings.reference import in_effect, reference

_DIGEST = "ab" * 32
_LEAST = {
    "MEXTRAIN_REDIS_URL": "redis://:hidden-password@localhost:6379/0",
    "MEXTRAIN_AUTH_PLATFORM_KEYS": f"acme:{_DIGEST}",
    "MEXTRAIN_AUTH_SIGNING_KEY": "a-signing-key-of-32-characters-or-more",
}


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in variables():
        monkeypatch.delenv(name, raising=False)


def _loaded(monkeypatch: pytest.MonkeyPatch, **more: str) -> Settings:
    for name, value in {**_LEAST, **more}.items():
        monkeypatch.setenv(name, value)
    return load()


def _problems(monkeypatch: pytest.MonkeyPatch, **more: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as refused:
        _loaded(monkeypatch, **more)
    return refused.value.problems


def test_settings_have_working_defaults_when_only_the_required_ones_are_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = _loaded(monkeypatch)
    assert settings.server.port == 7300
    assert settings.server.host == "127.0.0.1"
    assert not settings.games.allow_fixed_seed


def test_settings_split_lists_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _loaded(
        monkeypatch,
        MEXTRAIN_AUTH_PLATFORM_KEYS=f"acme:{_DIGEST}, other:{_DIGEST}",
        MEXTRAIN_AUTH_OTHER_SIGNING_KEYS="first-old-signing-key-of-32-characters,"
        "second-old-signing-key-of-32-characters",
    )
    assert [f"acme:{_DIGEST}", f"other:{_DIGEST}"] == [*map(str, settings.auth.platform_keys)]
    assert len(settings.auth.other_signing_keys) == 2


@pytest.mark.parametrize("name", ["SIGNING_KEY", "OTHER_SIGNING_KEYS"])
def test_signing_key_has_at_least_32_characters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = f"MEXTRAIN_AUTH_{name}"
    _loaded(monkeypatch, **{setting: "k" * 32})
    (problem,) = _problems(monkeypatch, **{setting: "k" * 31})
    assert problem.startswith(setting)


def test_settings_list_every_required_one_when_nothing_is_set() -> None:
    with pytest.raises(SettingsError) as refused:
        load()
    assert refused.value.problems == (
        "MEXTRAIN_REDIS_URL: is required, or MEXTRAIN_REDIS_URL_FILE",
        "MEXTRAIN_AUTH_SIGNING_KEY: is required, or MEXTRAIN_AUTH_SIGNING_KEY_FILE",
        "MEXTRAIN_AUTH_PLATFORM_KEYS: is required, or MEXTRAIN_AUTH_PLATFORM_KEYS_FILE",
    )


def test_settings_list_all_errors_at_once_by_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = _problems(
        monkeypatch,
        MEXTRAIN_SERVER_PORT="many",
        MEXTRAIN_SERVER_GRACE_S="-1",
        MEXTRAIN_LOGGING_LEVEL="loud",
        MEXTRAIN_GAMES_LIVE_TTL_S="5",
        MEXTRAIN_REDIS_URL="http://localhost",
        MEXTRAIN_AUTH_PLATFORM_KEYS=f"acme:{_DIGEST},acme:nonsense",
    )
    named = [problem.partition(":")[0] for problem in problems]
    assert named == [
        "MEXTRAIN_SERVER_PORT",
        "MEXTRAIN_SERVER_GRACE_S",
        "MEXTRAIN_REDIS_URL",
        "MEXTRAIN_AUTH_PLATFORM_KEYS",
        "MEXTRAIN_LOGGING_LEVEL",
        "MEXTRAIN_GAMES_LIVE_TTL_S",
    ]
    assert "entry 2" in problems[3]


def test_settings_refuse_a_variable_that_no_setting_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = _problems(monkeypatch, MEXTRAIN_SERVER_PROT="1", MEXTRAIN_SERVER="2")
    assert "MEXTRAIN_SERVER_PROT: unknown setting; did you mean MEXTRAIN_SERVER_PORT?" in problems
    assert any(problem.startswith("MEXTRAIN_SERVER: ") for problem in problems)
    assert len(problems) == 2


def test_settings_refuse_deadlines_that_contradict_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = _problems(
        monkeypatch,
        MEXTRAIN_LIMITS_DEFAULT_DEADLINE_MS="2000",
        MEXTRAIN_LIMITS_MAX_DEADLINE_MS="1000",
    )
    assert problems == (
        "MEXTRAIN_LIMITS_DEFAULT_DEADLINE_MS is above MEXTRAIN_LIMITS_MAX_DEADLINE_MS",
    )


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            {"MEXTRAIN_SERVER_TLS_CERT_FILE": "cert.pem"},
            "MEXTRAIN_SERVER_TLS_CERT_FILE and MEXTRAIN_SERVER_TLS_KEY_FILE go together",
        ),
        (
            {"MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE": "ca.pem"},
            "MEXTRAIN_SERVER_TLS_CLIENT_CA_FILE needs MEXTRAIN_SERVER_TLS_CERT_FILE",
        ),
        (
            {"MEXTRAIN_REDIS_WAIT_REPLICAS": "1", "MEXTRAIN_REDIS_WAIT_MS": "1000"},
            "MEXTRAIN_REDIS_WAIT_MS is not below MEXTRAIN_REDIS_TIMEOUT_MS",
        ),
    ],
)
def test_settings_refuse_what_does_not_go_together(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], problem: str
) -> None:
    assert _problems(monkeypatch, **given) == (problem,)


def _in_files(folder: Path, monkeypatch: pytest.MonkeyPatch, *left_out: str) -> None:
    for name in ("MEXTRAIN_REDIS_URL", "MEXTRAIN_AUTH_SIGNING_KEY"):
        path = folder / name
        if name not in left_out:
            path.write_text(f"{_LEAST[name]}\n")
        monkeypatch.setenv(f"{name}_FILE", str(path))
    monkeypatch.setenv("MEXTRAIN_AUTH_PLATFORM_KEYS", f"acme:{_DIGEST}")


def test_settings_read_required_secrets_from_files_when_these_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _in_files(tmp_path, monkeypatch)
    monkeypatch.setenv("MEXTRAIN_REDIS_TIMEOUT_MS", "700")
    settings = load()
    assert _LEAST["MEXTRAIN_REDIS_URL"] == settings.redis.url.get_secret_value()
    assert _LEAST["MEXTRAIN_AUTH_SIGNING_KEY"] == settings.auth.signing_key.get_secret_value()
    assert 700 == settings.redis.timeout_ms


def test_settings_name_the_variable_when_its_file_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _in_files(tmp_path, monkeypatch, "MEXTRAIN_REDIS_URL")
    with pytest.raises(SettingsError) as refused:
        load()
    assert ("MEXTRAIN_REDIS_URL_FILE: the file cannot be read",) == refused.value.problems


def test_settings_refuse_a_secret_that_is_given_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _in_files(tmp_path, monkeypatch)
    monkeypatch.setenv("MEXTRAIN_REDIS_URL", _LEAST["MEXTRAIN_REDIS_URL"])
    with pytest.raises(SettingsError) as refused:
        load()
    assert (
        "MEXTRAIN_REDIS_URL and MEXTRAIN_REDIS_URL_FILE: set only one of them",
    ) == refused.value.problems


def test_settings_show_no_secret_however_they_are_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = _loaded(monkeypatch)
    shown = f"{settings} {settings!r} {settings.model_dump_json()} {list(in_effect(settings))}"
    assert "hidden-password" not in shown
    assert "a-signing-key" not in shown


def test_problems_show_no_secret_when_a_secret_is_at_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = _problems(
        monkeypatch,
        MEXTRAIN_AUTH_SIGNING_KEY="too-short-secret",
        MEXTRAIN_REDIS_URL="bad://:hidden-password@host",
        MEXTRAIN_AUTH_PLATFORM_KEYS="acme:not-a-digest",
    )
    assert len(problems) == 3
    shown = " ".join(problems)
    assert not any(
        secret in shown for secret in ("too-short", "hidden-password", "not-a-digest", "bad://")
    )


def test_every_setting_is_documented_as_the_code_has_it() -> None:
    document = Path(__file__).parents[2] / "docs" / "settings.md"
    assert reference() in document.read_text()
