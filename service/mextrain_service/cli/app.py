"""The root of the command line: which commands there are, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mextrain_service.cli import (
    arena,
    backup,
    demo,
    doctor,
    health,
    inspect,
    keys,
    play,
    replay,
    rules,
    serve_commands,
    solve,
    verify,
    watch,
)
from mextrain_service.cli.complaints import EXPECTED, in_words

app = typer.Typer(
    name="mextrain",
    help="Mexican Train dominoes: a game service, and what to try it with.",
    epilog="First steps: `mextrain demo` shows a match, `mextrain play` lets you play one, "
    "`mextrain serve` runs the service for your own clients.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"mextrain {_version()}")
        raise typer.Exit


@app.callback()
def _root(
    _version_asked: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    pass


for _command in (
    *(demo, play, watch, rules, solve, arena, replay, verify),
    *(serve_commands, health, doctor, backup, inspect, keys),
):
    _command.register(app)


def main() -> None:
    """Run the command line and exit: 0 if all went well, 1 for a complaint, 2 for wrong usage."""
    try:
        app()
    except EXPECTED as error:
        _complain(error)
        sys.exit(1)
    except BrokenPipeError:
        # Whoever reads the output has seen enough; nothing is to be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _complain(error: Exception) -> None:
    complaint = in_words(error)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(Text.assemble(("mextrain: ", "bold red"), complaint.message))
    if complaint.advice:
        console.print(Text(complaint.advice))


def _version() -> str:
    try:
        return version("mextrain")
    except PackageNotFoundError:
        return "(not installed)"
