"""``mextrain doctor``: whether everything that is stored has an owner, an end, and makes sense.

Knows how a report is laid out; what is wrong is for the storage to say.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

from mextrain_service.cli.redis_address import RedisUrlOption, asked

if TYPE_CHECKING:
    from mextrain_service.storage import RedisClient
    from mextrain_service.storage.doctor import Report

_LISTED: Final = 20
"""Findings that are printed; with ``--json`` all that the report lists."""

_MEANINGS: Final = {
    "no_owner": "keys that no release of Mextrain writes",
    "no_ttl": "keys that would live for ever",
    "wrong_kind": "keys of another type than theirs",
    "log_without_snapshot": "logs of games that are no more",
    "snapshot_without_log": "games whose log is gone",
    "ends_apart": "games whose two keys end at different times",
    "snapshot_unreadable": "snapshots that cannot be read",
    "log_unreadable": "logs that cannot be read",
    "log_length": "logs that are not as long as their snapshot says",
    "state_unsound": "games in a state that play cannot lead to",
    "log_leads_elsewhere": "games whose log leads to another state",
    "not_listed": "games missing on a list of their platform or of a player",
    "no_deadline": "games with a clock that nobody would look at when time is up",
    "newer_schema": "games written by a later release",
    "stale_entry": "entries of lists whose game is no more; harmless, they end by themselves",
}


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("doctor")(_doctor)


def _doctor(
    redis_url: RedisUrlOption = "",
    repair: Annotated[
        bool, typer.Option("--repair", help="Mend what can be mended without losing anything.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Play every log from the beginning and compare.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Look at everything that is stored, on all nodes, and say what is wrong with it.

    It may be run while games are played. The exit code is 0 when nothing is wrong any more, else 1.
    """

    async def examine(client: RedisClient) -> Report:
        # Imported here, as is all of the service: the other commands start without it.
        from mextrain_service.storage.doctor import Doctor, Treatment  # noqa: PLC0415

        return await Doctor(client, Treatment(mends=repair, replays=replay)).examine()

    report = asked(redis_url, examine)
    if as_json:
        print(json.dumps(_as_json(report)))
    else:
        for line in _lines(report):
            print(line)
    raise typer.Exit(0 if report.sound else 1)


def _as_json(report: Report) -> dict[str, object]:
    return {
        "sound": report.sound,
        "nodes": report.nodes,
        "keys": dict(report.keys),
        "games": {"live": report.live, "over": report.over},
        "faults": {fault.value: count for fault, count in report.counts.items()},
        "repaired": {fault.value: count for fault, count in report.mended.items() if count},
        "findings": [
            {
                "key": finding.key,
                "fault": finding.fault.value,
                "detail": finding.detail,
                "repaired": finding.mended,
            }
            for finding in report.findings
        ],
    }


def _lines(report: Report) -> list[str]:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.keys.items()))
    nodes = "1 node" if report.nodes == 1 else f"{report.nodes} nodes"
    lines = [
        f"Looked at {report.keys.total():,} keys on {nodes}" + (f": {kinds}." if kinds else "."),
        f"Games: {report.live:,} live, {report.over:,} over.",
    ]
    if not report.counts:
        return [*lines, "Every key has an owner and an end, and every game is sound."]
    for fault, count in report.counts.most_common():
        repaired = f", {report.mended[fault]:,} repaired" if report.mended[fault] else ""
        lines.append(f"{count:,} {_MEANINGS[fault.value]} ({fault.value}){repaired}")
    lines += [
        f"  {finding.key}: {finding.detail}" + (" (repaired)" if finding.mended else "")
        for finding in report.findings[:_LISTED]
    ]
    more = report.counts.total() - min(_LISTED, len(report.findings))
    return [*lines, f"  … and {more:,} more"] if more else lines
