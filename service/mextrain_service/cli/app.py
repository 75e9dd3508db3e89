"""The root of the command line: which commands there are, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup
from typer.main import get_group

from mextrain_service.cli.complaints import EXPECTED, in_words

_MODULES: Final = {
    "demo": "mextrain_service.cli.demo",
    "play": "mextrain_service.cli.play",
    "watch": "mextrain_service.cli.watch",
    "rules": "mextrain_service.cli.rules",
    "solve": "mextrain_arena.solve",
    "arena": "mextrain_arena.arena",
    "replay": "mextrain_service.cli.replay",
    "verify": "mextrain_service.cli.verify",
    "serve": "mextrain_service.cli.serve_commands",
    "worker": "mextrain_service.cli.serve_commands",
    "front": "mextrain_service.cli.serve_commands",
    "config": "mextrain_service.cli.serve_commands",
    "health": "mextrain_service.cli.health",
    "doctor": "mextrain_service.cli.doctor",
    "backup": "mextrain_service.cli.backup",
    "restore": "mextrain_service.cli.backup",
    "inspect": "mextrain_service.cli.inspect",
    "keys": "mextrain_service.cli.keys",
}
"""The module that has each command; it is imported when the command is named."""


class _Commands(TyperGroup):
    """Imports a command when it is named, and all of them to list them."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of this name, or None."""
        self._load(cmd_name)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the library's form
        """Return the names of all commands, in the order of the help."""
        return list(_MODULES)

    def _load(self, name: str) -> None:
        """Add a command; all of them if there is none of this name, for one that is close to it."""
        for module in {_MODULES[name]} if name in _MODULES else set(_MODULES.values()):
            part = typer.Typer()
            import_module(module).register(part)
            self.commands.update(get_group(part).commands)


app = typer.Typer(
    name="mextrain",
    cls=_Commands,
    help="Mexican Train dominoes: a game service, and tools to try it.",
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
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


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
