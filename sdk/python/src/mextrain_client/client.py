"""The client: one method for each call of the contract, under its name."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.event_pb2 import Event
from mextrain.v1.game_pb2 import (
    Bot,
    BotLevel,
    GameState,
    GameSummary,
    Person,
    Seat,
    TablePolicy,
)
from mextrain.v1.move_pb2 import Move
from mextrain.v1.operator_service_pb2 import InspectGameRequest, InspectGameResponse
from mextrain.v1.rule_set_pb2 import RuleSet

from mextrain_client.connection import Connection
from mextrain_client.watching import heartbeat, watch_game, watch_games

_Answer = TypeVar("_Answer")

_LARGEST_PAGE = 500


class MextrainClient:
    """Calls the service as one caller: a platform, a seat, an invitation, a spectator, an operator.

    What a call does, what its fields mean and what it fails with is in the contract: the comments
    of its method, request and response. Arguments have the names of the request's fields; None or
    an empty value leaves a field out. Seats are 0-based, clockwise.

    A call is repeated when the connection breaks, the store is away or the service is busy; a write
    is never carried out twice. It goes under a request ID of its own, unless it is given one
    (``request_id``, 1 to 64 characters) to be repeated under later, by another process too.

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
            token: the key of a platform or an operator, the token of a seat, an invitation or a
                spectator; empty for what anyone may ask.
            tls: how to check the service's certificate; None connects without TLS.
            deadline_s: how long one attempt may take, in seconds.
            patience_s: how long to repeat a call that may yet succeed, in seconds.
        """
        self.endpoint = endpoint
        self._connection = Connection(endpoint, token, tls, deadline_s, patience_s)
        self._stub = self._connection.games

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

    def create_game(
        self,
        seats: Sequence[Seat],
        *,
        preset: str = "",
        overrides: RuleSet | None = None,
        policy: TablePolicy | None = None,
        fixed_seed: int | None = None,
        request_id: str = "",
    ) -> pb.CreateGameResponse:
        """Create a game; for a platform."""
        request = pb.CreateGameRequest(
            preset=preset,
            overrides=overrides,
            seats=seats,
            policy=policy,
            fixed_seed=fixed_seed,
            request_id=request_id,
        )
        return self._write(self._stub.CreateGame, request)

    def list_games(
        self,
        player_id: str = "",
        state: GameState.ValueType = GameState.GAME_STATE_UNSPECIFIED,
        *,
        page_size: int = 0,
        page_token: str = "",
    ) -> pb.ListGamesResponse:
        """Return a page of the games of a platform, or of the player on the caller's seat."""
        request = pb.ListGamesRequest(
            player_id=player_id, state=state, page_size=page_size, page_token=page_token
        )
        return self._connection.call(self._stub.ListGames, request)

    def games(
        self,
        player_id: str = "",
        state: GameState.ValueType = GameState.GAME_STATE_UNSPECIFIED,
    ) -> Iterator[GameSummary]:
        """Yield what ``list_games`` lists, page by page to its end."""
        page = self.list_games(player_id, state)
        yield from page.games
        while page.next_page_token:
            page = self.list_games(player_id, state, page_token=page.next_page_token)
            yield from page.games

    def get_game(self, game_id: str) -> pb.GetGameResponse:
        """Return the game as the caller may see it."""
        return self._connection.call(self._stub.GetGame, pb.GetGameRequest(game_id=game_id))

    def claim_seat(
        self,
        game_id: str,
        seat: int,
        *,
        player_id: str = "",
        display_name: str = "",
        expected_version: int | None = None,
        request_id: str = "",
    ) -> pb.ClaimSeatResponse:
        """Take an open seat, or replace the token of a person's seat.

        A ``request_id`` with fewer than 16 characters cannot repeat a holder's own rotation.
        """
        request = pb.ClaimSeatRequest(
            game_id=game_id,
            seat=seat,
            player_id=player_id,
            display_name=display_name,
            expected_version=expected_version,
            request_id=request_id,
        )
        return self._write(self._stub.ClaimSeat, request)

    def resign_seat(
        self,
        game_id: str,
        seat: int,
        *,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> pb.ResignSeatResponse:
        """Leave a seat for good; for the platform and the seat."""
        request = pb.ResignSeatRequest(
            game_id=game_id,
            seat=seat,
            expected_version=expected_version,
            request_id=request_id,
        )
        return self._write(self._stub.ResignSeat, request)

    def substitute_seat(
        self,
        game_id: str,
        seat: int,
        substitute: Bot | Person | None,
        *,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> pb.SubstituteSeatResponse:
        """Hand a seat to a bot or to another person; None gives it back to its holder."""
        request = pb.SubstituteSeatRequest(
            game_id=game_id,
            seat=seat,
            bot=substitute if isinstance(substitute, Bot) else None,
            person=substitute if isinstance(substitute, Person) else None,
            expected_version=expected_version,
            request_id=request_id,
        )
        if substitute is None:
            request.holder = True
        return self._write(self._stub.SubstituteSeat, request)

    def add_entropy(
        self,
        game_id: str,
        seat: int,
        entropy: bytes,
        *,
        round_number: int = 0,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> pb.AddEntropyResponse:
        """Add to the chance of the next deal, so that the service alone cannot choose it."""
        request = pb.AddEntropyRequest(
            game_id=game_id,
            seat=seat,
            entropy=entropy,
            round=round_number,
            expected_version=expected_version,
            request_id=request_id,
        )
        return self._write(self._stub.AddEntropy, request)

    def deal_round(
        self, game_id: str, *, expected_version: int | None = None, request_id: str = ""
    ) -> pb.DealRoundResponse:
        """Deal the next round; for the platform, and for the seats where the policy says so."""
        request = pb.DealRoundRequest(
            game_id=game_id, expected_version=expected_version, request_id=request_id
        )
        return self._write(self._stub.DealRound, request)

    def play_move(
        self,
        game_id: str,
        *moves: Move | str,
        seat: int | None = None,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> pb.PlayMoveResponse:
        """Make moves of the caller's seat, 1 to 64 in order, all of them or none.

        Args:
            game_id: the game.
            moves: each as the contract's message or as its notation, like ``12-5@M``.
            seat: the seat that the caller means, for one that holds several tokens.
            expected_version: the version that the moves were chosen at.
            request_id: names the call for a repetition.
        """
        request = pb.PlayMoveRequest(
            game_id=game_id,
            moves=[Move(notation=move) if isinstance(move, str) else move for move in moves],
            seat=seat,
            expected_version=expected_version,
            request_id=request_id,
        )
        return self._write(self._stub.PlayMove, request)

    def play_games(self, requests: Iterable[pb.PlayGamesRequest]) -> Iterator[pb.PlayGamesResponse]:
        """Act for many seats on one stream; yield what comes on their channels.

        Not opened again when it breaks: open the channels anew after the cursors that came, and ask
        what was not answered again under the same ``request_id``. ``from_status`` reads why a
        channel refused something.

        Args:
            requests: are taken as they come, on another thread; the stream ends when they do and
                all is answered.
        """
        return self._connection.stream(self._stub.PlayGames, iter(requests))

    def get_score(self, game_id: str) -> pb.GetScoreResponse:
        """Return the score so far, or the final one."""
        return self._connection.call(self._stub.GetScore, pb.GetScoreRequest(game_id=game_id))

    def list_legal_moves(self, game_id: str) -> pb.ListLegalMovesResponse:
        """Return what the caller's seat may do now."""
        request = pb.ListLegalMovesRequest(game_id=game_id)
        return self._connection.call(self._stub.ListLegalMoves, request)

    def suggest_move(
        self, game_id: str, level: BotLevel.ValueType = BotLevel.BOT_LEVEL_GREEDY
    ) -> pb.SuggestMoveResponse:
        """Return what a bot would do on the caller's seat, from what that seat may see."""
        request = pb.SuggestMoveRequest(game_id=game_id, level=level)
        return self._connection.call(self._stub.SuggestMove, request)

    def watch_game(
        self,
        game_id: str,
        cursor: str = "",
        *,
        after_version: int | None = None,
        heartbeat_s: float | None = None,
    ) -> Iterator[pb.WatchGameResponse]:
        """Yield what happens in a game: ``events`` and ``reset`` until the ``end``, no heartbeats.

        The stream is opened again whenever it ends before that: nothing is missed or sent twice.

        Args:
            game_id: the game.
            cursor: that of the update before; empty begins with a ``reset``.
            after_version: without a cursor, begin with what happened after it: 0 for everything.
            heartbeat_s: how often the service sends a heartbeat, in seconds, which is not yielded;
                a stream that is silent for four times as long counts as dead. None for 15 seconds.

        Raises:
            MextrainError: the stream failed for good, or was away for longer than the patience.
        """
        request = pb.WatchGameRequest(
            game_id=game_id,
            cursor=cursor,
            after_version=after_version,
            heartbeat_interval=heartbeat(heartbeat_s),
        )
        return watch_game(self._connection.follow(self._stub.WatchGame, heartbeat_s), request)

    def watch_games(
        self, cursor: str = "", *, heartbeat_s: float | None = None
    ) -> Iterator[pb.WatchGamesResponse]:
        """Yield what happens to all games of a platform, ``news`` and ``reset``, for ever.

        Args:
            cursor: that of the update before; empty begins with the oldest that is kept.
            heartbeat_s: as for ``watch_game``.

        Raises:
            MextrainError: as for ``watch_game``.
        """
        request = pb.WatchGamesRequest(cursor=cursor, heartbeat_interval=heartbeat(heartbeat_s))
        return watch_games(self._connection.follow(self._stub.WatchGames, heartbeat_s), request)

    def list_events(
        self,
        game_id: str,
        after_version: int = 0,
        *,
        cursor: str = "",
        page_size: int = 0,
        page_token: str = "",
    ) -> pb.ListEventsResponse:
        """Return a page of what happened after a version or a cursor, in order."""
        request = pb.ListEventsRequest(
            game_id=game_id,
            after_version=after_version,
            cursor=cursor,
            page_size=page_size,
            page_token=page_token,
        )
        return self._connection.call(self._stub.ListEvents, request)

    def events(self, game_id: str, after_version: int = 0, *, cursor: str = "") -> Iterator[Event]:
        """Yield what ``list_events`` lists, page by page up to now."""
        token = ""
        while True:
            page = self.list_events(
                game_id,
                after_version,
                cursor=cursor,
                page_size=_LARGEST_PAGE,
                page_token=token,
            )
            yield from page.events
            token = page.next_page_token
            if not token:
                return

    def export_game(self, game_id: str) -> pb.ExportGameResponse:
        """Return the record of a game, without what is hidden from the caller as yet."""
        return self._connection.call(self._stub.ExportGame, pb.ExportGameRequest(game_id=game_id))

    def delete_game(
        self, game_id: str, *, expected_version: int | None = None, request_id: str = ""
    ) -> pb.DeleteGameResponse:
        """Remove a game for good; for its platform."""
        request = pb.DeleteGameRequest(
            game_id=game_id, expected_version=expected_version, request_id=request_id
        )
        return self._write(self._stub.DeleteGame, request)

    def list_presets(self) -> pb.ListPresetsResponse:
        """Return the rule sets that have a name, the default first; takes no token."""
        return self._connection.call(self._stub.ListPresets, pb.ListPresetsRequest())

    def explain_rules(
        self, preset: str = "", *, overrides: RuleSet | None = None, players: int | None = None
    ) -> pb.ExplainRulesResponse:
        """Return a rule set in plain words, chapter by chapter; takes no token."""
        request = pb.ExplainRulesRequest(preset=preset, overrides=overrides, players=players)
        return self._connection.call(self._stub.ExplainRules, request)

    def inspect_game(self, game_id: str, *, reveal_hands: bool = False) -> InspectGameResponse:
        """Return a game as an operator sees it; ``reveal_hands`` is logged for audit."""
        request = InspectGameRequest(game_id=game_id, reveal_hands=reveal_hands)
        return self._connection.call(self._connection.operator.InspectGame, request)

    def _write(self, method: grpc.UnaryUnaryMultiCallable[Any, _Answer], request: Any) -> _Answer:
        """Return the answer to a write, which goes under a request ID."""
        request.request_id = request.request_id or str(uuid.uuid4())
        return self._connection.call(method, request)
