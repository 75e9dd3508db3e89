"""The calls that change nothing: what a game is, was and becomes, and what the rules say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Self

import grpc
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine.rulebook import Chapter
from mextrain_service.client import from_proto, table_answers
from mextrain_service.client.answers import (
    Game,
    GamePage,
    GameState,
    GameSummary,
    LegalMoves,
    Preset,
    ScoreSheet,
    Suggestion,
)
from mextrain_service.client.connection import Connection
from mextrain_service.client.holders import Level, write_level
from mextrain_service.client.rules_proto import OptionValue, write_rules
from mextrain_service.client.updates import Exported, Happened, NewsBatch, Update
from mextrain_service.client.watcher import list_events, watch_game, watch_games


class ReadingClient:
    """Reads from the service as one caller; the part of ``MextrainClient`` that changes nothing.

    Every method raises ``MextrainError`` for what the contract says of its call, and when nothing
    answers. Safe to use from several threads.
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
            token: a platform's key, a seat's, an invitation's or a spectator's token; empty for
                what anyone may ask.
            tls: how to check the service's certificate; None connects without TLS.
            deadline_s: how long one attempt may take, in seconds.
            patience_s: how long to repeat a call that may yet succeed, in seconds.
        """
        self.endpoint = endpoint
        self._connection = Connection(endpoint, token, tls, deadline_s, patience_s)
        self._stub = self._connection.stub

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
        self._connection.close()

    def list_games(
        self,
        player_id: str = "",
        state: GameState | None = None,
        *,
        page_size: int = 0,
        page_token: str = "",
    ) -> GamePage:
        """Return a page of the games of a platform, or of the player who holds the caller's seat.

        Args:
            player_id: only games of this player; for a platform. Empty for all of its games.
            state: only games that stand so; None for all.
            page_size: how many games at most, 1 to 100; 0 for 50.
            page_token: the ``next_page_token`` of the page before; empty for the first page.

        Raises:
            MextrainError: ``PERMISSION_DENIED`` where the caller may not list these.
            ValueError: there is no such state.
        """
        request = pb.ListGamesRequest(
            player_id=player_id,
            state=game_pb2.GameState.Value(f"GAME_STATE_{(state or 'unspecified').upper()}"),
            page_size=page_size,
            page_token=page_token,
        )
        return table_answers.read_page(self._connection.call(self._stub.ListGames, request))

    def games(self, player_id: str = "", state: GameState | None = None) -> Iterator[GameSummary]:
        """Yield what ``list_games`` lists, page by page to its end."""
        page = self.list_games(player_id, state)
        yield from page.games
        while page.next_page_token:
            page = self.list_games(player_id, state, page_token=page.next_page_token)
            yield from page.games

    def get_game(self, game_id: str) -> Game:
        """Return the game as the caller may see it."""
        request = pb.GetGameRequest(game_id=game_id)
        return from_proto.read_game(self._connection.call(self._stub.GetGame, request).game)

    def legal_moves(self, game_id: str) -> LegalMoves:
        """Return what the caller's seat may do now."""
        request = pb.ListLegalMovesRequest(game_id=game_id)
        return from_proto.read_legal_moves(
            self._connection.call(self._stub.ListLegalMoves, request)
        )

    def suggest_move(self, game_id: str, level: Level = "greedy") -> Suggestion:
        """Return what a bot would do on the caller's seat, from what that seat may see.

        Args:
            game_id: the game.
            level: how well the bot plays.
        """
        request = pb.SuggestMoveRequest(game_id=game_id, level=write_level(level))
        return from_proto.read_suggestion(self._connection.call(self._stub.SuggestMove, request))

    def score(self, game_id: str) -> ScoreSheet:
        """Return the score so far, or the final one."""
        request = pb.GetScoreRequest(game_id=game_id)
        return from_proto.read_score(self._connection.call(self._stub.GetScore, request))

    def events(
        self, game_id: str, after_version: int = 0, *, cursor: str = ""
    ) -> Iterator[Happened]:
        """Yield what happened after a version or a cursor, up to now, by version.

        Raises:
            MextrainError: ``HISTORY_CHANGED`` when the store went back in time since the cursor.
        """
        return list_events(
            lambda request: self._connection.call(self._stub.ListEvents, request),
            pb.ListEventsRequest(game_id=game_id, after_version=after_version, cursor=cursor),
        )

    def export(self, game_id: str) -> Exported:
        """Return the record of a game, without what is hidden from the caller as yet."""
        request = pb.ExportGameRequest(game_id=game_id)
        answer = self._connection.call(self._stub.ExportGame, request)
        return Exported(answer.record, answer.version, answer.redacted)

    def watch(
        self,
        game_id: str,
        cursor: str = "",
        *,
        from_start: bool = False,
        heartbeat_s: float | None = None,
    ) -> Iterator[Update]:
        """Yield what happens in a game, from any place on, until there is nothing more to tell.

        The stream is opened again whenever it ends before that: nothing is missed or told twice.

        Args:
            game_id: the game.
            cursor: that of the update heard last; empty begins with a ``Reset``.
            from_start: without a cursor, begin with all that ever happened.
            heartbeat_s: how often the service is to say that nothing happens, in seconds; a stream
                that is silent for four times as long counts as dead. None for 15 seconds.

        Raises:
            MextrainError: the stream failed for good, or was away for longer than the patience.
        """
        return watch_game(
            self._connection.follow(self._stub.WatchGame, heartbeat_s),
            pb.WatchGameRequest(
                game_id=game_id, cursor=cursor, after_version=0 if from_start else None
            ),
            heartbeat_s,
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
        return watch_games(
            self._connection.follow(self._stub.WatchGames, heartbeat_s), cursor, heartbeat_s
        )

    def list_presets(self) -> tuple[Preset, ...]:
        """Return the rule sets that have a name, the default first; takes no token."""
        request = pb.ListPresetsRequest()
        return from_proto.read_presets(self._connection.call(self._stub.ListPresets, request))

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
        request = pb.ExplainRulesRequest(
            preset=preset, overrides=write_rules(overrides or {}), players=players
        )
        return from_proto.read_explanation(self._connection.call(self._stub.ExplainRules, request))
