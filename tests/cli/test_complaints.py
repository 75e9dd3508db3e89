"""What is said when a command cannot do what was asked: words and a way out, never a trace."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mextrain_service.local.discovery import Running
from tests.cli.conftest import Mextrain

NOBODY = ("--endpoint", "127.0.0.1:1", "--key", "mxk_local_none")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("demo", "--preset", "modren"), 1, "Did you mean modern?"),
        (("demo", "--preset", "nope"), 1, "There are: modern, thoughtco,"),
        (("play", "--preset", "nope"), 1, "There is no preset 'nope'."),
        (("rules", "nope"), 1, "There are: modern, thoughtco,"),
        (("demo", "-p", "9"), 1, "For 9 players: thoughtco,"),
        (("rules", "modern", "-p", "9"), 1, "modern is for 2 to 8 players, not 9."),
        (("demo", "-p", "15"), 2, "Invalid value for '--players'"),
        (("demo", "--level", "wild"), 2, "Invalid value for '--level'"),
        (("demo", "--json", *NOBODY), 1, "Nothing answers at 127.0.0.1:1."),
        (("play", *NOBODY), 1, "Start one with `mextrain serve`"),
        (("demo", "--endpoint", "127.0.0.1:1"), 1, "Give it with --key"),
        (("demo", "--own", *NOBODY), 1, "give one of them."),
        (("solve", "12 12-5"), 1, "Write it like `12: 12-5"),
        (("solve", "12: 12-5 12.3"), 1, "a tile is written like 12-5"),
        (("solve", "12: 12-5 5-12"), 1, "12-5 is there twice."),
        (("nothing",), 2, "No such command"),
    ],
)
def test_command_says_what_is_wrong_and_what_to_do(
    here: Mextrain, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = here(*arguments)

    assert code == done.returncode
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "" == done.stdout


def test_demo_says_that_the_key_is_wrong_when_the_service_refuses_it(
    here: Mextrain, service: Running
) -> None:
    done = here("demo", "--json", "--endpoint", service.endpoint, "--key", "mxk_local_made-up")

    assert 1 == done.returncode
    assert "Check the key that was given with --key" in done.stderr
    assert "Traceback" not in done.stderr


def test_command_ends_quietly_when_nobody_reads_on() -> None:
    command = [sys.executable, "-m", "mextrain_service.cli", "rules", "modern"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"" == process.stderr.read()


def test_root_names_every_command_when_asked_for_help(here: Mextrain) -> None:
    done = here("--help")

    assert 0 == done.returncode
    for command in ("demo", "play", "rules", "solve", "serve"):
        assert f" {command} " in done.stdout
    assert "mextrain demo" in done.stdout


def test_root_says_its_version(mextrain: Mextrain) -> None:
    done = mextrain("--version")

    assert done.stdout.startswith("mextrain ")
    assert 0 == done.returncode
