"""Valkeys of the tests' own on loopback ports: single ones, with Sentinels, and as a Cluster."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from redis import Redis
from redis.exceptions import RedisError

from mextrain_service.local.embedded import find_server
from mextrain_service.process.child import ChildProcess
from tests import polling

HOST = "127.0.0.1"
NODE_TIMEOUT_MS = 1_500
SLOTS = 16_384

_LASTING_THREAD = ThreadPoolExecutor(1)
"""What starts servers: the kernel ends each with the thread that started it."""

_Found = TypeVar("_Found")


def eventually(look: Callable[[], _Found | None], what: str) -> _Found:
    """Return what `look` finds, asking until it finds something that is not false."""

    def found() -> _Found | None:
        with contextlib.suppress(RedisError, OSError):
            return look()
        return None

    try:
        return polling.eventually(found)
    except AssertionError as late:
        late.add_note(what)
        raise


def free_ports(count: int) -> list[int]:
    """Return ports that were free a moment ago, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [int(each.getsockname()[1]) for each in sockets]


@dataclass
class Valkey:
    """One server process, which ends with the tests.

    Attributes:
        port: where it listens.
        folder: its own.
        words: of its command line, beside those that all have.
    """

    port: int
    folder: Path
    words: tuple[str, ...] = ()
    _process: ChildProcess | None = None
    client: Redis = field(init=False)

    def __post_init__(self) -> None:
        self.client = Redis(HOST, self.port, socket_timeout=60, protocol=2, decode_responses=True)
        self.client.response_callbacks.clear()  # answers as they are

    def start(self) -> None:
        """Start it and return when it answers."""
        self.folder.mkdir(exist_ok=True)
        words = [str(find_server()), *self._command_line()]
        self._process = _LASTING_THREAD.submit(_started, words).result()
        eventually(lambda: self.ask("PING"), f"a Valkey answers; its log is {self.folder / 'log'}")

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def ask(self, *words: object) -> Any:
        """Send a command and return its answer as it is."""
        return self.client.execute_command(*words)  # type: ignore[no-untyped-call]

    def replication(self) -> dict[str, str]:
        """Return what it says of its replication."""
        return facts(self.ask("INFO", "replication"))

    @property
    def runs(self) -> bool:
        """Whether it was started and not killed since."""
        return self._process is not None

    def close(self) -> None:
        """End it and forget its connections."""
        self.client.close()
        self.kill()

    def _command_line(self) -> tuple[str, ...]:
        return (
            *("--port", str(self.port), "--bind", HOST, "--dir", str(self.folder)),
            *("--logfile", str(self.folder / "log"), "--save", "", "--appendonly", "no"),
            *("--repl-diskless-sync-delay", "0", "--repl-timeout", "5"),
            *self.words,
        )


@dataclass
class Sentinel(Valkey):
    """One Sentinel process."""

    master_port: int = 0
    quorum: int = 2

    def _command_line(self) -> tuple[str, ...]:
        file = self.folder / "sentinel.conf"
        file.write_text(
            f"port {self.port}\nbind {HOST}\ndir {self.folder}\nlogfile {self.folder / 'log'}\n"
            f"sentinel monitor games {HOST} {self.master_port} {self.quorum}\n"
            f"sentinel down-after-milliseconds games {NODE_TIMEOUT_MS}\n"
            "sentinel failover-timeout games 3000\n"
        )
        return (str(file), "--sentinel")


