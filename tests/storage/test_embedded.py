"""The embedded server: there when asked for, gone without a trace, and durable if told so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from redis import Redis

from mextrain_service.local import embedded as module
from mextrain_service.local.embedded import (
    EmbeddedValkey,
    EmbeddedValkeyError,
    embedded_valkey,
    find_server,
)
from mextrain_service.process.run_dir import RunDir

ORPHAN_PARENT = """
import signal
from mextrain_service.local.embedded import EmbeddedValkey
server = EmbeddedValkey().start()
print(server.pid, flush=True)
signal.pause()
"""


def _is_gone(pid: int, within_s: float = 60.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return True
        if state[0] == "Z":
            return True
    return False


def test_an_embedded_server_answers_on_a_socket_and_on_no_port() -> None:
    with embedded_valkey() as url, Redis.from_url(url) as client:
        assert client.ping()
        assert "0" == client.config_get("port")["port"]
        assert "noeviction" == client.config_get("maxmemory-policy")["maxmemory-policy"]


def test_an_embedded_server_leaves_nothing_behind() -> None:
    server = EmbeddedValkey().start()
    pid = server.pid
    assert pid is not None
    folder = Path(server.url.removeprefix("unix://")).parent
    assert folder.is_dir()
    server.close()
    assert not folder.exists()
    assert _is_gone(pid)
    assert server.pid is None


def test_an_embedded_server_keeps_its_data_over_a_kill_when_it_has_a_directory(
    tmp_path: Path,
) -> None:
    with EmbeddedValkey(tmp_path / "data") as server:
        with Redis.from_url(server.url) as client:
            client.set("kept", "yes")
        server.kill()
        server.start()
        with Redis.from_url(server.url) as client:
            assert b"yes" == client.get("kept")
    with EmbeddedValkey(tmp_path / "data") as server, Redis.from_url(server.url) as client:
        assert b"yes" == client.get("kept")


def test_an_embedded_server_keeps_its_address_over_a_restart() -> None:
    with EmbeddedValkey() as server:
        address = server.url
        server.stop()
        server.start()
        assert address == server.url


def test_starting_a_server_that_runs_changes_nothing() -> None:
    with EmbeddedValkey() as server:
        assert server.pid == server.start().pid


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_an_embedded_server_ends_with_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", ORPHAN_PARENT], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout:
        pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert _is_gone(pid)


def test_the_directory_of_a_killed_parent_is_removed_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kept, abandoned, young = (
        RunDir(),
        tmp_path / "mextrain-valkey-a",
        tmp_path / "mextrain-valkey-y",
    )
    abandoned.mkdir()
    young.mkdir()
    (abandoned / "valkey.log").touch()
    an_hour_ago = time.time() - 3_600
    for folder in (kept.path, abandoned):
        os.utime(folder, (an_hour_ago, an_hour_ago))
    RunDir().remove()
    assert [True, False, True] == [path.exists() for path in (kept.path, abandoned, young)]
    kept.remove()
    assert not kept.path.exists()


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").write_text("in the way")
    with pytest.raises(EmbeddedValkeyError, match="ended at once"):
        EmbeddedValkey(tmp_path).start()


def test_the_address_of_a_server_that_never_started_is_refused() -> None:
    with pytest.raises(EmbeddedValkeyError, match="not started"):
        _ = EmbeddedValkey().url


def test_the_server_of_the_path_is_found_when_the_wheel_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(module, "_wheel_program", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program == find_server()


def test_no_server_at_all_is_said_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_wheel_program", lambda: None)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    with pytest.raises(EmbeddedValkeyError, match="--redis-url"):
        find_server()
