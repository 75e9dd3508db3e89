"""Puts a worker together, here alone: settings → store → use cases → servicer → server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2
from prometheus_client import (
    CollectorRegistry,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from mextrain_service.application.streams import OpenStreams, StreamSettings
from mextrain_service.process.child import report
from mextrain_service.process.ports import PortUnavailableError
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.connection import ConnectionLimits, open_client
from mextrain_service.storage.deadlines import RedisDeadlines
from mextrain_service.storage.feed import FeedTerms, RedisFeed
from mextrain_service.storage.game_index import RedisGameIndex
from mextrain_service.storage.inspector import RedisGameInspector
from mextrain_service.storage.node import Durability
from mextrain_service.storage.outages import RedisOutages
from mextrain_service.storage.redis_store import RedisGameStore, Retention
from mextrain_service.storage.store_metrics import StoreMetrics
from mextrain_service.worker.clock import SystemClock
from mextrain_service.worker.credentials import credentials
from mextrain_service.worker.game_service import Lists, Observing, Streaming, game_service
from mextrain_service.worker.grpc_server import grpc_server
from mextrain_service.worker.health import OPERATOR_NAME, SERVICE_NAME, Readiness
from mextrain_service.worker.metrics import StreamMetrics, new_registry, tell_of_process
from mextrain_service.worker.operator_port import Page, Route, operator_port
from mextrain_service.worker.recurring import OutboxRelay, Sweeper
from mextrain_service.worker.store_check import StoreCheck
from mextrain_service.worker.timekeeping import Timekeeper
from mextrain_service.worker.tracing import tracing
from mextrain_service.worker.worker_options import WorkerOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from mextrain_service.rpc.dispatcher import Dispatcher
    from mextrain_service.settings.games import GameSettings, WatchSettings
    from mextrain_service.settings.model import RedisSettings, ServerSettings, Settings
    from mextrain_service.storage import RedisClient
    from mextrain_service.worker.spans import Tracing

_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that answers, perhaps NOT_SERVING.

    Attributes:
        endpoint: ``host:port`` of its gRPC port.
        metrics_url: its HTTP port.
        readiness: to be told to follow the store.
    """

    endpoint: str
    metrics_url: str
    readiness: Readiness


class Server(Protocol):
    """What carries calls to the service; generated code adds other services to it."""

    async def start(self) -> None:
        """Take calls."""
        ...

    async def stop(self, grace: float | None) -> Any:
        """Take no more; return when those under way are over, or cut off after so many seconds."""
        ...


Opening: TypeAlias = "Callable[[Settings, Dispatcher, WorkerOptions], tuple[Server, str]]"
"""Makes a server of a dispatcher's methods, and tells the ``host:port`` that it listens on."""


@asynccontextmanager
async def build_worker(
    settings: Settings,
    place: WorkerOptions,
    force_stop: asyncio.Event,
    opening: Opening = grpc_server,
) -> AsyncIterator[Worker]:
    """Put a worker together; take it apart in reverse when the context closes.

    Args:
        settings: all of them.
        place: where it stands among others.
        force_stop: cuts short whatever closing waits for.
        opening: makes the server that carries calls.

    Raises:
        PortUnavailableError: a port is taken.
        SettingsError: a file that they name cannot be used.
    """
    registry = new_registry()
    async with AsyncExitStack() as stack:
        client = _client(settings.redis)
        stack.push_async_callback(client.aclose)
        retention = _retention(settings.games)
        traces = await stack.enter_async_context(tracing(settings.tracing, place.index))
        store = _store(client, retention, registry, traces)
        timekeeper = Timekeeper(client, RedisOutages(client, retention), registry)
        readiness = Readiness(
            store,
            begin=timekeeper.begin,
            on_first_ready=lambda: report(place.report_descriptor, {"state": "serving"}),
        )
        tell_of_process(registry, readiness)
        metrics_url = await _operator_url(stack, settings, place, readiness, registry)
        notifier = RedisChangeNotifier(client, settings.watch.feed_partitions)
        await stack.enter_async_context(notifier.listening())
        streams = OpenStreams(_stream_settings(settings.watch), StreamMetrics(registry))
        known = await stack.enter_async_context(credentials(settings.auth, SystemClock()))
        service = game_service(
            settings,
            store,
            timekeeper.clock,
            Observing(registry, traces),
            Streaming(notifier, RedisFeed(client, _feed_terms(settings)), streams),
            Lists(
                RedisDeadlines(client, retention),
                RedisGameIndex(client, retention),
                RedisGameInspector(client),
            ),
            known,
        )
        server, endpoint = opening(settings, service.dispatcher, place)
        await _add_health(server, readiness)
        if settings.server.reflection:
            _add_reflection(server)
        stack.push_async_callback(service.announcer.finish)
        stack.push_async_callback(service.going_on.finish)
        end = _End(readiness, streams, force_stop)
        await stack.enter_async_context(timekeeper.keeping())
        await stack.enter_async_context(_serving(server, settings.server, end))
        sweeper = Sweeper(
            service.enforce_deadlines,
            settings.games.sweep_ms / _MS,
            registry,
            timekeeper.store_clock.trusted,
        )
        await stack.enter_async_context(sweeper.sweeping())
        keeper = OutboxRelay(service.announcer, settings.games.sweep_ms / _MS, registry)
        await stack.enter_async_context(keeper.keeping())
        check = StoreCheck(client, settings.redis.wait_replicas, registry)
        await stack.enter_async_context(check.checking())
        yield Worker(endpoint, metrics_url, readiness)


