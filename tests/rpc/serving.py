"""Workers on real ports over one real Valkey, and clients of the real contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from grpc import aio
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub
from mextrain.v1.move_pb2 import Move
from mextrain.v1.operator_service_pb2 import InspectGameRequest, InspectGameResponse
from mextrain.v1.operator_service_pb2_grpc import OperatorServiceStub
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from mextrain_service.application.enforce_deadlines import EnforceDeadlines
from mextrain_service.application.feeds import Feed
from mextrain_service.application.model import PlatformId
from mextrain_service.application.ports import Clock, GameStore
from mextrain_service.application.streams import OpenStreams, StreamSettings
from mextrain_service.auth.api_keys import (
    ApiKeys,
    NewApiKey,
    OperatorKeys,
    generate_api_key,
    generate_operator_key,
)
from mextrain_service.auth.authenticator import Authenticator
from mextrain_service.auth.seat_tokens import SeatTokens, SigningKey
from mextrain_service.rpc.caller_rates import RateLimits
from mextrain_service.rpc.dispatcher import Dispatcher
from mextrain_service.rpc.server import ServerLimits, build_server
from mextrain_service.settings.auth import AuthSettings
from mextrain_service.settings.games import GameSettings, LimitSettings, WatchSettings
from mextrain_service.settings.model import RedisSettings, Settings
from mextrain_service.storage import RedisDeadlines, RedisGameIndex, RedisGameStore, Retention
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.feed import RedisFeed
from mextrain_service.storage.inspector import RedisGameInspector
from mextrain_service.storage.outages import RedisOutages
from mextrain_service.worker.clock import GameClock
from mextrain_service.worker.credentials import Credentials
from mextrain_service.worker.game_service import (
    GameService,
    Lists,
    Observing,
    Streaming,
    game_service,
)
from tests.rpc.fake_clock import FakeClock
from tests.rpc.players import Players
from tests.storage.library import Redis

if TYPE_CHECKING:
    from mextrain.v1.game_service_pb2_grpc import GameServiceAsyncStub

WatchingGames: TypeAlias = "aio.UnaryStreamCall[pb.WatchGamesRequest, pb.WatchGamesResponse]"
Watching: TypeAlias = "aio.UnaryStreamCall[pb.WatchGameRequest, pb.WatchGameResponse]"

TOKEN_LIFETIME_S = 3_600
MAX_REQUEST_BYTES = 16_384
RETENTION = Retention(live_ttl_s=600, finished_ttl_s=600)
SIGNING_KEY = SigningKey("tests", b"a signing key of the tests, 32 bytes")


def _key(platform: str) -> NewApiKey:
    return generate_api_key(PlatformId(platform))


def _operator(name: str) -> NewApiKey:
    return generate_operator_key(name)


@dataclass(frozen=True, slots=True)
class House:
    """What all workers of a test have in common."""

    redis: Redis
    clock: FakeClock = field(default_factory=FakeClock)
    key: NewApiKey = field(default_factory=lambda: _key("acme"))
    other_key: NewApiKey = field(default_factory=lambda: _key("rival"))
    operator_key: NewApiKey = field(default_factory=lambda: _operator("ann"))
    reveal_key: NewApiKey = field(default_factory=lambda: _operator("bob"))
    players: Players = field(default_factory=Players)
    fixed_seed_allowed: bool = True
    outages: RedisOutages | None = None

    @property
    def game_clock(self) -> Clock:
        """What time it is for games: all of it counts unless outages are looked for."""
        return self.clock if self.outages is None else GameClock(self.clock, self.outages)

    def tokens(self) -> SeatTokens:
        return SeatTokens([SIGNING_KEY], TOKEN_LIFETIME_S, self.clock)

    def authenticator(self, tokens: SeatTokens) -> Authenticator:
        platforms = ApiKeys(
            {each.platform_id: [each.digest] for each in (self.key, self.other_key)}
        )
        operators = OperatorKeys(
            {each.owner: [each.digest] for each in (self.operator_key,)},
            {each.owner: [each.digest] for each in (self.reveal_key,)},
        )
        return Authenticator(platforms, tokens, self.players.tokens(self.clock), operators)

    async def command(self, *words: str) -> Any:
        """Send a command to the store."""
        return await self.redis.execute_command(*words)

    def store(self) -> RedisGameStore:
        return RedisGameStore(self.redis, RETENTION)

    def index(self) -> RedisGameIndex:
        return RedisGameIndex(self.redis, RETENTION)

    def deadlines(self) -> RedisDeadlines:
        return RedisDeadlines(self.redis, RETENTION)


@dataclass(frozen=True, slots=True)
class Client:
    """Someone who calls with a credential, or with none."""

    stub: GameServiceAsyncStub
    channel: aio.Channel
    metadata: tuple[tuple[str, str], ...] = ()

    def bearing(self, credential: str) -> Client:
        return Client(self.stub, self.channel, (("authorization", f"Bearer {credential}"),))

    async def raw(self, method: str, message: bytes) -> bytes:
        """Send bytes to a method, whatever they are."""
        answer: bytes = await self.channel.unary_unary(method, None, None)(
            message, metadata=self.metadata
        )
        return answer

    async def create_game(self, request: pb.CreateGameRequest) -> pb.CreateGameResponse:
        return await self.stub.CreateGame(request, metadata=self.metadata)

    async def get_game(self, game_id: str) -> game_pb2.Game:
        answer = await self.stub.GetGame(pb.GetGameRequest(game_id=game_id), metadata=self.metadata)
        return answer.game

    async def deal(self, game_id: str, **fields: object) -> pb.DealRoundResponse:
        request = pb.DealRoundRequest(game_id=game_id, **fields)  # type: ignore[arg-type]
        return await self.stub.DealRound(request, metadata=self.metadata)

    async def play(self, game_id: str, *moves: str, **fields: object) -> pb.PlayMoveResponse:
        request = pb.PlayMoveRequest(
            game_id=game_id,
            moves=[Move(notation=move) for move in moves],
            **fields,  # type: ignore[arg-type]
        )
        return await self.stub.PlayMove(request, metadata=self.metadata)

    async def list_games(self, **fields: Any) -> pb.ListGamesResponse:
        return await self.stub.ListGames(pb.ListGamesRequest(**fields), metadata=self.metadata)

    async def claim(self, game_id: str, seat: int, **fields: Any) -> pb.ClaimSeatResponse:
        request = pb.ClaimSeatRequest(game_id=game_id, seat=seat, **fields)
        return await self.stub.ClaimSeat(request, metadata=self.metadata)

    async def resign(self, game_id: str, seat: int, **fields: Any) -> pb.ResignSeatResponse:
        request = pb.ResignSeatRequest(game_id=game_id, seat=seat, **fields)
        return await self.stub.ResignSeat(request, metadata=self.metadata)

    async def substitute(self, game_id: str, seat: int, **fields: Any) -> pb.SubstituteSeatResponse:
        request = pb.SubstituteSeatRequest(game_id=game_id, seat=seat, **fields)
        return await self.stub.SubstituteSeat(request, metadata=self.metadata)

    async def stand_in(self, game_id: str, seat: int, **fields: Any) -> pb.SubstituteSeatResponse:
        """Let a greedy bot play for a seat."""
        return await self.substitute(game_id, seat, bot=game_pb2.Bot(), **fields)

    async def add_entropy(
        self, game_id: str, seat: int, entropy: bytes, **fields: Any
    ) -> pb.AddEntropyResponse:
        request = pb.AddEntropyRequest(game_id=game_id, seat=seat, entropy=entropy, **fields)
        return await self.stub.AddEntropy(request, metadata=self.metadata)

    async def suggest(
        self, game_id: str, level: game_pb2.BotLevel.ValueType = game_pb2.BOT_LEVEL_UNSPECIFIED
    ) -> pb.SuggestMoveResponse:
        request = pb.SuggestMoveRequest(game_id=game_id, level=level)
        return await self.stub.SuggestMove(request, metadata=self.metadata)

    async def play_moves(self, game_id: str, *moves: Move) -> pb.PlayMoveResponse:
        request = pb.PlayMoveRequest(game_id=game_id, moves=moves)
        return await self.stub.PlayMove(request, metadata=self.metadata)

    async def legal_moves(self, game_id: str) -> pb.ListLegalMovesResponse:
        request = pb.ListLegalMovesRequest(game_id=game_id)
        return await self.stub.ListLegalMoves(request, metadata=self.metadata)

    def watch(self, game_id: str, **fields: object) -> Watching:
        """Open a watch; read it message by message, or with ``async for``."""
        request = pb.WatchGameRequest(game_id=game_id, **fields)  # type: ignore[arg-type]
        return self.stub.WatchGame(request, metadata=self.metadata)

    def watch_games(self, **fields: object) -> WatchingGames:
        """Open a watch of all games of the platform."""
        request = pb.WatchGamesRequest(**fields)  # type: ignore[arg-type]
        return self.stub.WatchGames(request, metadata=self.metadata)

    async def events(self, game_id: str, **fields: object) -> pb.ListEventsResponse:
        request = pb.ListEventsRequest(game_id=game_id, **fields)  # type: ignore[arg-type]
        return await self.stub.ListEvents(request, metadata=self.metadata)

    async def export(self, game_id: str) -> pb.ExportGameResponse:
        request = pb.ExportGameRequest(game_id=game_id)
        return await self.stub.ExportGame(request, metadata=self.metadata)

    async def delete(self, game_id: str, **fields: object) -> pb.DeleteGameResponse:
        request = pb.DeleteGameRequest(game_id=game_id, **fields)  # type: ignore[arg-type]
        return await self.stub.DeleteGame(request, metadata=self.metadata)

    async def inspect(self, game_id: str, *, reveal_hands: bool = False) -> InspectGameResponse:
        stub: Any = OperatorServiceStub(self.channel)
        request = InspectGameRequest(game_id=game_id, reveal_hands=reveal_hands)
        answer: InspectGameResponse = await stub.InspectGame(request, metadata=self.metadata)
        return answer

    async def score(self, game_id: str) -> pb.GetScoreResponse:
        return await self.stub.GetScore(pb.GetScoreRequest(game_id=game_id), metadata=self.metadata)


class NoMeter:
    """Nobody looks after the streams of tests."""

    def opened(self, method: str) -> None: ...

    def closed(self, method: str) -> None: ...

    def delivered(self, method: str, lag_s: float) -> None: ...


STREAM_SETTINGS = StreamSettings(heartbeat_s=10, least_heartbeat_s=0.01, reread_s=0.2, backlog=64)


SEND_S = 0.5


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a worker of a test takes on."""

    rates: RateLimits = field(default_factory=RateLimits)
    max_calls: int = 1_000


