"""Whether the servers that hold games are set so that what was acknowledged is kept.

It asks with `INFO`, which managed services answer too; `CONFIG`, which many refuse, only adds to
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from redis.exceptions import ResponseError

from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.node import Node


class ServerFault(Enum):
    """What is wrong with how a server is set; the value is stable and machine-readable."""

    EVICTS = "evicts"
    NOT_PERSISTENT = "not_persistent"
    SYNCED_LATE = "synced_late"
    IS_REPLICA = "is_replica"
    TOO_FEW_REPLICAS = "too_few_replicas"
    SNAPSHOTS_ONLY = "snapshots_only"
    NOT_TOLD = "not_told"


NOTES = frozenset({ServerFault.SNAPSHOTS_ONLY, ServerFault.NOT_TOLD})
"""What may be meant so: snapshots alone are a choice, and not every server tells how it is set."""


@dataclass(frozen=True, slots=True)
class ServerFinding:
    """One thing about how a server is set.

    Attributes:
        node: which node of a Cluster; empty where there is one server.
        fault: what.
        setting: the setting that it comes from, as it is called where it is set.
        value: what it is.
        advice: what to set it to, and what happens otherwise.
    """

    node: str
    fault: ServerFault
    setting: str
    value: str
    advice: str

    @property
    def serious(self) -> bool:
        """Whether it is a fault, and no mere note."""
        return self.fault not in NOTES


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """How a server is set, as it says itself; None where it does not say.

    Attributes:
        policy: `maxmemory-policy`.
        has_port: it listens on a port. One that does not serves its own machine alone, and whether
            it keeps anything on disk is the choice of who started it; `mextrain serve` starts such
            a one.
        aof: it writes an append-only file.
        snapshots: it writes snapshots.
        fsync: `appendfsync`.
        role: `master` or `slave`.
        replicas: how many follow it and are in step.
    """

    policy: str | None
    has_port: bool
    aof: bool | None
    snapshots: bool | None
    fsync: str | None
    role: str | None
    replicas: int


async def check_servers(client: RedisClient, wait_replicas: int) -> list[ServerFinding]:
    """Ask every server that holds games how it is set, and return what is wrong with that.

    Args:
        client: where they are.
        wait_replicas: replicas that must have a change before it is acknowledged.

    Raises:
        RedisError, OSError: a server does not answer.
    """
    found: list[ServerFinding] = []
    for node in await client.masters():
        found += judged(node.name, await _facts(node), wait_replicas)
    return found


def judged(node: str, facts: ServerFacts, wait_replicas: int) -> Iterator[ServerFinding]:
    """Yield what is wrong with how a server is set, faults first.

    Args:
        node: its name.
        facts: how it is set.
        wait_replicas: replicas that must have a change before it is acknowledged.
    """
    found = [*_memory(facts), *_persistence(facts), *_replication(facts, wait_replicas)]
    for fault, setting, value, advice in sorted(found, key=lambda each: each[0] in NOTES):
        yield ServerFinding(node, fault, setting, value, advice)


_Found = tuple[ServerFault, str, str, str]


def _memory(facts: ServerFacts) -> Iterator[_Found]:
    setting = "maxmemory-policy"
    if facts.policy is None:
        yield ServerFault.NOT_TOLD, setting, "not told", "see to it that it is noeviction"
    elif facts.policy != "noeviction":
        advice = "set it to noeviction: this server throws live games away when its memory is full"
        yield ServerFault.EVICTS, setting, facts.policy, advice


def _persistence(facts: ServerFacts) -> Iterator[_Found]:
    if facts.aof:
        if facts.fsync == "no":
            advice = "set it to everysec: half a minute of changes is lost when the machine ends"
            yield ServerFault.SYNCED_LATE, "appendfsync", "no", advice
    elif not facts.has_port:
        return
    elif facts.aof is None or facts.snapshots is None:
        advice = "see to it that it writes an append-only file, or has another way to keep games"
        yield ServerFault.NOT_TOLD, "appendonly", "not told", advice
    elif facts.snapshots:
        advice = "set it to yes: what came after the latest snapshot is lost when the server ends"
        yield ServerFault.SNAPSHOTS_ONLY, "appendonly", "no", advice
    else:
        advice = "set it to yes: all games are lost when the server ends"
        yield ServerFault.NOT_PERSISTENT, "appendonly", "no", advice


def _replication(facts: ServerFacts, wait_replicas: int) -> Iterator[_Found]:
    if facts.role == "slave":
        advice = "name the master, or the Sentinels: a replica takes no changes"
        yield ServerFault.IS_REPLICA, "MEXTRAIN_REDIS_URL", "a replica", advice
    elif facts.replicas < wait_replicas:
        value = f"{wait_replicas}, and {facts.replicas} in step"
        advice = "start replicas, or wait for fewer: no change is acknowledged until then"
        yield ServerFault.TOO_FEW_REPLICAS, "MEXTRAIN_REDIS_WAIT_REPLICAS", value, advice


async def _facts(node: Node) -> ServerFacts:
    told = await _told(node, "INFO")
    kept = await _told(node, "CONFIG", "GET", "save", "appendfsync")
    aof, saves = told.get("aof_enabled"), told.get("rdb_saves")
    snapshots = kept["save"] != "" if "save" in kept else (saves or "0") != "0" or None
    return ServerFacts(
        policy=told.get("maxmemory_policy"),
        has_port=told.get("tcp_port") != "0",
        aof=None if aof is None else aof == "1",
        snapshots=snapshots,
        fsync=kept.get("appendfsync"),
        role=told.get("role"),
        replicas=sum(
            name.startswith("slave") and "online" in value for name, value in told.items()
        ),
    )


async def _told(node: Node, *command: str) -> Mapping[str, str]:
    """Return what a server answers, by name; nothing if it refuses to."""
    try:
        answer: Any = await node.execute_command(*command)
    except ResponseError:
        return {}
    if isinstance(answer, bytes):
        return dict(line.split(":", 1) for line in answer.decode().splitlines() if ":" in line)
    pairs = (
        answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
    )
    return {bytes(name).decode(): bytes(value).decode() for name, value in pairs}
