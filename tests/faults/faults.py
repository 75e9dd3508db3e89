"""The faults by name: each begins when its context is entered and ends when that is left.

They block, and so run in a thread beside the clients.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from redis.crc import key_slot

from mextrain_service.application.model import GameId
from mextrain_service.storage.keys import game_keys
from tests.faults.proxy import Proxy
from tests.faults.rig import Rig
from tests.storage.valkeys import HOST, SLOTS, Cluster, Valkey, eventually
from tests.worker.processes import command

_HELD_BACK_S: Final = 2.5
"""How long a server that syncs each second holds writes back while a sync is slow."""

_BEHIND_S: Final = 1.0
"""How far a replica that is in step may be behind on a busy machine."""

_SKEW_S: Final = 90.0
_LOST_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is done to a service.

    Attributes:
        name: by which it is asked for.
        kind: of the rig that it is done to.
        strike: does it to a rig.
        summary: what is done, in a line.
    """

    name: str
    kind: str
    strike: Callable[[Rig], AbstractContextManager[None]]
    summary: str


FAULTS: Final[dict[str, Fault]] = {}


def _fault(
    *kinds: str,
) -> Callable[[Callable[[Rig], Iterator[None]]], Callable[[Rig], AbstractContextManager[None]]]:
    """Enter a function in the list of faults, once for each kind of rig."""

    def enter(
        strike: Callable[[Rig], Iterator[None]],
    ) -> Callable[[Rig], AbstractContextManager[None]]:
        made = contextlib.contextmanager(strike)
        for kind in kinds:
            name = strike.__name__.replace("_", "-") + ("-wait" if kind.endswith("-wait") else "")
            FAULTS[name] = Fault(name, kind, made, (strike.__doc__ or "").split("\n")[0])
        return made

    return enter


@_fault("single")
def kill_worker(rig: Rig) -> Iterator[None]:
    """Kill a worker, and start it again."""
    worker = rig.chance.choice(rig.workers)
    worker.kill()
    yield
    worker.start()
    worker.wait()


@_fault("single")
def freeze_worker(rig: Rig) -> Iterator[None]:
    """Let a worker stand still with all its connections."""
    worker = rig.chance.choice(rig.workers)
    worker.freeze()
    try:
        yield
    finally:
        worker.thaw()


@_fault("single")
def rolling_stop(rig: Rig) -> Iterator[None]:
    """Ask one worker after the other to stop, and start each again."""
    yield
    for worker in rig.workers:
        worker.stop()
        worker.start()
        worker.wait()


@_fault("single")
def clock_ahead(rig: Rig) -> Iterator[None]:
    """Let one worker's wall clock be ahead by three turns."""
    yield from _clock_off(rig, _SKEW_S)


@_fault("single")
def clock_behind(rig: Rig) -> Iterator[None]:
    """Let one worker's wall clock be behind by three turns."""
    yield from _clock_off(rig, -_SKEW_S)


def _clock_off(rig: Rig, ahead_s: float) -> Iterator[None]:
    rig.workers[0].set_clock(ahead_s)
    yield
    rig.workers[0].set_clock(0.0)


@_fault("single")
def kill_store(rig: Rig) -> Iterator[None]:
    """Kill the store, which syncs its file each second, and start it again."""
    rig.store.kill()
    rig.may_lose(time.monotonic() - _HELD_BACK_S)
    yield
    rig.wait_for_answers()
    rig.store.start()
    rig.is_back()


@_fault("single")
def kill_store_always(rig: Rig) -> Iterator[None]:
    """Kill the store, which syncs its file at each write, and start it again."""
    rig.store.ask("CONFIG", "SET", "appendfsync", "always")
    yield
    rig.store.kill()
    rig.store.start()


@_fault("single")
def freeze_store(rig: Rig) -> Iterator[None]:
    """Let the store stand still with all its connections."""
    rig.store.freeze()
    try:
        yield
    finally:
        rig.store.thaw()


@_fault("single")
def restart_store(rig: Rig) -> Iterator[None]:
    """Ask the store to end, and start it again."""
    rig.store.stop()
    yield
    rig.store.start()


@_fault("single")
def cut_tail(rig: Rig) -> Iterator[None]:
    """Kill the store and start it again without the last of its file."""
    since_s, size = time.monotonic(), rig.store.written()
    yield
    rig.store.kill()
    rig.may_lose(since_s - _HELD_BACK_S)
    rig.wait_for_answers()
    rig.store.cut(size)
    rig.store.start()
    rig.is_back()


@_fault("single")
def replies_lost(rig: Rig) -> Iterator[None]:
    """Drop a worker's connection to the store where a reply would come, one time in ten."""
    rig.proxy.lose_replies(_LOST_SHARE)
    yield
    rig.proxy.carry()


