"""The store goes back, and what workers and watchers remember is of a history that is no more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.move_pb2 import Move

from mextrain_engine import parse_record
from mextrain_service.application.model import GameId
from mextrain_service.storage import Durability, open_client
from mextrain_service.storage.keys import game_keys
from tests.faults.findings import Findings
from tests.faults.history import Final, History, Message, Stream
from tests.faults.reading import read_facts, read_message
from tests.faults.resuming import place_after
from tests.faults.stream_check import check_stream
from tests.rpc.games import Seated, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, persons, worker
from tests.storage import valkeys
from tests.storage.valkeys import HOST, Valkey, eventually

_LONG_S = 10.0
_LIFE_MS = "600000"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two workers, and a game of two persons as each of them serves it."""

    house: House
    game_id: str
    first: Seated
    second: Seated

    async def moves(self, at: Seated) -> tuple[Client, list[Move]]:
        """Return the seat to move and what it may do, by one worker."""
        game = await at.platform.get_game(self.game_id)
        mover = at.seats[game.view.round.turn]
        return mover, list((await mover.legal_moves(self.game_id)).moves)

    async def play(self, at: Seated, which: int) -> pb.PlayMoveResponse:
        """Make the first or the last legal move, at one worker."""
        mover, moves = await self.moves(at)
        return await mover.play_moves(self.game_id, moves[which])

    async def kept(self) -> dict[str, Any]:
        """Return what the store has of the game."""
        keys = game_keys(GameId(self.game_id))
        return {key: await self.house.command("DUMP", key) for key in (keys.snapshot, keys.log)}

    async def put_back(self, kept: dict[str, Any]) -> None:
        """Let the store have what it had, as after a failover to a replica that was behind."""
        for key, value in kept.items():
            await self.house.command("RESTORE", key, _LIFE_MS, value, "REPLACE")


@asynccontextmanager
async def _pair(house: House, other: House | None = None) -> AsyncIterator[Pair]:
    """Serve a game that has come to version 3 by two workers."""
    async with worker(house) as one, worker(other or house) as two:
        first = await seat_all(one.bearing(house.key.text), seats=persons(2), fixed_seed=5)
        second = Seated(
            first.game_id,
            _at(two, first.platform),
            {seat: _at(two, client) for seat, client in first.seats.items()},
            _at(two, first.spectator),
        )
        pair = Pair(house, first.game_id, first, second)
        await first.platform.deal(first.game_id)
        for _ in range(2):
            await pair.play(first, 0)
        yield pair


def _at(worker_of: Client, client: Client) -> Client:
    """Return the same caller as a client of another worker."""
    return Client(worker_of.stub, worker_of.channel, client.metadata)


async def test_move_of_a_worker_that_remembers_a_lost_history_erases_no_acknowledged_move(
    house: House,
) -> None:
    async with _pair(house) as pair:
        before = await pair.kept()
        for _ in range(2):
            await pair.play(pair.first, 0)
        mover, moves = await pair.moves(pair.first)
        await pair.put_back(before)
        made = [await pair.play(pair.second, -1) for _ in range(2)]
        acknowledged = [event for answer in made for event in read_facts(answer.events)]
        request = pb.PlayMoveRequest(game_id=pair.game_id, moves=moves[:1], expected_version=5)
        # Refused or made on top of the second worker's moves: which of the two, the tiles decide.
        await asyncio.gather(
            mover.stub.PlayMove(request, metadata=mover.metadata), return_exceptions=True
        )
        for seated in (pair.first, pair.second):
            told = await seated.platform.events(pair.game_id, after_version=3, page_size=500)
            facts = read_facts(told.events)
            assert acknowledged == [fact for fact in facts if fact.version in {4, 5}]
        export = await pair.second.platform.export(pair.game_id)
        assert export.version == len(parse_record(export.record).entries)


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[tuple[Valkey, Valkey]]:
    """A master, and a server that follows it when it is told to."""
    servers = [Valkey(port, tmp_path / str(port)) for port in valkeys.free_ports(2)]
    try:
        for server in servers:
            server.start()
        yield servers[0], servers[1]
    finally:
        for server in servers:
            server.close()


