"""What ``mextrain serve`` says when it is ready: to a person, or to a machine.

Knows a terminal; nothing of how the service was started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mextrain_service.main.discovery import Running


def print_facts(running: Running, stream: TextIO) -> None:
    """Write one line of JSON: the attributes of ``Running``."""
    stream.write(running.to_json() + "\n")
    stream.flush()


def print_panel(running: Running, store: str, stream: TextIO) -> None:
    """Write where to connect, with which key, and what to try first.

    Args:
        running: the service.
        store: where games are kept, in words.
        stream: where to write; colours if it is a terminal.
    """
    console = Console(file=stream, highlight=False, soft_wrap=True)
    console.print(
        Panel(
            Group(_facts(running, store), Text(), _first_steps(running)),
            title="[bold]Mextrain is ready[/bold]",
            title_align="left",
            border_style="green",
            expand=False,
            padding=(1, 2),
        )
    )


def _facts(running: Running, store: str) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("gRPC", running.endpoint)
    table.add_row("Key", running.platform_key or "the keys of MEXTRAIN_AUTH_PLATFORM_KEYS")
    table.add_row("Games", store)
    for number, url in enumerate(running.metrics_urls):
        table.add_row("" if number else "Metrics", url)
    return table


def _first_steps(running: Running) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan")
    table.add_column()
    table.add_row(Text("Try first, in another terminal", style="bold"), "")
    if running.platform_key:
        table.add_row("mextrain demo", "watch bots play a whole match here")
        table.add_row("mextrain play", "play against them yourself")
    table.add_row(f"grpcurl -plaintext {running.endpoint} list", "see the contract")
    table.add_row("Ctrl-C", "stops everything")
    return table
