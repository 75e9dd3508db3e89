"""The example that needs nothing but curl, run as it stands."""

from __future__ import annotations

import json
import shutil
import subprocess

from mextrain_service.local.discovery import Running
from tests.project.tree import ROOT


def test_match_is_played_with_curl_alone(running: Running) -> None:
    assert shutil.which("curl"), "curl is needed; `make test` installs it where it may"
    done = subprocess.run(
        [ROOT / "examples/curl/match.sh", running.http_url, running.platform_key, "1"],
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    *_, told, score = done.stdout.splitlines()
    assert told.startswith("Round 1 is over after ")
    assert json.loads(score)["score"]["winners"]