def _client(settings: RedisSettings) -> RedisClient:
    limits = ConnectionLimits(
        connect_timeout_s=settings.connect_timeout_ms / _MS,
        answer_timeout_s=settings.timeout_ms / _MS,
        pool_timeout_s=settings.timeout_ms / _MS,
        max_connections=settings.max_connections,
    )
    durability = Durability(settings.wait_replicas, settings.wait_ms)
    return open_client(settings.url.get_secret_value(), limits, durability)


def _store(
    client: RedisClient,
    retention: Retention,
    registry: CollectorRegistry,
    traces: Tracing | None,
) -> RedisGameStore:
    metrics = StoreMetrics(registry, None if traces is None else traces.store_span)
    return RedisGameStore(client, retention, metrics)


def _retention(settings: GameSettings) -> Retention:
    return Retention(
        live_ttl_s=settings.live_ttl_s,
        finished_ttl_s=settings.finished_ttl_s,
        remembered_games=settings.remembered,
    )


def _feed_terms(settings: Settings) -> FeedTerms:
    return FeedTerms(
        partitions=settings.watch.feed_partitions,
        kept_news=settings.watch.feed_news,
        kept_s=settings.games.live_ttl_s,
    )


def _stream_settings(settings: WatchSettings) -> StreamSettings:
    return StreamSettings(
        heartbeat_s=settings.heartbeat_s,
        least_heartbeat_s=settings.min_heartbeat_s,
        greatest_heartbeat_s=settings.max_heartbeat_s,
        reread_s=settings.reread_ms / _MS,
        backlog=settings.backlog,
        most_streams=settings.max_streams,
    )


async def _operator_url(
    stack: AsyncExitStack,
    settings: Settings,
    place: WorkerOptions,
    readiness: Readiness,
    registry: CollectorRegistry,
) -> str:
    """Open the operator's port and return its address."""
    host = settings.metrics.host
    port = settings.metrics.port if place.metrics_port is None else place.metrics_port

    def metrics() -> Page:
        return Page(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)

    routes = {
        "/metrics": Route("Prometheus metrics of this worker", metrics),
        "/healthz": Route("liveness: 200 while the worker runs", readiness.live_page),
        "/readyz": Route("readiness: 200 while it takes calls, else 503", readiness.ready_page),
    }
    try:
        bound = await stack.enter_async_context(operator_port(host, port, routes))
    except OSError as error:
        message = f"the metrics port {host}:{port} cannot be listened on: {error.strerror}"
        raise PortUnavailableError(message) from error
    return f"http://{host}:{bound}/metrics"


async def _add_health(server: Any, readiness: Readiness) -> None:
    health_pb2_grpc.add_HealthServicer_to_server(readiness.servicer, server)
    await readiness.begin()


_HEALTH_NAME: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name


_REFLECTIONS: Final = ("grpc.reflection.v1.ServerReflection", reflection.SERVICE_NAME)
"""Two names of one service, whose messages are alike on the wire: new clients ask by the first."""


def _add_reflection(server: Any) -> None:
    names = (SERVICE_NAME, OPERATOR_NAME, _HEALTH_NAME, *_REFLECTIONS)
    servicer = reflection.aio.ReflectionServicer(names)  # type: ignore[attr-defined]  # stubs lag
    method = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    for name in _REFLECTIONS:
        handlers = {"ServerReflectionInfo": method}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))
        server.add_registered_method_handlers(name, handlers)


@dataclass(frozen=True, slots=True)
class _End:
    """What has a part in the end of a worker."""

    readiness: Readiness
    streams: OpenStreams
    force_stop: asyncio.Event


@asynccontextmanager
async def _serving(server: Server, settings: ServerSettings, end: _End) -> AsyncIterator[None]:
    """Take calls; at the end, say so first, then wait for those that look, then for the calls.

    Streams end when no new call is taken any more: who resumes would else be back at once.
    """
    log = structlog.get_logger("mextrain.worker")
    await server.start()
    try:
        yield
    finally:
        await end.readiness.stop()
        log.info("draining", delay_s=settings.drain_delay_s, grace_s=settings.grace_s)
        with suppress(TimeoutError):
            await asyncio.wait_for(end.force_stop.wait(), settings.drain_delay_s)
        stopping = asyncio.create_task(
            server.stop(0 if end.force_stop.is_set() else settings.grace_s)
        )
        await asyncio.sleep(0)  # the port closes, and each connection is told to go
        end.streams.close()
        await stopping
        log.info("stopped")
