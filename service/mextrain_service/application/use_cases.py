"""The use cases together, as a transport drives them."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.add_entropy import AddEntropy
from mextrain_service.application.announcing import Announcer
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.claim_seat import ClaimSeat
from mextrain_service.application.committing import Committer
from mextrain_service.application.create_game import CreateGame, CreationSettings
from mextrain_service.application.deadline_book import DeadlineBook
from mextrain_service.application.deal_round import DealRound
from mextrain_service.application.delete_game import DeleteGame
from mextrain_service.application.enforce_deadlines import EnforceDeadlines
from mextrain_service.application.explain_rules import ExplainRules
from mextrain_service.application.export_game import ExportGame
from mextrain_service.application.feeds import Feed
from mextrain_service.application.get_game import GetGame
from mextrain_service.application.get_score import GetScore
from mextrain_service.application.going_on import GoingOn
from mextrain_service.application.list_events import ListEvents
from mextrain_service.application.list_games import ListGames
from mextrain_service.application.list_legal_moves import ListLegalMoves
from mextrain_service.application.list_presets import ListPresets
from mextrain_service.application.live_games import LiveGames
from mextrain_service.application.play_games import PlayGames
from mextrain_service.application.play_move import PlayMove
from mextrain_service.application.player_seats import PlayerSeats
from mextrain_service.application.ports import (
    ChangeNotifier,
    Clock,
    Deadlines,
    GameIndex,
    GameStore,
)
from mextrain_service.application.resign_seat import ResignSeat
from mextrain_service.application.streams import OpenStreams
from mextrain_service.application.substitute_seat import SubstituteSeat
from mextrain_service.application.suggest_move import SuggestMove
from mextrain_service.application.thinking import Slices
from mextrain_service.application.tokens import TokenIssuer
from mextrain_service.application.transactions import Transactions
from mextrain_service.application.unfinished import Unfinished
from mextrain_service.application.watch_game import WatchGame
from mextrain_service.application.watch_games import WatchGames


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """What the use cases need from outside.

    Attributes:
        store: where games are.
        clock: what time it is.
        issuer: who makes tokens.
        bots: who plays for bots.
        notifier: who hints that something was written.
        feed: where platforms hear of their games.
        streams: the streams of this worker.
        deadlines: when games have to be looked at.
        index: which games there are of whom.
    """

    store: GameStore
    clock: Clock
    issuer: TokenIssuer
    bots: BotPlayer
    notifier: ChangeNotifier
    feed: Feed
    streams: OpenStreams
    deadlines: Deadlines
    index: GameIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Everything that can be asked; one attribute for each use case."""

    create_game: CreateGame
    list_games: ListGames
    get_game: GetGame
    claim_seat: ClaimSeat
    resign_seat: ResignSeat
    substitute_seat: SubstituteSeat
    add_entropy: AddEntropy
    deal_round: DealRound
    play_move: PlayMove
    play_games: PlayGames
    player_seats: PlayerSeats
    get_score: GetScore
    list_legal_moves: ListLegalMoves
    suggest_move: SuggestMove
    watch_game: WatchGame
    watch_games: WatchGames
    announcer: Announcer
    list_events: ListEvents
    export_game: ExportGame
    delete_game: DeleteGame
    list_presets: ListPresets
    explain_rules: ExplainRules
    going_on: GoingOn
    enforce_deadlines: EnforceDeadlines


def build_use_cases(outside: Dependencies, creation: CreationSettings) -> UseCases:
    """Return the use cases, wired to what is outside."""
    store, clock, bots = outside.store, outside.clock, outside.bots
    issuer, streams = outside.issuer, outside.streams
    announcer = Announcer(store, outside.feed, clock)
    book = DeadlineBook(outside.deadlines)
    live_games = LiveGames(store, outside.notifier, streams)
    unfinished, slices = Unfinished(), Slices()
    committer = Committer(store, book, outside.index, announcer, live_games, unfinished)
    transactions = Transactions(store, clock, committer)
    going_on = GoingOn(unfinished, transactions, bots, slices)
    play_move = PlayMove(transactions, bots)
    player_seats = PlayerSeats(store)
    watch_game = WatchGame(store, clock, live_games, streams)
    return UseCases(
        create_game=CreateGame(store, clock, issuer, creation, bots, committer),
        list_games=ListGames(store, outside.index, clock),
        get_game=GetGame(store, clock, book),
        claim_seat=ClaimSeat(transactions, bots, issuer),
        resign_seat=ResignSeat(transactions, bots),
        substitute_seat=SubstituteSeat(transactions, bots, issuer),
        add_entropy=AddEntropy(transactions),
        deal_round=DealRound(transactions, bots),
        play_move=play_move,
        play_games=PlayGames(store, streams, play_move, watch_game, player_seats),
        player_seats=player_seats,
        get_score=GetScore(store),
        list_legal_moves=ListLegalMoves(store),
        suggest_move=SuggestMove(store, bots, slices),
        watch_game=watch_game,
        watch_games=WatchGames(outside.feed, clock, outside.notifier, streams),
        list_events=ListEvents(store),
        export_game=ExportGame(store),
        delete_game=DeleteGame(store, outside.index, clock, committer),
        list_presets=ListPresets(),
        explain_rules=ExplainRules(),
        announcer=announcer,
        going_on=going_on,
        enforce_deadlines=EnforceDeadlines(outside.deadlines, going_on, clock, bots),
    )