@asynccontextmanager
async def worker(
    house: House,
    store: GameStore | None = None,
    *,
    deadline_s: float = 30,
    streams: OpenStreams | None = None,
    notifier: RedisChangeNotifier | None = None,
    feed: Feed | None = None,
    bounds: Bounds | None = None,
) -> AsyncIterator[Client]:
    """A worker on a port of its own; yields a client without a credential."""
    async with opened(
        house,
        store,
        deadline_s=deadline_s,
        streams=streams,
        notifier=notifier,
        feed=feed,
        bounds=bounds,
    ) as dispatcher:
        server = build_server(dispatcher, ServerLimits(max_request_bytes=MAX_REQUEST_BYTES))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Client(GameServiceStub(channel), channel)
        await server.stop(None)


@asynccontextmanager
async def opened(
    house: House,
    store: GameStore | None = None,
    *,
    deadline_s: float = 30,
    streams: OpenStreams | None = None,
    notifier: RedisChangeNotifier | None = None,
    feed: Feed | None = None,
    bounds: Bounds | None = None,
) -> AsyncIterator[Dispatcher]:
    """What a worker serves, put together as in production, for whichever transport."""
    notifier = notifier or RedisChangeNotifier(house.redis)
    streams = streams or OpenStreams(STREAM_SETTINGS, NoMeter())
    service = _service(
        house,
        store or house.store(),
        Streaming(notifier, feed or RedisFeed(house.redis), streams),
        _settings(house, bounds or Bounds(), deadline_s),
    )
    async with notifier.listening():
        yield service.dispatcher
        await service.going_on.finish()
        await service.announcer.finish()


