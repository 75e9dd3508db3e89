"""Commands reach the master of their slot, wherever the nodes of a cluster say that it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
import redis.exceptions as failure
from redis.crc import key_slot

from mextrain_service.storage import cluster_client as module
from mextrain_service.storage.addresses import Host
from mextrain_service.storage.cluster_client import ClusterClient
from mextrain_service.storage.node import Node

KEY = "mt:{game}:s"
SLOT = key_slot(KEY.encode())
ONE, TWO, THREE = (Host(name, 6379) for name in ("one", "two", "three"))

Answer = Callable[[tuple[Any, ...]], Any]


class FakeNode:
    """Answers as it is told; notes what it was asked."""

    def __init__(self, host: Host, nodes: Nodes) -> None:
        self.host = host
        self.is_away = False
        self.is_closed = False
        self.asked: list[tuple[Any, ...]] = []
        self._nodes = nodes

    async def execute_command(self, *command: Any, awaits_replicas: bool = False) -> Any:
        del awaits_replicas
        self.asked.append(command)
        if command == ("CLUSTER", "SLOTS"):
            return self._nodes.slots_by(self.host)
        return self._nodes.answer(self.host, command)

    async def execute_asking(self, *command: Any, awaits_replicas: bool = False) -> Any:
        return await self.execute_command("ASKING", *command, awaits_replicas=awaits_replicas)

    async def aclose(self) -> None:
        self.is_closed = True


class Nodes:
    """The nodes of a cluster whose slots are all of one master.

    Attributes:
        made: every node that the client has made.
        master: what the nodes call the master; None while they know none.
        answers: what a node answers; an error is raised. Any other answers its own name.
        silent: hosts that cannot be reached.
    """

    def __init__(self) -> None:
        self.made: list[FakeNode] = []
        self.master: Host | None = ONE
        self.answers: dict[Host, Iterator[Any]] = {}
        self.silent: set[Host] = set()

    def make(self, host: Host) -> Node:
        self.made.append(FakeNode(host, self))
        return cast("Node", self.made[-1])

    def at(self, host: Host) -> FakeNode:
        return next(node for node in self.made if node.host == host)

    def slots_by(self, host: Host) -> list[Any]:
        self._require_reachable(host)
        if self.master is None:
            return []
        return [[0, 16_383, [self.master.name.encode(), self.master.port, b"id", []]]]

    def answer(self, host: Host, command: tuple[Any, ...]) -> Any:
        del command
        self._require_reachable(host)
        answer = next(self.answers.get(host, iter(())), host.name)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _require_reachable(self, host: Host) -> None:
        if host in self.silent:
            raise failure.ConnectionError("not reachable")


@pytest.fixture
def nodes() -> Nodes:
    return Nodes()


def _client(nodes: Nodes, *seeds: Host) -> ClusterClient:
    return ClusterClient(seeds or (ONE,), nodes.make)


def _moved(to: str) -> failure.MovedError:
    return failure.MovedError(f"{SLOT} {to}")


def _asks(to: str) -> failure.AskError:
    return failure.AskError(f"{SLOT} {to}")


async def test_seeds_are_asked_in_turn_until_one_answers(nodes: Nodes) -> None:
    nodes.silent = {TWO}
    client = _client(nodes, TWO, ONE)
    assert "one" == await client.execute_command("GET", KEY)
    await client.aclose()


async def test_no_seed_that_answers_is_a_cluster_that_cannot_be_reached(nodes: Nodes) -> None:
    nodes.silent = {ONE, TWO}
    client = _client(nodes, ONE, TWO)
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("GET", KEY)
    await client.aclose()


async def test_node_without_cluster_is_a_cluster_that_cannot_be_reached(nodes: Nodes) -> None:
    nodes.master = None
    client = _client(nodes)
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("GET", KEY)
    await client.aclose()


async def test_slot_that_moved_is_asked_for_at_its_new_node_from_then_on(nodes: Nodes) -> None:
    client = _client(nodes)
    await client.execute_command("GET", KEY)
    nodes.answers[ONE] = iter([_moved("two:6379")])
    assert "two" == await client.execute_command("GET", KEY)
    assert "two" == await client.execute_command("GET", KEY)
    assert [("GET", KEY)] * 2 == nodes.at(TWO).asked
    await client.aclose()


async def test_slot_that_moves_is_asked_for_at_both_nodes_until_it_has_moved(nodes: Nodes) -> None:
    client = _client(nodes)
    nodes.answers[ONE] = iter([_asks("two:6379"), "still here"])
    assert "two" == await client.execute_command("EVALSHA", "digest", 1, KEY)
    assert "still here" == await client.execute_command("GET", KEY)
    assert [("ASKING", "EVALSHA", "digest", 1, KEY)] == nodes.at(TWO).asked
    await client.aclose()


@pytest.mark.parametrize("name", ["", "?"])
async def test_redirection_without_a_host_means_the_host_that_was_asked(
    nodes: Nodes, name: str
) -> None:
    client = _client(nodes)
    nodes.answers[ONE] = iter([_moved(f"{name}:7000")])
    assert "one" == await client.execute_command("GET", KEY)
    assert [("GET", KEY)] == nodes.at(Host("one", 7000)).asked
    await client.aclose()


async def test_command_is_not_redirected_for_ever(nodes: Nodes) -> None:
    client = _client(nodes)
    nodes.answers[ONE] = iter([_moved("two:6379")] * 100)
    nodes.answers[TWO] = iter([_moved("one:6379")] * 100)
    with pytest.raises(failure.ClusterError):
        await client.execute_command("GET", KEY)
    await client.aclose()


async def test_command_is_tried_again_for_a_while_when_its_keys_are_on_two_nodes(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TRY_AGAIN_S", (0.0,) * 3)
    client = _client(nodes)
    nodes.answers[ONE] = iter([failure.TryAgainError("x")] * 3)
    assert "one" == await client.execute_command("GET", KEY)
    nodes.answers[ONE] = iter([failure.TryAgainError("x")] * 4)
    with pytest.raises(failure.TryAgainError):
        await client.execute_command("GET", KEY)
    await client.aclose()


async def test_command_is_not_repeated_after_its_connection_broke(nodes: Nodes) -> None:
    client = _client(nodes)
    nodes.answers[ONE] = iter([failure.ConnectionError("broken")])
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("GET", KEY)
    assert 1 == nodes.at(ONE).asked.count(("GET", KEY))
    await client.aclose()


async def test_slots_are_learned_again_when_a_node_fails(nodes: Nodes) -> None:
    client = _client(nodes, ONE, TWO)
    await client.execute_command("GET", KEY)
    nodes.silent, nodes.master = {ONE}, THREE
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("GET", KEY)
    assert client._refreshing is not None
    assert ["three"] == [cast("FakeNode", node).host.name for node in await client.masters()]
    assert "three" == await client.execute_command("GET", KEY)
    await client.aclose()


async def test_node_that_has_left_is_closed(nodes: Nodes) -> None:
    client = _client(nodes, ONE, TWO)
    await client.execute_command("GET", KEY)
    nodes.silent, nodes.master = {ONE}, TWO
    await client.masters()
    await client.masters()
    assert {TWO} == client._nodes.keys()
    await client.aclose()
    assert all(node.is_closed for node in nodes.made)


async def test_slots_are_not_learned_again_for_what_fails_as_the_client_is_closed(
    nodes: Nodes,
) -> None:
    client = _client(nodes)
    await client.execute_command("GET", KEY)
    await client.aclose()
    nodes.silent = {ONE}
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("GET", KEY)
    assert client._refreshing is None


async def test_any_master_answers_a_ping(nodes: Nodes) -> None:
    client = _client(nodes)
    assert "one" == await client.execute_command("PING")
    nodes.silent = {ONE}
    with pytest.raises(failure.ConnectionError):
        await client.execute_command("PING")
    await client.aclose()
