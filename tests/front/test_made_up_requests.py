"""Requests that Schemathesis makes up from the OpenAPI document, and the promises of that."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.project.tree import ROOT

pytestmark = pytest.mark.timeout(1_000)

PROGRAM: Final = ROOT / "build" / "schemathesis" / "bin" / "schemathesis"

CHECKS: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "ignored_auth",
)
"""Not: that everything outside the schema is refused. JSON of protobuf takes a number for an enum's
name and null for a field that is left out, as `docs/http.md` says."""

LEFT_OUT: Final = (
    "--exclude-path-regex=:watch$",  # streams do not end; they have tests of their own
    "--exclude-method=DELETE",  # the game is needed to the end
)

ADA: Final = {"person": {"playerId": "ada"}}
POLICY: Final = {"spectators": True, "dealBy": "DEAL_BY_SEATS"}
LIVE: Final = {"seats": [ADA, {"bot": {"level": "BOT_LEVEL_GREEDY"}}], "policy": POLICY}
OPEN: Final = {"seats": [ADA, {"open": {}}], "policy": POLICY}


def _tried(running: Running, credential: str, game_id: str, folder: Path) -> str:
    """Let it try what it makes up as the bearer, mostly on that game; return what it says."""
    assert PROGRAM.exists(), "`make build/schemathesis` installs it"
    settings = folder / "schemathesis.toml"
    settings.write_text(f'[parameters]\n"path.gameId" = {json.dumps(game_id)}\n"path.seat" = 0\n')
    done = subprocess.run(
        [
            *(PROGRAM, "--config-file", settings, "run", f"{running.http_url}/openapi.json"),
            *(f"--url={running.http_url}", f"--header=Authorization: Bearer {credential}"),
            *("--generation-deterministic", "--max-examples=8"),
            *("--phases=examples,coverage,fuzzing", f"--checks={','.join(CHECKS)}"),
            *("--request-timeout=100", "--suppress-health-check=all", "--no-color", *LEFT_OUT),
        ],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    return done.stdout


def _created(platform: Rest, table: dict[str, Any]) -> tuple[str, str]:
    """Return the name of a new game and the token of its first seat."""
    created = platform.post("/v1/games", table).body
    return created["game"]["gameId"], created["seatTokens"][0]["token"]


def test_promises_are_kept_when_a_seat_of_a_live_table_makes_requests_up(
    running: Running, platform: Rest, tmp_path: Path
) -> None:
    game_id, token = _created(platform, LIVE)
    assert 200 == platform.bearing(token).post(f"/v1/games/{game_id}:deal").status
    assert " passed" in _tried(running, token, game_id, tmp_path)


def test_promises_are_kept_when_the_platform_of_an_open_table_makes_requests_up(
    running: Running, platform: Rest, tmp_path: Path
) -> None:
    game_id, _ = _created(platform, OPEN)
    assert " passed" in _tried(running, platform.credential, game_id, tmp_path)