@dataclass
class Watched:
    """A master, its replica and the Sentinels that watch over them."""

    servers: list[Valkey]
    sentinels: list[Sentinel]

    @property
    def url(self) -> str:
        places = ",".join(f"{HOST}:{each.port}" for each in self.sentinels)
        return f"redis+sentinel://{places}/games"

    def master(self, sentinel: Sentinel | None = None) -> Valkey:
        """Return the server that a Sentinel, the first if none is given, calls the master."""
        port = int(self._master_state(sentinel)["port"])
        return next(each for each in self.servers if each.port == port)

    def wait_until_sound(self) -> None:
        """Return when all Sentinels know all that there is, and the replica is in step."""
        eventually(lambda: all(map(self._knows_all, self.sentinels)), "Sentinels know each other")
        eventually(lambda: in_step(self.master()), "the replica is in step")

    def fail_over_and_heal(self) -> None:
        """Kill the master, let the Sentinels choose another, and start the old one again."""
        self.fail_over()
        self.heal()

    def fail_over(self) -> None:
        """Kill the master and return when every Sentinel calls another server so.

        One that is late would send clients to the old one, which comes back as an empty master.
        """
        old = self.master()
        old.kill()
        eventually(
            lambda: all(self.master(each) is not old for each in self.sentinels), "another master"
        )

    def change_roles(self) -> None:
        """Make the replica the master, all servers living, and return when the other follows."""
        old = self.master()
        ask = ("SENTINEL", "FAILOVER", "games")
        eventually(lambda: self.sentinels[0].ask(*ask), "the replica is good enough to be promoted")
        eventually(lambda: self.master() is not old, "another master")
        old.ask("REPLICAOF", HOST, self.master().port)  # a Sentinel takes 10 s to say so

    def heal(self) -> None:
        """Start what was killed, and return when all is as it was, roles apart."""
        for server in self.servers:
            if not server.runs:
                server.start()
                server.ask("REPLICAOF", HOST, self.master().port)  # a Sentinel takes 10 s to say so
        self.wait_until_sound()

    def _knows_all(self, sentinel: Sentinel) -> bool:
        state = self._master_state(sentinel)
        others, replicas = int(state["num-other-sentinels"]), int(state["num-slaves"])
        return (others, replicas) == (len(self.sentinels) - 1, len(self.servers) - 1)

    def _master_state(self, sentinel: Sentinel | None = None) -> dict[str, str]:
        answer = (sentinel or self.sentinels[0]).ask("SENTINEL", "MASTER", "games")
        return dict(zip(answer[::2], answer[1::2], strict=True))


@dataclass
class Cluster:
    """Three masters, a replica of the first one, and a node without slots."""

    nodes: list[Valkey]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{each.port}" for each in self.nodes[:3])

    def node_of(self, slot: int) -> Valkey:
        """Return the master of a slot, as the nodes that run agree on it."""
        ports = {self._master_port(node, slot) for node in self.nodes if node.runs}
        assert len(ports) == 1, "the nodes do not agree yet"
        return next(each for each in self.nodes if each.port in ports)

    def replica_of(self, master: Valkey) -> Valkey | None:
        """Return a replica of this master that is in step, if one runs."""
        for node in self.nodes:
            if node.runs and node is not master:
                state = node.replication()
                if (state["role"], state.get("master_port")) == ("slave", str(master.port)):
                    return node if state["master_link_status"] == "up" else None
        return None

    def slotless(self) -> Valkey:
        """Return a master without slots."""
        for node in self.nodes:
            if node.replication()["role"] == "master" and not self._slots(node):
                return node
        raise AssertionError("every master has slots")

    def wait_until_sound(self) -> None:
        """Return when every node finds the cluster sound and all masters agree on all slots."""
        eventually(lambda: all(map(self._finds_sound, self.nodes)), "the cluster is sound")

    def fail_over_and_heal(self, slot: int) -> None:
        """Kill the master of a slot, let its replica take over, and start it again."""
        self.fail_over(slot)
        self.heal()

    def fail_over(self, slot: int) -> None:
        """Kill the master of a slot and return when its replica has taken over."""
        old = self.node_of(slot)
        new = eventually(lambda: self.replica_of(old), "a replica in step")
        old.kill()
        eventually(lambda: self._agreed(slot) is new, "another master of the slot")

    def heal(self) -> None:
        """Start what was killed, and return when all is sound."""
        for node in self.nodes:
            if not node.runs:
                node.start()
        self.wait_until_sound()
        eventually(lambda: any(self.replica_of(node) for node in self.nodes), "a replica")

    def begin_move(self, slot: int, to: Valkey) -> Valkey:
        """Open a slot for its move to another node; return the node where it is."""
        source = self.node_of(slot)
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", self._id(source))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", self._id(to))
        return source

    def move_keys(self, slot: int, to: Valkey, *, at_most: int = 1_000) -> None:
        """Move keys of an open slot to the node that imports it."""
        source = self.node_of(slot)
        keys = source.ask("CLUSTER", "GETKEYSINSLOT", slot, at_most)
        if keys:
            words = (HOST, to.port, "", 0, 5_000, "KEYS", *keys)
            source.ask("MIGRATE", *words)

    def end_move(self, slot: int, to: Valkey) -> None:
        """Give a slot to its new node, and return when all nodes know."""
        new = self._id(to)
        to.ask("CLUSTER", "SETSLOT", slot, "NODE", new)
        for node in self.nodes:
            if node.runs and node.replication()["role"] == "master":
                node.ask("CLUSTER", "SETSLOT", slot, "NODE", new)
        eventually(lambda: self._agreed(slot) is to, "the slot has moved")

    def _agreed(self, slot: int) -> Valkey | None:
        with contextlib.suppress(AssertionError):
            return self.node_of(slot)
        return None

    def _finds_sound(self, node: Valkey) -> bool:
        found = facts(node.ask("CLUSTER", "INFO"))
        known, slots = int(found["cluster_known_nodes"]), int(found["cluster_slots_ok"])
        return (found["cluster_state"], known, slots) == ("ok", len(self.nodes), SLOTS)

    def _master_port(self, node: Valkey, slot: int) -> int:
        for first, last, master, *_ in _ranges(node):
            if first <= slot <= last:
                return int(master[1])
        return 0

    def _slots(self, node: Valkey) -> int:
        return sum(
            last - first + 1
            for first, last, master, *_ in _ranges(self.nodes[0])
            if int(master[1]) == node.port
        )

    def _id(self, node: Valkey) -> str:
        return str(node.ask("CLUSTER", "MYID"))


