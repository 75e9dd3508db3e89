"""``mextrain backup`` and ``mextrain restore``: all games into a file, and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from mextrain_service.cli.backup_file import read, written
from mextrain_service.cli.redis_address import RedisUrlOption, asked

if TYPE_CHECKING:
    from mextrain_service.storage import RedisClient
    from mextrain_service.storage.backups import Fate

_DAY_H: Final = 24.0
_HOUR_S: Final = 3_600

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, as mextrain-DATE.gz.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command("backup")(_backup)
    app.command("restore")(_restore)


def _backup(file: _File, redis_url: RedisUrlOption = "", as_json: _AsJson = False) -> None:
    """Copy all games into a file, while they are played.

    Each game is copied as it is at one moment. The file holds every secret of the games: hands,
    tiles to come, the chance of deals. Only its owner may read it; keep it so.
    """

    async def copy(client: RedisClient) -> int:
        from mextrain_service.storage.backups import copies  # noqa: PLC0415

        with written(file) as backup, _progress("copied") as at:
            async for game in copies(client):
                backup.write(game)
                at(backup.games)
            return backup.games

    games = asked(redis_url, copy)
    size = file.stat().st_size
    if as_json:
        print(json.dumps({"file": str(file), "games": games, "bytes": size}))
    else:
        print(f"Backed up {games:,} games to {file}: {size:,} bytes.")


def _restore(
    file: _File,
    redis_url: RedisUrlOption = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print what would be restored.")
    ] = False,
    least_hours: Annotated[
        float,
        typer.Option(
            "--least-hours",
            min=0,
            metavar="HOURS",
            help="Shortest life of restored games.",
        ),
    ] = _DAY_H,
    as_json: _AsJson = False,
) -> None:
    """Put games of a backup back that are not there, with their places on all lists.

    A game that is there stays as it is, so this may be done again, and while games are played. The
    exit code is 1 if the file holds games that cannot be read.
    """

    async def put_back(client: RedisClient) -> Counter[Fate]:
        from mextrain_service.storage.backups import Returner  # noqa: PLC0415

        returner, fates = Returner(client, round(least_hours * _HOUR_S)), Counter["Fate"]()
        with _progress("looked at") as at:
            for copy in read(file):
                fates[await returner.put_back(copy, trying=dry_run)] += 1
                at(fates.total())
        return fates

    counts = {fate.value: count for fate, count in asked(redis_url, put_back).items()}
    back, there, bad = (counts.get(each, 0) for each in ("put_back", "there", "unreadable"))
    if as_json:
        print(json.dumps({"put_back": back, "there": there, "unreadable": bad, "dry_run": dry_run}))
    else:
        would = "Would put" if dry_run else "Put"
        print(f"{would} {back:,} games back; {there:,} were there and stay as they are.")
        if bad:
            print(f"{bad:,} games of the file cannot be read and were skipped.")
    raise typer.Exit(1 if bad else 0)


@contextmanager
def _progress(done: str) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many games were done so far."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("")
        yield lambda games: bar.update(task, description=f"{games:,} games {done}")