def enforcer(house: House) -> EnforceDeadlines:
    """What enforces deadlines, as a worker of its own has it."""
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    streaming = Streaming(RedisChangeNotifier(house.redis), RedisFeed(house.redis), streams)
    settings = _settings(house, Bounds(), deadline_s=30)
    return _service(house, house.store(), streaming, settings).enforce_deadlines


def _service(
    house: House, store: GameStore, streaming: Streaming, settings: Settings
) -> GameService:
    tokens = house.tokens()
    return game_service(
        settings,
        store,
        house.game_clock,
        Observing(CollectorRegistry()),
        streaming,
        Lists(house.deadlines(), house.index(), RedisGameInspector(house.redis)),
        Credentials(house.authenticator(tokens), tokens),
    )


def _settings(house: House, bounds: Bounds, deadline_s: float) -> Settings:
    rates = bounds.rates
    return Settings(
        redis=RedisSettings(url=SecretStr("redis://never-asked")),
        auth=AuthSettings(signing_key=SecretStr("a signing key of the tests, 32 bytes")),
        limits=LimitSettings(
            max_request_bytes=MAX_REQUEST_BYTES,
            max_concurrent_calls=bounds.max_calls,
            default_deadline_ms=round(1_000 * deadline_s),
            max_deadline_ms=30_000,
            platform_calls_per_s=rates.platform_per_s,
            player_calls_per_s=rates.player_per_s,
            anonymous_calls_per_s=rates.anonymous_per_s,
            spectator_calls_per_s=rates.spectators_per_s,
            burst_s=rates.burst_s,
            streams_per_player=rates.streams_per_player,
            streams_per_game=rates.streams_per_game,
        ),
        games=GameSettings(allow_fixed_seed=house.fixed_seed_allowed),
        watch=WatchSettings(send_timeout_ms=round(1_000 * SEND_S)),
    )


def persons(count: int) -> Sequence[game_pb2.Seat]:
    return [
        game_pb2.Seat(
            person=game_pb2.Person(player_id=f"account-{seat}", display_name=f"Player {seat}")
        )
        for seat in range(count)
    ]


def bots(count: int) -> Sequence[game_pb2.Seat]:
    return [game_pb2.Seat(bot=game_pb2.Bot(display_name=f"Bot {seat}")) for seat in range(count)]
