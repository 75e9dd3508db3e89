"""The service among its peers: PlayMove, with a live WatchGame at each of the four seats."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterator, Sequence

from mextrain.v1 import game_pb2, game_service_pb2

from benchmarks.peers.contestants import Played
from benchmarks.peers.game import SEATS, RecordedRound, rules
from benchmarks.peers.node import used_memory
from benchmarks.peers.seat import SeatConnection
from benchmarks.rounds import call
from benchmarks.servers import Cores, Server, cpu_s, resident_bytes, worker
from benchmarks.streams import Connections
from benchmarks.wire import Lane, drive, shared
from mextrain_engine import Move
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.rpc.messages.rules import rule_set_message

_CREATED_AT_ONCE = 16
_PUMP_S = 1.0


class OpenGame:
    """A game with its four seats connected.

    Attributes:
        seats: their connections.
        missing: how many messages are still to come until the last thing asked is done.
    """

    def __init__(self, port: int, game_id: str, tokens: Sequence[str]) -> None:
        self.seats = [SeatConnection(port, game_id, token) for token in tokens]
        self.missing = 0
        self._moves: list[tuple[int, int, Move]] = []
        self._latencies_ms: list[float] = []
        self._sent = 0.0

    def watch(self) -> None:
        """Open the streams of all seats; each brings one message at once."""
        self.missing = SEATS
        for seat in self.seats:
            seat.watch(self._heard)

    def begin(self, moves: Sequence[tuple[int, int, Move]], latencies_ms: list[float]) -> None:
        """Make the first of these moves; each other follows when all has come of the one before.

        Args:
            moves: version before the move, seat, move.
            latencies_ms: gets the time to each answer, which is the mover's update.
        """
        self._moves = list(reversed(moves))
        self._latencies_ms = latencies_ms
        self._next()

    def _next(self) -> None:
        version, seat, move = self._moves.pop()
        self.missing = SEATS + 1
        self._sent = time.perf_counter()
        self.seats[seat].play(move, version, self._answered)

    def _answered(self, answer: bytes) -> None:
        self._latencies_ms.append(1_000 * (time.perf_counter() - self._sent))
        self._heard(answer)

    def _heard(self, _: bytes) -> None:
        self.missing -= 1
        if not self.missing and self._moves:
            self._next()


class MextrainService:
    """The service and the load on it; see ``Contestant``."""

    def __init__(self, service: Server, store: EmbeddedValkey, played: RecordedRound) -> None:
        self._service = service
        self._store = store
        self._round = played
        self._games: list[OpenGame] = []
        self._connections = Connections(())

    def open(self, games: int) -> None:
        """Create games and connect their seats."""
        created = created_games(self._service, self._round.seed, games)
        opened = [OpenGame(self._service.port, *each) for each in created]
        self._games += opened
        self._connections = Connections(
            seat.connection for game in self._games for seat in game.seats
        )
        for game in opened:
            game.watch()
        self._pump(opened)

    def play(self, first: int, until: int) -> Played:
        """Make moves in all games."""
        moves = [
            (number + 1, seat, move)  # the deal is version 1
            for number, (seat, move) in enumerate(self._round.moves[first:until], first)
        ]
        latencies_ms: list[float] = []
        before, started = self._used(), time.perf_counter()
        for game in self._games:
            game.begin(moves, latencies_ms)
        self._pump(self._games)
        seconds = time.perf_counter() - started
        wire_bytes, own, server, store = (
            after - earlier for after, earlier in zip(self._used(), before, strict=True)
        )
        return Played(len(latencies_ms), seconds, latencies_ms, int(wire_bytes), own, server, store)

    def close(self) -> None:
        """Cut all connections."""
        self._connections.close()
        self._connections, self._games = Connections(()), []

    def server_bytes(self) -> int:
        """Return the worker's memory."""
        return resident_bytes(self._service.pid)

    def store_bytes(self) -> int:
        """Return what its Valkey uses."""
        return used_memory(self._store.url)

    def _pump(self, games: Sequence[OpenGame]) -> None:
        while any(game.missing for game in games):
            self._connections.pump(_PUMP_S)

    def _used(self) -> tuple[float, float, float, float]:
        """Return bytes on the wire, and CPU time of this process, the worker and Valkey."""
        every = self._connections.all
        assert self._store.pid is not None
        return (
            sum(each.bytes_in + each.bytes_out for each in every),
            time.process_time(),
            self._service.cpu_s(),
            cpu_s(self._store.pid),
        )


@contextlib.contextmanager
def mextrain_service(
    cores: Cores, store: EmbeddedValkey, played: RecordedRound
) -> Iterator[MextrainService]:
    """Run a worker on the server's core; the load on it comes from this process.

    Raises:
        ServerFailedError: it did not start.
    """
    settings = {
        "MEXTRAIN_WATCH_MAX_STREAMS": "20000",
        "MEXTRAIN_SERVER_MAX_CONNECTION_AGE_S": "3600",
    }
    with worker(store.url, cores.server, settings) as service:
        yield MextrainService(service, store, played)


def created_games(service: Server, seed: int, games: int) -> list[tuple[str, list[str]]]:
    """Create games and deal their rounds; return the id and the tokens of each."""
    created: list[tuple[str, list[str]]] = []
    lanes = [_creating(service.key, seed, created) for _ in range(games)]
    drive(service.port, shared(lanes, min(games, _CREATED_AT_ONCE)))
    return created


def _creating(key: str, seed: int, created: list[tuple[str, list[str]]]) -> Lane:
    """Create a game and deal its round."""
    seats = [
        game_pb2.Seat(person=game_pb2.Person(player_id=str(uuid.uuid4()))) for _ in range(SEATS)
    ]
    creation = game_service_pb2.CreateGameRequest(
        preset="modern",
        overrides=rule_set_message(rules()),
        seats=seats,
        request_id=str(uuid.uuid4()),
        fixed_seed=seed,
    )
    answer = game_service_pb2.CreateGameResponse.FromString(
        (yield call("CreateGame", creation, key))
    )
    game_id = answer.game.game_id
    dealing = game_service_pb2.DealRoundRequest(game_id=game_id, request_id=str(uuid.uuid4()))
    yield call("DealRound", dealing, key)
    created.append((game_id, [token.token for token in answer.seat_tokens]))
