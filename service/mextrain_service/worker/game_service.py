"""Puts the game service together: credentials, use cases, servicers and the pipeline."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mextrain.v1.game_service_pb2_grpc import add_GameServiceServicer_to_server
from mextrain.v1.operator_service_pb2_grpc import add_OperatorServiceServicer_to_server

from mextrain_service.application.create_game import CreationSettings
from mextrain_service.application.inspect_game import InspectGame
from mextrain_service.application.use_cases import Dependencies, build_use_cases
from mextrain_service.bots.players import SeatBots
from mextrain_service.rpc.caller_rates import CallerRates, RateLimits
from mextrain_service.rpc.channels.metrics import ChannelRequestMetrics
from mextrain_service.rpc.channels.request_checks import RequestChecks
from mextrain_service.rpc.dispatcher import Dispatcher, Methods
from mextrain_service.rpc.game_servicer import GameServicer
from mextrain_service.rpc.metrics import CallMetrics
from mextrain_service.rpc.move_counter import MoveCounter
from mextrain_service.rpc.operator_servicer import OperatorServicer
from mextrain_service.rpc.pipeline import Checks, Observers, Pipeline
from mextrain_service.rpc.recent_errors import KeptErrors
from mextrain_service.rpc.time_limit import CallTimeLimits
from mextrain_service.worker.audit import LoggedAudit

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from mextrain_service.application.announcing import Announcer
    from mextrain_service.application.enforce_deadlines import EnforceDeadlines
    from mextrain_service.application.feeds import Feed
    from mextrain_service.application.going_on import GoingOn
    from mextrain_service.application.operator_ports import GameInspector
    from mextrain_service.application.ports import (
        ChangeNotifier,
        Clock,
        Deadlines,
        GameIndex,
        GameStore,
    )
    from mextrain_service.application.streams import OpenStreams
    from mextrain_service.settings.games import LimitSettings
    from mextrain_service.settings.model import Settings
    from mextrain_service.worker.credentials import Credentials
    from mextrain_service.worker.spans import Tracing

_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Streaming:
    """What streams need.

    Attributes:
        notifier: hints at what was written.
        feed: where platforms hear of their games.
        streams: those that are open; to be closed before the server stops.
    """

    notifier: ChangeNotifier
    feed: Feed
    streams: OpenStreams


@dataclass(frozen=True, slots=True)
class Lists:
    """What is kept beside the games.

    Attributes:
        deadlines: when games have to be looked at.
        index: which games there are of whom.
        inspector: looks at what is stored of a game, for operators.
    """

    deadlines: Deadlines
    index: GameIndex
    inspector: GameInspector


@dataclass(frozen=True, slots=True)
class Observing:
    """What operators see the calls by.

    Attributes:
        registry: where metrics go.
        traces: what makes spans; None if none are wanted.
    """

    registry: CollectorRegistry
    traces: Tracing | None = None


@dataclass(frozen=True, slots=True)
class GameService:
    """The game service of a worker.

    Attributes:
        dispatcher: its methods, for whichever transport.
        enforce_deadlines: to be called now and then, so that no deadline passes unseen.
        announcer: to be asked now and then to keep the promises of workers that died.
        going_on: goes on with tables by itself; to be finished before the announcer is.
    """

    dispatcher: Dispatcher
    enforce_deadlines: EnforceDeadlines
    announcer: Announcer
    going_on: GoingOn


def game_service(
    settings: Settings,
    store: GameStore,
    clock: Clock,
    observing: Observing,
    streaming: Streaming,
    lists: Lists,
    known: Credentials,
) -> GameService:
    """Put the game service together.

    Args:
        settings: all of them.
        store: where games are.
        clock: what time it is for them.
        observing: what operators see its calls by.
        streaming: what streams need.
        lists: what is kept beside the games.
        known: what recognises callers.
    """
    outside = Dependencies(
        store=store,
        clock=clock,
        issuer=known.tokens,
        bots=SeatBots(),
        notifier=streaming.notifier,
        feed=streaming.feed,
        streams=streaming.streams,
        deadlines=lists.deadlines,
        index=lists.index,
    )
    use_cases = build_use_cases(outside, _creation(settings))
    limits, registry = settings.limits, observing.registry
    rates, moves = CallerRates(_rates(limits)), MoveCounter(registry)
    recent_errors = KeptErrors(clock)
    default_s = limits.default_deadline_ms / _MS
    checks = RequestChecks(
        caller_of=known.authenticator.caller,
        admit=lambda caller: rates.admit(caller, str),
        streaming=rates.streaming,
        meter=ChannelRequestMetrics(registry, moves),
        request_timeout_s=default_s,
    )
    methods = Methods()
    methods.add(
        add_GameServiceServicer_to_server,
        GameServicer(use_cases, checks, send_s=settings.watch.send_timeout_ms / _MS),
    )
    inspect_game = InspectGame(lists.inspector, recent_errors, LoggedAudit(), clock)
    methods.add(add_OperatorServiceServicer_to_server, OperatorServicer(inspect_game))
    pipeline = Pipeline(
        Checks(
            authenticate=known.authenticator.caller,
            rates=rates,
            seat_of_player=use_cases.player_seats,
            time_limits=CallTimeLimits(default_s, limits.max_deadline_ms / _MS),
            max_calls=limits.max_concurrent_calls,
        ),
        Observers(
            metrics=CallMetrics(registry, moves),
            recent_errors=recent_errors,
            spans=None if observing.traces is None else observing.traces.call_spans,
        ),
    )
    dispatcher = Dispatcher(methods, pipeline, limits.max_request_bytes)
    return GameService(
        dispatcher, use_cases.enforce_deadlines, use_cases.announcer, use_cases.going_on
    )


def _rates(settings: LimitSettings) -> RateLimits:
    return RateLimits(
        platform_per_s=settings.platform_calls_per_s,
        player_per_s=settings.player_calls_per_s,
        anonymous_per_s=settings.anonymous_calls_per_s,
        spectators_per_s=settings.spectator_calls_per_s,
        burst_s=settings.burst_s,
        streams_per_player=settings.streams_per_player,
        streams_per_game=settings.streams_per_game,
    )


def _creation(settings: Settings) -> CreationSettings:
    signing_key = settings.auth.signing_key.get_secret_value().encode()
    return CreationSettings(
        game_id_key=hmac.digest(signing_key, b"mextrain game ids", "sha256"),
        fixed_seed_allowed=settings.games.allow_fixed_seed,
    )
