"""The methods of the contract: convert, call, convert."""

from __future__ import annotations

from collections.abc import AsyncIterator

from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.use_cases import UseCases
from mextrain_service.rpc.call import Call
from mextrain_service.rpc.channels.request_checks import RequestChecks
from mextrain_service.rpc.channels.stream import ChannelStream
from mextrain_service.rpc.messages import requests, seat_changes
from mextrain_service.rpc.messages.event_pages import list_events_query, next_page_token
from mextrain_service.rpc.messages.events import event_messages
from mextrain_service.rpc.messages.feed import feed_message, watch_games_query
from mextrain_service.rpc.messages.game_lists import list_games_message, list_games_query
from mextrain_service.rpc.messages.games import (
    game_message,
    score_message,
    token_message,
)
from mextrain_service.rpc.messages.moves import (
    move_message,
    refusal_message,
    unplayable_messages,
)
from mextrain_service.rpc.messages.rules import (
    chapter_messages,
    preset_message,
    rule_set_message,
)
from mextrain_service.rpc.messages.views import view_message
from mextrain_service.rpc.messages.watching import (
    UpdateEncoder,
    begun_at,
    resumed_after,
    watch_game_query,
)
from mextrain_service.rpc.sending import Sender


class GameServicer:
    """Serves ``mextrain.v1.GameService``; the contract says what each method does."""

    def __init__(self, use_cases: UseCases, checks: RequestChecks, *, send_s: float = 10.0) -> None:
        """Serve use cases.

        Args:
            use_cases: what there is to serve.
            checks: the checks of each request on a stream.
            send_s: how long readers of streams may take for a message, in seconds.
        """
        self._use_cases = use_cases
        self._checks = checks
        self._send_s = send_s
        self._encode_update = UpdateEncoder(pb.WatchGameResponse)

    async def CreateGame(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        """Create a game."""
        command = requests.create_game_command(request)
        created = await self._use_cases.create_game(call.caller, command)
        spectator = [token for token in created.tokens if token.seat is None]
        return pb.CreateGameResponse(
            game=game_message(created.game),
            seat_tokens=[token_message(each) for each in created.tokens if each.seat is not None],
            spectator_token=token_message(spectator[0]) if spectator else None,
            invitations=[token_message(each) for each in created.invitations],
        )

    async def ListGames(self, request: pb.ListGamesRequest, call: Call) -> pb.ListGamesResponse:
        """List games of a platform or a player."""
        page = await self._use_cases.list_games(call.caller, list_games_query(request))
        return list_games_message(request, page)

    async def GetGame(self, request: pb.GetGameRequest, call: Call) -> pb.GetGameResponse:
        """Return a game."""
        game = await self._use_cases.get_game(call.caller, requests.game_id_of(request))
        return pb.GetGameResponse(game=game_message(game))

    async def ClaimSeat(self, request: pb.ClaimSeatRequest, call: Call) -> pb.ClaimSeatResponse:
        """Take an open seat, or replace a token."""
        command = seat_changes.claim_seat_command(request)
        claimed = await self._use_cases.claim_seat(call.caller, command)
        return pb.ClaimSeatResponse(
            game=game_message(claimed.game),
            seat_token=None if claimed.token is None else token_message(claimed.token),
            events=event_messages(claimed.events),
        )

    async def ResignSeat(self, request: pb.ResignSeatRequest, call: Call) -> pb.ResignSeatResponse:
        """Leave a seat for good."""
        command = seat_changes.resign_seat_command(request)
        resigned = await self._use_cases.resign_seat(call.caller, command)
        return pb.ResignSeatResponse(
            game=game_message(resigned.game), events=event_messages(resigned.events)
        )

    async def SubstituteSeat(
        self, request: pb.SubstituteSeatRequest, call: Call
    ) -> pb.SubstituteSeatResponse:
        """Hand a seat to a bot or a person, and back."""
        command = seat_changes.substitute_seat_command(request)
        handed = await self._use_cases.substitute_seat(call.caller, command)
        return pb.SubstituteSeatResponse(
            game=game_message(handed.game),
            events=event_messages(handed.events),
            seat_token=None if handed.token is None else token_message(handed.token),
        )

    async def AddEntropy(self, request: pb.AddEntropyRequest, call: Call) -> pb.AddEntropyResponse:
        """Add to the chance of the next deal."""
        command = seat_changes.add_entropy_command(request)
        added = await self._use_cases.add_entropy(call.caller, command)
        return pb.AddEntropyResponse(
            game=game_message(added.game), events=event_messages(added.events), round=added.number
        )

    async def DealRound(self, request: pb.DealRoundRequest, call: Call) -> pb.DealRoundResponse:
        """Deal the next round."""
        arguments = requests.write_arguments(request)
        dealt = await self._use_cases.deal_round(call.caller, *arguments)
        return pb.DealRoundResponse(
            game=game_message(dealt.game), events=event_messages(dealt.events)
        )

    async def PlayMove(self, request: pb.PlayMoveRequest, call: Call) -> pb.PlayMoveResponse:
        """Make moves of the caller's seat."""
        play_move = self._use_cases.play_move
        made = await play_move(call.caller, *requests.play_move_arguments(request))
        table, events = play_move.answer(call.caller, made)
        return pb.PlayMoveResponse(view=view_message(table), events=event_messages(events))

    async def GetScore(self, request: pb.GetScoreRequest, call: Call) -> pb.GetScoreResponse:
        """Return the score."""
        answer = await self._use_cases.get_score(call.caller, requests.game_id_of(request))
        return pb.GetScoreResponse(score=score_message(answer), version=answer.version)

    async def ListLegalMoves(
        self, request: pb.ListLegalMovesRequest, call: Call
    ) -> pb.ListLegalMovesResponse:
        """List what the caller's seat may do."""
        game_id = requests.game_id_of(request)
        answer = await self._use_cases.list_legal_moves(call.caller, game_id)
        return pb.ListLegalMovesResponse(
            version=answer.version,
            moves=[move_message(move) for move in answer.moves],
            unplayable_tiles=unplayable_messages(answer),
            refusal=None if answer.refusal is None else refusal_message(answer.refusal),
        )

    async def SuggestMove(
        self, request: pb.SuggestMoveRequest, call: Call
    ) -> pb.SuggestMoveResponse:
        """Suggest a move to the caller's seat."""
        arguments = requests.suggest_move_arguments(request)
        answer = await self._use_cases.suggest_move(call.caller, *arguments)
        return pb.SuggestMoveResponse(
            version=answer.version,
            move=None if answer.move is None else move_message(answer.move),
            refusal=None if answer.refusal is None else refusal_message(answer.refusal),
        )

    async def WatchGame(self, request: pb.WatchGameRequest, call: Call) -> None:
        """Stream what happens in a game."""
        query = watch_game_query(request)
        sender = Sender(call.context, begun_at(query), self._send_s)
        async with self._use_cases.watch_game(call.caller, query) as watch:
            while not watch.ended:
                for update in await watch.more():
                    await sender.send(self._encode_update(update), resumed_after(update))

    async def WatchGames(self, request: pb.WatchGamesRequest, call: Call) -> None:
        """Stream what happens to the games of a platform."""
        query = watch_games_query(request)
        sender = Sender(call.context, query.cursor, self._send_s)
        async with self._use_cases.watch_games(call.caller, query) as watch:
            while True:
                for update in await watch.more():
                    await sender.send(feed_message(update), update.cursor)

    async def PlayGames(self, request: AsyncIterator[pb.PlayGamesRequest], call: Call) -> None:
        """Act for many seats."""
        play_games = self._use_cases.play_games
        async with play_games(call.caller) as platform:
            # Proxies wait for a request to end, or for its answer to begin.
            await call.context.send_initial_metadata(())
            sender = Sender(call.context, "", self._send_s)
            await ChannelStream(platform, play_games, self._checks, sender, call.id).run(request)

    async def ListEvents(self, request: pb.ListEventsRequest, call: Call) -> pb.ListEventsResponse:
        """List what happened."""
        query = list_events_query(request)
        page = await self._use_cases.list_events(call.caller, query)
        return pb.ListEventsResponse(
            events=event_messages(page.events),
            next_page_token=next_page_token(request, page),
            version=page.position.version,
            cursor="" if page.next_start is not None else page.position.cursor,
        )

    async def ExportGame(self, request: pb.ExportGameRequest, call: Call) -> pb.ExportGameResponse:
        """Return the record of a game."""
        answer = await self._use_cases.export_game(call.caller, requests.game_id_of(request))
        return pb.ExportGameResponse(
            record=answer.record, version=answer.version, redacted=answer.redacted
        )

    async def DeleteGame(self, request: pb.DeleteGameRequest, call: Call) -> pb.DeleteGameResponse:
        """Remove a game."""
        arguments = requests.write_arguments(request)
        version = await self._use_cases.delete_game(call.caller, *arguments)
        return pb.DeleteGameResponse(version=version)

    async def ListPresets(
        self, request: pb.ListPresetsRequest, call: Call
    ) -> pb.ListPresetsResponse:
        """List the presets."""
        del request
        presets = self._use_cases.list_presets(call.caller)
        return pb.ListPresetsResponse(presets=[preset_message(preset) for preset in presets])

    async def ExplainRules(
        self, request: pb.ExplainRulesRequest, call: Call
    ) -> pb.ExplainRulesResponse:
        """Explain rules in words."""
        arguments = requests.explain_rules_arguments(request)
        answer = self._use_cases.explain_rules(call.caller, *arguments)
        return pb.ExplainRulesResponse(
            rules=rule_set_message(answer.rules), chapters=chapter_messages(answer)
        )
