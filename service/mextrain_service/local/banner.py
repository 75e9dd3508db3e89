"""What ``mextrain serve`` says when it is ready: to a person, or to a machine."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, Group
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mextrain_service.local.discovery import Running

_SNIPPET = """\
from mextrain.v1.game_pb2 import Person, Seat
from mextrain_client import MextrainClient
{before}host = MextrainClient("{endpoint}", "{key}"{tls})
seats = [Seat(person=Person(player_id=name)) for name in ("ada", "bob")]
game = host.create_game(seats).game
print(host.deal_round(game.game_id))"""


_CURL = """\
curl {trusted}{url}/v1/games -H 'Authorization: Bearer {key}' \\
  -d '{{"seats": [{{"person": {{"playerId": "ada"}}}}, {{"person": {{"playerId": "bob"}}}}]}}'"""

_PUBLISHED = """\
These addresses are valid inside this container. At which address its engine publishes the ports,
this process cannot know: see the option --publish, or your orchestrator's service."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What a person is told beside the attributes of ``Running``.

    Attributes:
        store: where games are kept, in words.
        no_front: why there is no HTTP front, in words; empty if there is one.
        front_admin_url: where the front's own pages are; empty without one.
        certificate: of both ports; None if they are not encrypted.
        shows_certificate: who connects must show a certificate, too.
        in_container: whether its addresses are those of a container.
    """

    store: str
    no_front: str = ""
    front_admin_url: str = ""
    certificate: Path | None = None
    shows_certificate: bool = False
    in_container: bool = False


def table_url(running: Running) -> str:
    """Return where a browser sets up a table.

    The key is in the fragment, which a browser sends to nobody and no log sees.
    """
    fragment = f"#key={running.platform_key}" if running.platform_key else ""
    return f"{running.http_url}/{fragment}"


def print_facts(running: Running, stream: TextIO) -> None:
    """Write one line of JSON: the attributes of ``Running``."""
    stream.write(running.to_json() + "\n")
    stream.flush()


def print_banner(running: Running, notes: Notes, stream: TextIO) -> None:
    """Write where to connect, with which key, and what to try first.

    Args:
        running: the service.
        notes: what else there is to say.
        stream: where to write; colours if it is a terminal.
    """
    console = Console(file=stream, highlight=False, soft_wrap=True)
    panel = Panel(
        Group(_facts(running, notes), Text(), _first_steps(running, notes)),
        title="[bold]Mextrain is ready[/bold]",
        title_align="left",
        subtitle="Ctrl-C stops everything",
        subtitle_align="left",
        border_style="green",
        expand=False,
        padding=(1, 2),
    )
    console.print(panel)
    if running.http_url:  # outside of the frame, so that it can be opened and copied as it is
        console.print("Play in a browser:\n")
        console.print(f"  [bold]{table_url(running)}[/bold]\n")
    if running.platform_key:
        snippet = _snippet(running, notes)
        if running.http_url:
            console.print("With curl:\n")
            encrypted = running.http_url.startswith("https:")
            trusted = _certificates(notes, "--") if encrypted else ""
            command = _CURL.format(trusted=trusted, url=running.http_url, key=running.platform_key)
            console.print(Syntax(command, "bash", theme="ansi_dark", background_color="default"))
            console.print()
        console.print("Or from Python:\n")
        console.print(Syntax(snippet, "python", theme="ansi_dark", background_color="default"))
        console.print()


def _snippet(running: Running, notes: Notes) -> str:
    """Return how Python connects; one line more if the port is encrypted."""
    before = tls = ""
    if notes.certificate is not None:
        own = ', open("key.pem", "rb").read(), open("client.pem", "rb").read()'
        read = f'open("{notes.certificate}", "rb").read(){own if notes.shows_certificate else ""}'
        before = f"import grpc\ntls = grpc.ssl_channel_credentials({read})\n"
        tls = ", tls=tls"
    return _SNIPPET.format(
        before=before, endpoint=running.endpoint, key=running.platform_key, tls=tls
    )


def _certificates(notes: Notes, dashes: str) -> str:
    """Return the options of a program that say whom it trusts, and what it shows for itself."""
    own = f"{dashes}cert client.pem {dashes}key key.pem " if notes.shows_certificate else ""
    return f"{dashes}cacert {notes.certificate} {own}"


def _facts(running: Running, notes: Notes) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    if running.http_url:
        table.add_row("HTTP", f"{running.http_url}  (REST, gRPC-Web, Connect and gRPC)")
        table.add_row("API docs", f"{running.http_url}/docs/")
    else:
        table.add_row("HTTP", f"none: {notes.no_front}")
    table.add_row("gRPC", running.endpoint)
    if notes.in_container:
        table.add_row("Published", _PUBLISHED)
    table.add_row("Key", running.platform_key or "as in MEXTRAIN_AUTH_PLATFORM_KEYS")
    table.add_row("Games", notes.store)
    for number, url in enumerate(running.metrics_urls):
        table.add_row("" if number else "Metrics", url)
    if notes.front_admin_url:
        table.add_row("", f"{notes.front_admin_url}/stats/prometheus")
    return table


def _first_steps(running: Running, notes: Notes) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    table.add_row(Text("Try in another terminal", style="bold"), "")
    encrypted = notes.certificate is not None
    if running.platform_key and not encrypted:  # these two do not encrypt
        program = _program()
        table.add_row(f"{program} demo", "watch bots play a match")
        table.add_row(f"{program} play", "play against bots")
    how = _certificates(notes, "-") if encrypted else "-plaintext "
    table.add_row(f"grpcurl {how}{running.endpoint} list", "see the methods")
    return table


def _program() -> str:
    """Return how this program is called from a terminal in the same folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return "python -m mextrain_service.cli"
    if called.is_absolute() and shutil.which(called.name) == str(called):
        return called.name
    return os.path.relpath(called)
