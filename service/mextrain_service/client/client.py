"""The client: one method for each call of the contract.

Knows the stubs, and that every call needs a credential; nothing of the rules.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from mextrain.v1 import game_pb2, game_service_pb2, move_pb2
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_engine import Move, format_move
from mextrain_engine.rulebook import Chapter
from mextrain_service.client import from_proto
from mextrain_service.client.answers import (
    Changed,
    Created,
    Game,
    LegalMoves,
    Preset,
    ScoreSheet,
    Suggestion,
)
from mextrain_service.client.errors import from_rpc_error
from mextrain_service.client.following import followed
from mextrain_service.client.holders import Bot, Level, Person, write_level, write_seat
from mextrain_service.client.repeating import call_patiently
from mextrain_service.client.rules_proto import OptionValue, write_rules
from mextrain_service.client.updates import Exported, Happened, NewsBatch, Update
from mextrain_service.client.watcher import Opener, list_events, watch_game, watch_games

_Answer = TypeVar("_Answer")

_HEARTBEAT_S = 15.0
_SILENT_HEARTBEATS = 4

_CHANNEL_OPTIONS = (
    # Each client has a connection of its own, so that many in one process spread over workers.
    ("grpc.use_local_subchannel_pool", 1),
    # Repetition is decided in ``repeating``, where request ids make it safe.
    ("grpc.enable_retries", 0),
)


class MextrainClient:
    """Calls the service as one caller: a platform, a seat or a spectator.

    A write is given a request id of its own, and is repeated under it when the connection breaks,
    the store is away or the service is busy; it is never carried out twice. Safe to use from
    several threads.
    """

    def __init__(
        self,
        endpoint: str,
        token: str = "",
        *,
        tls: grpc.ChannelCredentials | None = None,
        deadline_s: float = 5.0,
        patience_s: float = 10.0,
    ) -> None:
        """Make a client; the connection is opened by the first call.

        Args:
            endpoint: ``host:port`` of the gRPC port.
            token: a platform's key, a seat's or a spectator's token; empty for what anyone may ask.
            tls: how to check the service's certificate; None connects without TLS.
            deadline_s: how long one attempt may take, in seconds.
            patience_s: how long to repeat a call that may yet succeed, in seconds.
        """
        self.endpoint = endpoint
        self._channel = (
            grpc.insecure_channel(endpoint, _CHANNEL_OPTIONS)
            if tls is None
            else grpc.secure_channel(endpoint, tls, _CHANNEL_OPTIONS)
        )
        self._stub = GameServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._deadline_s = deadline_s
        self._patience_s = patience_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. A client that is closed makes no more calls."""
        self._channel.close()

    def create_game(
        self,
        seats: Sequence[Person | Bot],
        *,
        preset: str = "",
        overrides: Mapping[str, OptionValue] | None = None,
        fixed_seed: int | None = None,
        spectators: bool = False,
        auto_call: bool = False,
    ) -> Created:
        """Create a game; for a platform.

        Args:
            seats: who sits where, clockwise, 2 to 14.
            preset: the rules to start from; empty for the default.
            overrides: options that differ, by name.
            fixed_seed: derives all deals, where the service allows it; None for fair deals.
            spectators: whether there is a token for those who watch.
            auto_call: whether the service announces the last tile for a seat that must.

        Raises:
            MextrainError: as the contract says of CreateGame.
            ValueError: an option of ``overrides`` does not exist, or has no such value.
        """
        request = game_service_pb2.CreateGameRequest(
            preset=preset,
            overrides=write_rules(overrides or {}),
            seats=[write_seat(holder) for holder in seats],
            policy=game_pb2.TablePolicy(spectators=spectators, auto_call=auto_call),
            request_id=_new_request_id(),
            fixed_seed=fixed_seed,
        )
        return from_proto.read_created(self._call(self._stub.CreateGame, request))

    def get_game(self, game_id: str) -> Game:
        """Return the game as the caller may see it."""
        request = game_service_pb2.GetGameRequest(game_id=game_id)
        return from_proto.read_game(self._call(self._stub.GetGame, request).game)

    def deal_round(self, game_id: str) -> tuple[Game, Changed]:
        """Deal the next round; return the game after it and what happened."""
        request = game_service_pb2.DealRoundRequest(game_id=game_id, request_id=_new_request_id())
        return from_proto.read_dealt(self._call(self._stub.DealRound, request))

    def play(
        self, game_id: str, moves: Sequence[Move], expected_version: int | None = None
    ) -> Changed:
        """Make moves of the caller's seat, all or none.

        Args:
            game_id: the game.
            moves: 1 to 64, in order.
            expected_version: the version that they were chosen at; None for whatever there is.

        Raises:
            MextrainError: ``STALE_VERSION``, or the reason for which the rules refuse a move.
        """
        request = game_service_pb2.PlayMoveRequest(
            game_id=game_id,
            moves=[move_pb2.Move(notation=format_move(move)) for move in moves],
            request_id=_new_request_id(),
            expected_version=expected_version,
        )
        return from_proto.read_changed(self._call(self._stub.PlayMove, request))

    def legal_moves(self, game_id: str) -> LegalMoves:
        """Return what the caller's seat may do now."""
        request = game_service_pb2.ListLegalMovesRequest(game_id=game_id)
        return from_proto.read_legal_moves(self._call(self._stub.ListLegalMoves, request))

    def suggest_move(self, game_id: str, level: Level = "greedy") -> Suggestion:
        """Return what a bot would do on the caller's seat, from what that seat may see.

        Args:
            game_id: the game.
            level: how well the bot plays.
        """
        request = game_service_pb2.SuggestMoveRequest(game_id=game_id, level=write_level(level))
        return from_proto.read_suggestion(self._call(self._stub.SuggestMove, request))

    def score(self, game_id: str) -> ScoreSheet:
        """Return the score so far, or the final one."""
        request = game_service_pb2.GetScoreRequest(game_id=game_id)
        return from_proto.read_score(self._call(self._stub.GetScore, request))

    def events(self, game_id: str, after_version: int = 0) -> Iterator[Happened]:
        """Yield what happened after a version, up to now, by version."""
        return list_events(
            lambda request: self._call(self._stub.ListEvents, request), game_id, after_version
        )

    def export(self, game_id: str) -> Exported:
        """Return the record of a game, without what is hidden from the caller as yet."""
        request = game_service_pb2.ExportGameRequest(game_id=game_id)
        answer = self._call(self._stub.ExportGame, request)
        return Exported(answer.record, answer.version, answer.redacted)

    def delete_game(self, game_id: str) -> None:
        """Remove a game for good; for its platform."""
        request = game_service_pb2.DeleteGameRequest(game_id=game_id, request_id=_new_request_id())
        self._call(self._stub.DeleteGame, request)

    def watch(
        self,
        game_id: str,
        after_version: int | None = None,
        *,
        heartbeat_s: float | None = None,
    ) -> Iterator[Update]:
        """Yield what happens in a game, from any version on, until there is nothing more to tell.

        The stream is opened again whenever it ends before that: nothing is missed or told twice.

        Args:
            game_id: the game.
            after_version: the version up to which all is known; None begins with a ``Reset``.
            heartbeat_s: how often the service is to say that nothing happens, in seconds; a stream
                that is silent for four times as long counts as dead. None for 15 seconds.

        Raises:
            MextrainError: the stream failed for good, or was away for longer than the patience.
        """
        return watch_game(
            self._follow(self._stub.WatchGame, heartbeat_s), game_id, after_version, heartbeat_s
        )

    def watch_games(
        self, cursor: str = "", *, heartbeat_s: float | None = None
    ) -> Iterator[NewsBatch]:
        """Yield what happens to all games of a platform, from any cursor on, for ever.

        Args:
            cursor: that of the batch heard last; empty begins with the oldest that is kept.
            heartbeat_s: as for ``watch``.

        Raises:
            MextrainError: as for ``watch``.
        """
        return watch_games(self._follow(self._stub.WatchGames, heartbeat_s), cursor, heartbeat_s)

    def list_presets(self) -> tuple[Preset, ...]:
        """Return the rule sets that have a name, the default first; takes no token."""
        request = game_service_pb2.ListPresetsRequest()
        return from_proto.read_presets(self._call(self._stub.ListPresets, request))

    def explain_rules(
        self,
        preset: str = "",
        *,
        overrides: Mapping[str, OptionValue] | None = None,
        players: int | None = None,
    ) -> tuple[Chapter, ...]:
        """Return a rule set in plain words, chapter by chapter; takes no token.

        Args:
            preset: the rules to start from; empty for the default.
            overrides: options that differ, by name.
            players: for how many players, 2 to 14; None for every number that it allows.

        Raises:
            MextrainError: ``PRESET_NOT_FOUND`` or ``RULE_SET_INVALID``.
            ValueError: as for ``create_game``.
        """
        request = game_service_pb2.ExplainRulesRequest(
            preset=preset, overrides=write_rules(overrides or {}), players=players
        )
        return from_proto.read_explanation(self._call(self._stub.ExplainRules, request))

    def _follow(self, method: Any, heartbeat_s: float | None) -> Opener:
        """Return what follows a stream of this method."""
        silence_s = _SILENT_HEARTBEATS * (heartbeat_s or _HEARTBEAT_S)

        def follow(request: Callable[[], Any]) -> Iterator[Any]:
            return followed(
                lambda: method(request(), metadata=self._metadata),
                self.endpoint,
                patience_s=self._patience_s,
                silence_s=silence_s,
            )

        return follow

    def _call(self, method: grpc.UnaryUnaryMultiCallable[Any, _Answer], request: object) -> _Answer:
        def attempt() -> _Answer:
            try:
                return method(request, timeout=self._deadline_s, metadata=self._metadata)
            except grpc.RpcError as error:
                raise from_rpc_error(error, self.endpoint) from None

        return call_patiently(attempt, self._patience_s)


def _new_request_id() -> str:
    return str(uuid.uuid4())
