"""A service to be broken: a store of some kind, two workers or more, and what lies between."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from mextrain_service.local.local_keys import new_keys
from tests.faults.proxy import Proxy
from tests.faults.store import KEEPING, Store
from tests.faults.workers import Worker
from tests.storage import valkeys
from tests.storage.valkeys import HOST, Watched

KINDS: Final = ("single", "sentinel", "sentinel-wait", "cluster")
"""The stores there are; ``wait`` is for writes that wait for the replica."""

_WORKERS: Final = 2
_ON_THE_WAY_S: Final = 0.6
"""How long an answer may be under way to a client that is busy."""


_Part = TypeVar("_Part")


class Rig:
    """A service on a store.

    Attributes:
        kind: of the store, one of KINDS.
        url: of the store, as the command line reaches it.
        workers: on the store, or on the proxy before it.
        folder: for files.
        platform_key: of the service's platform.
        chance: of all that faults do by chance.
        windows: when writes may be lost, as ``History`` has it; of the present run.
        returns: when the store came back, maybe with less; of the present run.
        games: names the games that are played.
    """

    def __init__(self, kind: str, url: str, workers_url: str, folder: Path) -> None:
        keys = new_keys()
        wait = {"MEXTRAIN_REDIS_WAIT_REPLICAS": "1"} if kind == "sentinel-wait" else {}
        self.kind = kind
        self.url = url
        self.folder = folder
        self.platform_key = keys.platform_key
        self.chance = random.Random(kind)
        self.workers = [
            Worker(folder, keys, {"MEXTRAIN_REDIS_URL": workers_url, **wait})
            for _ in range(_WORKERS)
        ]
        self.windows: list[tuple[float, float]] = []
        self.returns: list[float] = []
        self.games: Callable[[], list[str]] = list
        self._parts: dict[type, object] = {}

    def put(self, part: object) -> None:
        """Take a part that faults reach by its type."""
        self._parts[type(part)] = part

    @property
    def store(self) -> Store:
        """The single server."""
        return self._part(Store)

    @property
    def proxy(self) -> Proxy:
        """What stands between the workers and the single server."""
        return self._part(Proxy)

    @property
    def watched(self) -> Watched:
        """The master, the replica and the Sentinels."""
        return self._part(Watched)

    @property
    def cluster(self) -> valkeys.Cluster:
        """The Cluster."""
        return self._part(valkeys.Cluster)

    def may_lose(self, since_s: float) -> None:
        """Note that what was acknowledged since then may be lost: what had it is gone by now."""
        self.windows.append((since_s, time.monotonic() + _ON_THE_WAY_S))

    def wait_for_answers(self) -> None:
        """Return when no answer can be under way any more that was given before the loss.

        What is acknowledged later is then known to be acknowledged by what the store has now.
        """
        time.sleep(max(0.0, self.windows[-1][1] - time.monotonic()))

    def is_back(self) -> None:
        """Note that the store is back, maybe with less than it had."""
        self.returns.append(time.monotonic())

    def empty(self) -> None:
        """Remove all games, and forget what was noted of a run before."""
        for server in self.masters():
            server.ask("FLUSHALL")
        self.windows, self.returns = [], []

    def masters(self) -> list[valkeys.Valkey]:
        """Return all servers that take writes."""
        match self.kind:
            case "single":
                return [self.store]
            case "cluster":
                nodes = self.cluster.nodes
                return [each for each in nodes if each.replication()["role"] == "master"]
            case _:
                return [self.watched.master()]

    def _part(self, kind: type[_Part]) -> _Part:
        part = self._parts[kind]
        assert isinstance(part, kind)
        return part


@contextlib.contextmanager
def rig(kind: str, folder: Path) -> Iterator[Rig]:
    """Run a service on a store of a kind."""
    with contextlib.ExitStack() as stack:
        match kind:
            case "single":
                whole = _single(stack, folder)
            case "cluster":
                cluster = stack.enter_context(valkeys.cluster())
                whole = Rig(kind, cluster.url, cluster.url, folder)
                whole.put(cluster)
            case _:
                watched = stack.enter_context(valkeys.watched())
                whole = Rig(kind, watched.url, watched.url, folder)
                whole.put(watched)
        for worker in whole.workers:
            stack.callback(worker.close)
            worker.start()
        for worker in whole.workers:
            worker.wait()
        yield whole


def _single(stack: contextlib.ExitStack, folder: Path) -> Rig:
    store = Store(valkeys.free_ports(1)[0], folder / "store", KEEPING)
    stack.callback(store.close)
    store.start()
    proxy = Proxy(store.port, random.Random("proxy"))
    proxy.open()
    stack.callback(proxy.close)
    whole = Rig(
        "single", f"redis://{HOST}:{store.port}/0", f"redis://{HOST}:{proxy.port}/0", folder
    )
    whole.put(store)
    whole.put(proxy)
    return whole
