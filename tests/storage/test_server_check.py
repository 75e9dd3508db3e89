"""Servers that are set so that they lose what was acknowledged are told from those that are not."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import open_client
from mextrain_service.storage.server_check import (
    ServerFacts,
    ServerFault,
    ServerFinding,
    check_servers,
    judged,
)
from tests.storage import valkeys

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

SOUND = ServerFacts(
    policy="noeviction",
    has_port=True,
    aof=True,
    snapshots=True,
    fsync="everysec",
    role="master",
    replicas=2,
)


def _faults(wait_replicas: int = 0, **changes: Any) -> list[tuple[str, bool]]:
    found = judged("", replace(SOUND, **changes), wait_replicas)
    return [(each.fault.value, each.serious) for each in found]


@pytest.mark.parametrize("fsync", ["everysec", "always", None])
def test_nothing_is_wrong_when_a_server_neither_evicts_nor_forgets(fsync: str | None) -> None:
    assert [] == _faults(fsync=fsync, wait_replicas=2)


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-lfu", "volatile-ttl", "volatile-lru"])
def test_evicting_policy_is_a_fault_whatever_else_there_is(policy: str) -> None:
    assert [("evicts", True)] == _faults(policy=policy)
    assert [("evicts", True)] == _faults(policy=policy, has_port=False, aof=False)
    (found,) = judged("", replace(SOUND, policy=policy), 0)
    assert ("maxmemory-policy", policy) == (found.setting, found.value)
    assert "noeviction" in found.advice


def test_persistence_is_a_fault_when_there_is_none_and_the_server_has_a_port() -> None:
    assert [("not_persistent", True)] == _faults(aof=False, snapshots=False)
    assert [] == _faults(aof=False, snapshots=False, has_port=False)


def test_persistence_is_noted_when_there_are_snapshots_alone() -> None:
    assert [("snapshots_only", False)] == _faults(aof=False)


def test_persistence_is_a_fault_when_the_disk_is_left_to_chance() -> None:
    assert [("synced_late", True)] == _faults(fsync="no")
    assert [("snapshots_only", False)] == _faults(fsync="no", aof=False)


def test_what_a_server_does_not_tell_is_noted_and_no_fault() -> None:
    assert [("not_told", False)] == _faults(policy=None)
    assert [("not_told", False)] == _faults(aof=None, snapshots=None)
    assert [("not_told", False)] == _faults(aof=False, snapshots=None, fsync=None)


def test_replica_is_a_fault_and_so_is_a_master_with_too_few_of_them() -> None:
    assert [("is_replica", True)] == _faults(role="slave", replicas=0, wait_replicas=1)
    assert [("too_few_replicas", True)] == _faults(wait_replicas=3)
    assert [] == _faults(wait_replicas=2)


def test_faults_come_before_notes() -> None:
    found = _faults(policy=None, aof=False, snapshots=False)
    assert [("not_persistent", True), ("not_told", False)] == found


@asynccontextmanager
async def _checked(url: str, wait_replicas: int = 0) -> AsyncIterator[list[ServerFinding]]:
    client = open_client(url)
    try:
        yield await check_servers(client, wait_replicas)
    finally:
        await client.aclose()


@contextmanager
def _set_to(node: valkeys.Valkey, setting: str, value: str) -> Iterator[None]:
    before = valkeys.facts(":".join(node.ask("CONFIG", "GET", setting)))[setting]
    node.ask("CONFIG", "SET", setting, value)
    try:
        yield
    finally:
        node.ask("CONFIG", "SET", setting, before)


@pytest.mark.parametrize("persists", [True, False])
async def test_embedded_server_is_set_right(persists: bool, tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data" if persists else None) as valkey:
        async with _checked(valkey.url) as found:
            assert [] == found


async def test_every_master_of_a_cluster_is_looked_at(cluster: valkeys.Cluster) -> None:
    evicting = cluster.nodes[1]
    with _set_to(evicting, "maxmemory-policy", "allkeys-lru"):
        async with _checked(cluster.url) as found:
            evicts = [each.node for each in found if each.fault is ServerFault.EVICTS]
            forgets = {each.node for each in found if each.fault is ServerFault.NOT_PERSISTENT}
    assert [f"{valkeys.HOST}:{evicting.port}"] == evicts
    assert 3 == len(forgets)


async def test_each_master_of_a_cluster_needs_replicas_of_its_own(
    cluster: valkeys.Cluster,
) -> None:
    async with _checked(cluster.url, wait_replicas=1) as found:
        few = [each for each in found if each.fault is ServerFault.TOO_FEW_REPLICAS]
    assert 2 == len(few)
    assert {"1, and 0 in step"} == {each.value for each in few}


async def test_master_behind_sentinels_is_looked_at(watched: valkeys.Watched) -> None:
    with _set_to(watched.master(), "appendonly", "yes"):
        async with _checked(watched.url, wait_replicas=1) as found:
            assert [] == found
        with _set_to(watched.master(), "appendfsync", "no"):
            async with _checked(watched.url, wait_replicas=2) as found:
                faults = [each.fault for each in found]
    assert [ServerFault.SYNCED_LATE, ServerFault.TOO_FEW_REPLICAS] == faults


async def test_replica_that_is_named_as_the_store_is_told(watched: valkeys.Watched) -> None:
    (replica,) = (each for each in watched.servers if each is not watched.master())
    async with _checked(f"redis://{valkeys.HOST}:{replica.port}") as found:
        assert ServerFault.IS_REPLICA in {each.fault for each in found}


async def test_policy_is_read_where_settings_cannot_be(own_server: EmbeddedValkey) -> None:
    client = open_client(own_server.url)
    await client.execute_command("CONFIG", "SET", "maxmemory-policy", "volatile-lru")
    await client.execute_command("ACL", "SETUSER", "default", "-config")
    found = await check_servers(client, 0)
    assert [ServerFault.EVICTS] == [each.fault for each in found]
    await client.execute_command("ACL", "SETUSER", "default", "-info")
    assert {ServerFault.NOT_TOLD} == {each.fault for each in await check_servers(client, 0)}
    await client.aclose()
