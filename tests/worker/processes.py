"""Starts the service's own commands and looks at them from outside."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mextrain_service.local.discovery import Running
from tests.polling import WITHIN_S


@dataclass
class Command:
    """A command of the service that runs."""

    process: subprocess.Popen[str]
    log: Path
    running: Running = field(default_factory=lambda: Running("", ""))

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(WITHIN_S)

    def logged(self) -> str:
        """Return what it wrote to standard error."""
        return self.log.read_text()


@contextlib.contextmanager
def command(
    folder: Path,
    *words: str,
    runs: Sequence[str] = ("mextrain_service.cli",),
    **variables: str,
) -> Iterator[Command]:
    """Run ``mextrain`` with these words; kill it at the end if it still runs.

    Args:
        folder: for its log.
        words: of its command line.
        runs: the module that runs it, and what stands before the words.
        variables: of its environment, beside those of the tests that are not its own.
    """
    log = folder / f"{words[0]}.{time.monotonic_ns()}.log"
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("MEXTRAIN_")}
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", *runs, *words],
            env={**environment, "XDG_RUNTIME_DIR": str(folder), "COLUMNS": "120", **variables},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
    with process:
        try:
            yield Command(process, log)
        finally:
            process.kill()


@contextlib.contextmanager
def served(folder: Path, *words: str, **variables: str) -> Iterator[Command]:
    """Run ``mextrain serve --json`` on free ports, ready to take calls; deals may be asked for."""
    settings = {"MEXTRAIN_GAMES_ALLOW_FIXED_SEED": "true", **variables}
    with command(folder, "serve", "--json", "--port=0", *words, **settings) as started:
        assert started.process.stdout is not None
        line = started.process.stdout.readline()
        assert line, started.logged()
        started.running = Running.from_json(line)
        yield started
        if started.process.poll() is None:
            started.stop()


def children(pid: int) -> set[int]:
    """Return the process ids of a process's children."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found |= set(map(int, path.read_text().split()))
    return found


def workers(pid: int) -> set[int]:
    """Return the process ids of a supervisor's workers."""
    return {child for child in children(pid) if _is_worker(_command_line(child))}


def _is_worker(command_line: str) -> bool:
    """Whether a process is a worker: as it was started, or inside Envoy."""
    return "worker.worker" in command_line or command_line.startswith("mextrain-worker-")


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def fetch(url: str) -> tuple[int, str]:
    """Return the status and the body of a page; status 0 if nothing answers."""
    try:
        with urllib.request.urlopen(url, timeout=WITHIN_S / 5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()
    except OSError:
        return 0, ""


def page(metrics_url: str, path: str) -> tuple[int, str]:
    """Return another page of a worker's HTTP port."""
    return fetch(metrics_url.removesuffix("/metrics") + path)


def log_lines(text: str) -> list[dict[str, object]]:
    """Return the JSON lines of a log."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def _command_line(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""