def _follow(master: Valkey, replica: Valkey) -> None:
    replica.ask("REPLICAOF", HOST, master.port)
    eventually(lambda: replica.replication()["master_link_status"] == "up", "the replica follows")


async def test_repetition_is_not_acknowledged_by_what_a_worker_remembers_when_the_store_lost_it(
    replicated: tuple[Valkey, Valkey],
) -> None:
    master, replica = replicated
    _follow(master, replica)
    client = open_client(
        f"redis://{HOST}:{master.port}/0", durability=Durability(replicas=1, wait_ms=100)
    )
    house = House(client)  # type: ignore[arg-type]
    async with _pair(house) as pair:
        before = await pair.kept()
        replica.ask("REPLICAOF", "NO", "ONE")
        mover, moves = await pair.moves(pair.first)
        request = pb.PlayMoveRequest(game_id=pair.game_id, moves=moves[:1], request_id="x")
        call = mover.stub.PlayMove(request, metadata=mover.metadata)
        assert "STORE_UNAVAILABLE" == (await refusal_of(call)).reason
        shown = await mover.get_game(pair.game_id)  # others may see it earlier, and this worker
        assert 4 == shown.view.version
        await pair.put_back(before)
        _follow(master, replica)
        again = await mover.stub.PlayMove(request, metadata=mover.metadata)
        assert again.view.version == 4
        assert {4} == {event.version for event in again.events}
        seen = await pair.second.platform.events(pair.game_id, after_version=3)
        assert 4 == seen.version
        assert read_facts(again.events) == read_facts(seen.events)
    await client.aclose()


class _Listener:
    """Takes down one stream, and resumes it by its last message."""

    def __init__(self, game_id: str) -> None:
        self.stream = Stream(game_id, "public")
        self._last: Any = None

    async def listen(self, platform: Client, version: int, call: Any = None) -> Any:
        """Listen until this version is told, and return the open stream."""
        call = call or platform.watch(self.stream.game, **place_after(self._last))
        async with asyncio.timeout(_LONG_S):
            while not self.stream.messages or self._heard().version < version:
                self._last = await call.read()
                read = read_message(self._last, time.monotonic())
                assert read is not None
                self.stream.messages.append(read)
        return call

    def _heard(self) -> Message:
        return self.stream.messages[-1]


async def _anomalies(pair: Pair, stream: Stream) -> dict[str, int]:
    """Return what is wrong with a stream by the record, after the store went back."""
    told = await pair.second.platform.events(pair.game_id, page_size=500)
    truth = Final(pair.game_id, 0, told.version, read_facts(told.events))
    found = Findings()
    check_stream(stream, truth, History(returns=[0.0]), found)
    return found.anomalies()


async def test_watch_is_reset_when_its_game_goes_on_in_another_history(house: House) -> None:
    async with _pair(house) as pair:
        listener = _Listener(pair.game_id)
        before = await pair.kept()
        call = await listener.listen(pair.first.platform, 3)
        for _ in range(2):
            await pair.play(pair.first, 0)
        await listener.listen(pair.first.platform, 5, call)
        await pair.put_back(before)
        for _ in range(3):
            await pair.play(pair.second, -1)
        await listener.listen(pair.first.platform, 6, call)
        call.cancel()
        assert {} == await _anomalies(pair, listener.stream)


async def test_resumed_watch_is_reset_when_what_it_was_told_is_of_another_history(
    house: House,
) -> None:
    async with _pair(house) as pair:
        listener = _Listener(pair.game_id)
        before = await pair.kept()
        call = await listener.listen(pair.first.platform, 3)
        for _ in range(2):
            await pair.play(pair.first, 0)
        (await listener.listen(pair.first.platform, 5, call)).cancel()
        await pair.put_back(before)
        for _ in range(3):
            await pair.play(pair.second, -1)
        (await listener.listen(pair.second.platform, 6)).cancel()
        assert {} == await _anomalies(pair, listener.stream)
