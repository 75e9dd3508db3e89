"""``mextrain serve``: from nothing to a service, and back to nothing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mextrain_service.local.self_started import SelfStartError, self_started
from mextrain_service.process.ports import free_ports
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import alive, children, command, fetch, log_lines, page, served, workers
from tests.worker.table import channel_to, new_table


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.suffix != ".log"}


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder that only the service uses; its path is short, as a socket's must be."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_serve_says_where_it_is_and_takes_calls_when_started_from_nothing(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=2") as service:
        running = service.running
        assert running.platform_key.startswith("mxk_local_")
        assert len(running.metrics_urls) == 2
        assert all(fetch(url)[0] == 200 for url in running.metrics_urls)
        assert all(page(url, "/readyz") == (200, "ready\n") for url in running.metrics_urls)
        with channel_to(running.endpoint) as channel:
            assert new_table(channel, running.platform_key).version() == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_serve_leaves_no_process_and_no_file_when_it_is_stopped(
    tmp_path: Path, temporary: Path, number: int
) -> None:
    with served(tmp_path, "--workers=2") as service:
        below = children(service.process.pid)
        assert len(below) == 4
        assert service.stop(number) == 0
        assert not any(map(alive, below))
    assert "Traceback" not in service.logged()
    assert _files(temporary) == set()
    assert not (tmp_path / "mextrain").exists()


def test_serve_stops_without_a_complaint_when_it_still_waits_for_its_store(
    tmp_path: Path,
) -> None:
    (nowhere,) = free_ports("127.0.0.1", 1)
    address = f"--redis-url=redis://127.0.0.1:{nowhere}"
    with command(tmp_path, "serve", "--port=0", "--workers=1", address) as service:
        eventually(lambda: "still waiting for the store" in service.logged())
        assert 0 == service.stop(signal.SIGTERM)
    lines = log_lines(service.logged())
    assert [] == [line for line in lines if line["level"] == "error"]


def test_serve_takes_its_children_along_when_it_is_killed_outright(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=2") as service:
        below = children(service.process.pid)
        service.stop(signal.SIGKILL)
        eventually(lambda: not any(map(alive, below)))


def test_serve_starts_a_worker_again_when_it_is_killed(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=2") as service:
        supervisor = service.process.pid
        before = workers(supervisor)
        killed = min(before)
        os.kill(killed, signal.SIGKILL)
        after = eventually(
            lambda: found if len(found := workers(supervisor) - {killed}) == 2 else None
        )
        assert len(after - before) == 1


def test_serve_keeps_its_keys_over_a_restart_when_it_has_a_data_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    keys = []
    for _ in range(2):
        with served(tmp_path, f"--data-dir={folder}", "--workers=1") as service:
            keys.append(service.running.platform_key)
    assert keys[0] == keys[1]


def test_serve_refuses_a_data_folder_when_another_service_uses_it(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with (
        served(tmp_path, f"--data-dir={folder}", "--workers=1"),
        command(tmp_path, "serve", "--port=0", f"--data-dir={folder}") as second,
    ):
        assert second.process.wait(WITHIN_S) == 1
    assert f"{folder} is in use by another running service" in second.logged()


def test_serve_says_so_in_one_line_when_its_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with command(tmp_path, "serve", f"--port={port}") as refused:
            assert refused.process.wait(WITHIN_S) == 1
    (line,) = refused.logged().splitlines()
    assert f"127.0.0.1:{port} is already in use" in line


def test_serve_refuses_the_port_of_a_running_service_rather_than_share_it(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1") as first:
        port = first.running.endpoint.rpartition(":")[2]
        with command(tmp_path, "serve", f"--port={port}") as second:
            assert second.process.wait(WITHIN_S) == 1


def test_serve_lists_all_problems_when_settings_are_wrong(tmp_path: Path) -> None:
    wrong = {"MEXTRAIN_SERVER_GRACE_S": "-1", "MEXTRAIN_LOGGING_LEVEL": "loud"}
    with command(tmp_path, "serve", **wrong) as refused:
        assert refused.process.wait(WITHIN_S) == 1
    assert "MEXTRAIN_SERVER_GRACE_S: " in refused.logged()
    assert "MEXTRAIN_LOGGING_LEVEL: " in refused.logged()


def test_serve_shows_a_person_where_to_connect_and_what_to_try(tmp_path: Path) -> None:
    shown = _banner(tmp_path, container="")
    assert "mxk_local_" in shown
    assert " demo  " in shown
    assert "/metrics" in shown
    assert "cannot know" not in shown


def test_serve_in_a_container_says_that_it_cannot_know_the_published_address(
    tmp_path: Path,
) -> None:
    assert "process cannot know" in _banner(tmp_path, container="oci")


def _banner(folder: Path, **variables: str) -> str:
    with command(folder, "serve", "--port=0", "--workers=1", **variables) as service:
        assert service.process.stdout is not None
        shown = ""
        while "Ctrl-C" not in shown:
            line = service.process.stdout.readline()
            assert line, service.logged()
            shown += line
        assert service.stop() == 0
    return shown


def test_a_self_started_service_is_there_for_the_length_of_the_block(temporary: Path) -> None:
    with self_started() as running:
        assert page(running.metrics_urls[0], "/readyz")[0] == 200
        below = children(running.pid)
    assert not any(map(alive, below))
    assert _files(temporary) == set()


def test_a_self_started_service_ends_when_the_program_that_started_it_is_killed() -> None:
    program = (
        "import signal\n"
        "from mextrain_service.local.self_started import self_started\n"
        "with self_started() as running:\n"
        "    print(running.pid, flush=True)\n"
        "    signal.pause()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        supervisor = int(owner.stdout.readline())
        below = {supervisor, *children(supervisor)}
        owner.kill()
    eventually(lambda: not any(map(alive, below)))


def test_a_self_started_service_says_why_when_it_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEXTRAIN_SERVER_GRACE_S", "never")
    with pytest.raises(SelfStartError, match="MEXTRAIN_SERVER_GRACE_S"), self_started():
        pass