@contextlib.contextmanager
def watched() -> Iterator[Watched]:
    """Run a master with a replica and three Sentinels."""
    with _folder() as folder, contextlib.ExitStack() as stack:
        master, replica, *others = free_ports(5)
        servers = [
            Valkey(master, folder / "master"),
            Valkey(replica, folder / "replica", ("--replicaof", f"{HOST} {master}")),
        ]
        sentinels = [
            Sentinel(port, folder / f"sentinel-{port}", master_port=master) for port in others
        ]
        for each in (*servers, *sentinels):
            stack.callback(each.close)
            each.start()
        whole = Watched(servers, sentinels)
        whole.wait_until_sound()
        yield whole


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a Cluster of five nodes."""
    with _folder() as folder, contextlib.ExitStack() as stack:
        ports, buses = free_ports(5), free_ports(5)
        nodes = [
            Valkey(port, folder / f"node-{at}", _cluster_words(bus))
            for at, (port, bus) in enumerate(zip(ports, buses, strict=True))
        ]
        for node in nodes:
            stack.callback(node.close)
            node.start()
        whole = Cluster(nodes)
        _found(whole, buses)
        yield whole


def in_step(master: Valkey) -> bool:
    """Tell whether every replica of a master has what it had at first and follows it now."""
    state = master.replication()
    replicas = [state[f"slave{at}"] for at in range(int(state["connected_slaves"]))]
    return bool(replicas) and all("state=online" in each for each in replicas)


def facts(text: str) -> dict[str, str]:
    """Return the lines `name:value` of a report."""
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _cluster_words(bus: int) -> tuple[str, ...]:
    return (
        *("--cluster-enabled", "yes", "--cluster-port", str(bus)),
        *("--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--cluster-allow-replica-migration"),
        *("no", "--cluster-replica-validity-factor", "0"),
        *("--cluster-require-full-coverage", "no"),
    )


def _found(whole: Cluster, buses: list[int]) -> None:
    """Give three nodes the slots, make all known to each other, and make a replica."""
    masters, replica = whole.nodes[:3], whole.nodes[3]
    for at, node in enumerate(masters):
        first, last = at * SLOTS // 3, (at + 1) * SLOTS // 3 - 1
        node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
        node.ask("CLUSTER", "SET-CONFIG-EPOCH", at + 1)
    for node, bus in zip(whole.nodes[1:], buses[1:], strict=True):
        whole.nodes[0].ask("CLUSTER", "MEET", HOST, node.port, bus)
    whole.wait_until_sound()
    replica.ask("CLUSTER", "REPLICATE", whole._id(masters[0]))
    eventually(lambda: whole.replica_of(masters[0]), "the replica follows its master")


def _started(words: list[str]) -> ChildProcess:
    return ChildProcess(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="valkeys-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ranges(node: Valkey) -> list[Any]:
    """Return first slot, last slot and nodes, the master first, of each range."""
    return list(node.ask("CLUSTER", "SLOTS"))