@_fault("single")
def connections_held(rig: Rig) -> Iterator[None]:
    """Carry nothing between workers and store, over connections that stay."""
    rig.proxy.hold()
    yield
    rig.proxy.carry()


@_fault("single")
def connections_dropped(rig: Rig) -> Iterator[None]:
    """Drop all connections between workers and store, and each new one."""
    rig.proxy.refuse()
    yield
    rig.proxy.carry()


@_fault("single")
def script_flush(rig: Rig) -> Iterator[None]:
    """Let the store forget all scripts."""
    rig.store.ask("SCRIPT", "FLUSH")
    yield
    rig.store.ask("SCRIPT", "FLUSH")


@_fault("single")
def out_of_memory(rig: Rig) -> Iterator[None]:
    """Let the store have no memory for further writes."""
    rig.store.ask("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "1")
    yield
    rig.store.ask("CONFIG", "SET", "maxmemory", "0")


@_fault("single")
def disk_full(rig: Rig) -> Iterator[None]:
    """Let the store's file grow no more."""
    rig.store.fill_disk()
    yield
    rig.store.free_disk()


@_fault("single")
def backup_and_restore(rig: Rig) -> Iterator[None]:
    """Make a backup, lose all games, and put them back, under living workers."""
    file = rig.folder / f"backup-{time.monotonic_ns()}.gz"
    since_s = time.monotonic()
    _run(rig, "backup", str(file))
    yield
    rig.store.ask("FLUSHALL")
    rig.may_lose(since_s)
    rig.wait_for_answers()
    _run(rig, "restore", str(file))
    rig.is_back()


def _run(rig: Rig, *words: str) -> None:
    with command(rig.folder, *words, f"--redis-url={rig.url}") as ran:
        assert ran.process.wait(60) == 0, ran.logged()


@_fault("sentinel", "sentinel-wait")
def failover(rig: Rig) -> Iterator[None]:
    """Kill the master, let its replica take over, and start it again as a replica."""
    old = rig.watched.master()
    old.kill()
    _went_over(rig, old, time.monotonic() - _BEHIND_S)
    yield
    rig.watched.heal()


@_fault("sentinel", "sentinel-wait")
def failover_to_lagging(rig: Rig) -> Iterator[None]:
    """Hold the replication, then kill the master: its replica takes over without the last."""
    watched = rig.watched
    old = watched.master()
    replica = next(each for each in watched.servers if each is not old)
    link = Proxy(old.port, random.Random(old.port))
    link.open()
    try:
        replica.ask("REPLICAOF", HOST, link.port)
        eventually(lambda: _follows(replica, link.port), "the replica follows over the proxy")
        link.hold()
        since_s = time.monotonic() - _BEHIND_S
        yield
        old.kill()
        link.refuse()
        _went_over(rig, old, since_s)
        watched.heal()
    finally:
        link.close()


def _went_over(rig: Rig, old: Valkey, since_s: float) -> None:
    """Return when another server is the master; note what may be lost."""
    if rig.kind == "sentinel":
        rig.may_lose(since_s)
    sentinels = rig.watched.sentinels
    eventually(
        lambda: all(rig.watched.master(each) is not old for each in sentinels), "another master"
    )
    rig.is_back()


def _follows(replica: Valkey, port: int) -> bool:
    state = replica.replication()
    return (state["master_link_status"], state["master_port"]) == ("up", str(port))


@_fault("cluster")
def slots_move(rig: Rig) -> Iterator[None]:
    """Move the slots of some games to other masters, with a pause half way."""
    slots = [int(key_slot(game_keys(GameId(game)).snapshot.encode())) for game in rig.games()[-2:]]
    moves = [(slot, _another_master(rig, slot)) for slot in dict.fromkeys(slots)]
    for slot, to in moves:
        rig.cluster.begin_move(slot, to)
        rig.cluster.move_keys(slot, to, at_most=1)
    yield
    for slot, to in moves:
        rig.cluster.move_keys(slot, to)
        rig.cluster.end_move(slot, to)


def _another_master(rig: Rig, slot: int) -> Valkey:
    source = rig.cluster.node_of(slot)
    return rig.chance.choice([each for each in rig.masters() if each is not source])


@_fault("cluster")
def kill_master(rig: Rig) -> Iterator[None]:
    """Kill a master of a Cluster, let its replica take over, and start it again."""
    cluster = rig.cluster
    slot = _slot_with_replica(cluster)
    old = cluster.node_of(slot)
    old.kill()
    rig.may_lose(time.monotonic() - _BEHIND_S)
    eventually(lambda: cluster._agreed(slot) not in (None, old), "another master of the slot")
    rig.is_back()
    yield
    cluster.heal()


def _slot_with_replica(cluster: Cluster) -> int:
    return next(
        slot
        for slot in range(0, SLOTS, 16)
        if cluster.replica_of(cluster.node_of(slot)) is not None
    )
