"""``mextrain doctor``: whether everything that is stored has an owner, an end, and makes sense.

It also says whether the servers are set so that it is kept.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from mextrain_service.cli.redis_address import RedisUrlOption, asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mextrain_service.storage import RedisClient
    from mextrain_service.storage.diagnosis import Remains
    from mextrain_service.storage.doctor import Report
    from mextrain_service.storage.server_check import ServerFinding

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
        bool, typer.Option("--repair", help="Repair what can be repaired without loss.")
    ] = False,
    replay: Annotated[bool, typer.Option("--replay", help="Replay every log and compare.")] = False,
    wait_replicas: Annotated[
        int,
        typer.Option(
            envvar="MEXTRAIN_REDIS_WAIT_REPLICAS",
            min=0,
            help="Replicas that the workers wait for; each master must have that many.",
        ),
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Look at everything that is stored, on all nodes, and say what is wrong with it.

    It also says what is left of games that are damaged, which are never removed, and whether the
    servers are set so that games are kept. It may be run while games are played. The exit code is 0
    when nothing is wrong any more, else 1.
    """

    async def examine(client: RedisClient) -> _Found:
        # Imported here, as is all of the service: the other commands start without it.
        from mextrain_service.storage.doctor import Doctor, Treatment  # noqa: PLC0415
        from mextrain_service.storage.server_check import check_servers  # noqa: PLC0415

        servers = await check_servers(client, wait_replicas)
        report = await Doctor(client, Treatment(mends=repair, replays=replay)).examine()
        return _Found(report, servers)

    found = asked(redis_url, examine)
    if as_json:
        print(json.dumps(_as_json(found)))
    else:
        for line in (*_lines(found.report), *_left(found.report), *_settings(found.servers)):
            print(line)
    raise typer.Exit(0 if found.sound else 1)


@dataclass(frozen=True, slots=True)
class _Found:
    """What there is to say of keys and of servers."""

    report: Report
    servers: Sequence[ServerFinding]

    @property
    def sound(self) -> bool:
        return self.report.sound and not any(each.serious for each in self.servers)


def _as_json(found: _Found) -> dict[str, object]:
    report = found.report
    return {
        "sound": found.sound,
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
        "damaged": [
            {
                "game_id": each.game_id,
                "platform_id": each.platform_id or None,
                "version": each.version,
                "round": each.round_number,
                "phase": None if each.phase is None else each.phase.value,
                "snapshot": "readable" if each.snapshot_readable else "unreadable",
                "log": _log_state(each),
                "entries": each.entries,
                "expire_time": None if each.ends_ms is None else _time(each.ends_ms),
            }
            for each in report.damaged
        ],
        "servers": [
            {
                "node": each.node,
                "fault": each.fault.value,
                "serious": each.serious,
                "setting": each.setting,
                "value": each.value,
                "advice": each.advice,
            }
            for each in found.servers
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


def _left(report: Report) -> Iterator[str]:
    """Yield what is left of damaged games, if there are any."""
    if not report.damaged:
        return
    yield "What is left of damaged games (nothing of them was removed):"
    for each in report.damaged[:_LISTED]:
        owner = f" of {each.platform_id}" if each.platform_id else ""
        yield f"  {each.game_id}{owner}: {_standing(each)}; {_entries(each)}; {_end(each)}"
    more = len(report.damaged) - _LISTED
    if more > 0:
        yield f"  … and {more:,} more"


def _standing(remains: Remains) -> str:
    version = "?" if remains.version is None else str(remains.version)
    if remains.phase is None:
        return f"version {version}, the snapshot cannot be read"
    phase = remains.phase.value.replace("_", " ")
    return f"version {version}, round {remains.round_number}, {phase}; the snapshot can be read"


def _entries(remains: Remains) -> str:
    version = "?" if remains.version is None else str(remains.version)
    return f"the log is {_log_state(remains)}, {remains.entries} of {version} entries"


def _log_state(remains: Remains) -> str:
    if not remains.log:
        return "gone"
    return "whole" if remains.log_whole else "damaged"


def _end(remains: Remains) -> str:
    return "it never ends" if remains.ends_ms is None else f"it ends at {_time(remains.ends_ms)}"


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1_000, tz=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _settings(servers: Sequence[ServerFinding]) -> Iterator[str]:
    """Yield what is wrong with how servers are set, and what may be meant so."""
    for each in servers:
        kind = "Fault" if each.serious else "Note"
        node = f" of {each.node}" if each.node else ""
        yield (f"{kind}: {each.setting}{node} is {each.value} ({each.fault.value}); {each.advice}.")
