"""The service among its peers once more: all games and all seats over one PlayGames stream."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence

from mextrain.v1.channel_pb2 import ChannelRequest, OpenChannel, PlayMoves
from mextrain.v1.game_service_pb2 import PlayGamesRequest, PlayGamesResponse

from benchmarks.peers.contestants import Played
from benchmarks.peers.game import SEATS, RecordedRound
from benchmarks.peers.node import used_memory
from benchmarks.peers.seat import move_message
from benchmarks.peers.service import created_games
from benchmarks.servers import Cores, Server, cpu_s, resident_bytes, worker
from benchmarks.streams import Connection
from benchmarks.wire import request
from mextrain_engine import Move
from mextrain_service.local.embedded import EmbeddedValkey

_OPENED_AT_ONCE = 40
"""In one message, which has at most 16 KB."""


class _Game:
    """A game whose seats have channels.

    Attributes:
        number: its seats have the channels from ``SEATS * number + 1`` on.
        missing: how many updates and responses are still to come until the last move is done.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.missing = 0
        self.sent = 0.0
        self.moves: list[tuple[int, int, Move]] = []

    def next_request(self) -> ChannelRequest:
        """Return the next move as a request."""
        version, seat, move = self.moves.pop()
        self.missing = SEATS + 1
        self.sent = time.perf_counter()
        return ChannelRequest(
            channel=SEATS * self.number + seat + 1,
            tag=self.number + 1,
            play=PlayMoves(
                moves=[move_message(move)],
                request_id=f"{self.number}-{version}",
                expected_version=version,
            ),
        )


class MextrainChannels:
    """The service and the load on it; see ``Contestant``."""

    def __init__(self, service: Server, store: EmbeddedValkey, played: RecordedRound) -> None:
        self._service = service
        self._store = store
        self._round = played
        self._games: list[_Game] = []
        self._latencies_ms: list[float] = []
        self._requests: list[ChannelRequest] = []
        self._opened = 0

    def open(self, games: int) -> None:
        """Create games, open a stream, and on it a channel for each seat."""
        found = created_games(self._service, self._round.seed, games)
        self._games = [_Game(number) for number in range(games)]
        opening = [
            ChannelRequest(
                channel=SEATS * number + seat + 1,
                open=OpenChannel(game_id=game_id, token=token, after_version=1),
            )
            for number, (game_id, tokens) in enumerate(found)
            for seat, token in enumerate(tokens)
        ]
        self._connection = Connection(self._service.port)
        self._call: int | None = None
        self._opened = 0
        for start in range(0, len(opening), _OPENED_AT_ONCE):
            self._say(opening[start : start + _OPENED_AT_ONCE])
            while self._opened < min(len(opening), start + _OPENED_AT_ONCE):
                self._connection.receive()

    def play(self, first: int, until: int) -> Played:
        """Make moves in all games."""
        moves = [
            (number + 1, seat, move)  # the deal is version 1
            for number, (seat, move) in enumerate(self._round.moves[first:until], first)
        ]
        self._latencies_ms = []
        before, started = self._used(), time.perf_counter()
        for game in self._games:
            game.moves = list(reversed(moves))
        self._say([game.next_request() for game in self._games])
        while any(game.missing for game in self._games):
            self._connection.receive()
            if self._requests:
                self._say(self._requests)
                self._requests = []
        seconds = time.perf_counter() - started
        wire_bytes, own, server, store = (
            after - earlier for after, earlier in zip(self._used(), before, strict=True)
        )
        found = self._latencies_ms
        return Played(len(found), seconds, found, int(wire_bytes), own, server, store)

    def close(self) -> None:
        """Cut the connection."""
        self._connection.close()
        self._games = []

    def server_bytes(self) -> int:
        """Return the worker's memory."""
        return resident_bytes(self._service.pid)

    def store_bytes(self) -> int:
        """Return what its Valkey uses."""
        return used_memory(self._store.url)

    def _say(self, requests: Sequence[ChannelRequest]) -> None:
        message = PlayGamesRequest(requests=requests).SerializeToString()
        if self._call is None:
            path = "/mextrain.v1.GameService/PlayGames"
            opening = request(path, message, self._service.key, deadline=False)
            self._call = self._connection.ask(opening, self._heard, endless=True, goes_on=True)
        else:
            self._connection.say(self._call, message)
        self._connection.flush()

    def _heard(self, message: bytes) -> None:
        for response in PlayGamesResponse.FromString(message).responses:
            game = self._games[(response.channel - 1) // SEATS]
            match response.WhichOneof("response"):
                case "opened":
                    self._opened += 1
                case "played":
                    self._latencies_ms.append(1_000 * (time.perf_counter() - game.sent))
                    self._done(game)
                case "events":
                    self._done(game)
                case kind:
                    assert kind in ("reset", "heartbeat"), response

    def _done(self, game: _Game) -> None:
        game.missing -= 1
        if not game.missing and game.moves:
            self._requests.append(game.next_request())

    def _used(self) -> tuple[float, float, float, float]:
        """Return bytes on the wire, and CPU time of this process, the worker and Valkey."""
        assert self._store.pid is not None
        return (
            self._connection.bytes_in + self._connection.bytes_out,
            time.process_time(),
            self._service.cpu_s(),
            cpu_s(self._store.pid),
        )


@contextlib.contextmanager
def mextrain_channels(
    cores: Cores, store: EmbeddedValkey, played: RecordedRound
) -> Iterator[MextrainChannels]:
    """Run a worker on the server's core; the load on it comes from this process.

    Raises:
        ServerFailedError: it did not start.
    """
    settings = {
        "MEXTRAIN_WATCH_MAX_STREAMS": "20000",
        "MEXTRAIN_SERVER_MAX_CONNECTION_AGE_S": "3600",
    }
    with worker(store.url, cores.server, settings) as service:
        yield MextrainChannels(service, store, played)
