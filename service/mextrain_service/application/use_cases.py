"""The use cases together, as a transport drives them."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.changing import GameChanger
from mextrain_service.application.create_game import CreateGame, CreationSettings
from mextrain_service.application.deal_round import DealRound
from mextrain_service.application.delete_game import DeleteGame
from mextrain_service.application.explain_rules import ExplainRules
from mextrain_service.application.export_game import ExportGame
from mextrain_service.application.get_game import GetGame
from mextrain_service.application.get_score import GetScore
from mextrain_service.application.list_events import ListEvents
from mextrain_service.application.list_legal_moves import ListLegalMoves
from mextrain_service.application.list_presets import ListPresets
from mextrain_service.application.play_move import PlayMove
from mextrain_service.application.ports import Clock, Entropy, GameStore
from mextrain_service.application.suggest_move import SuggestMove
from mextrain_service.application.tokens import TokenIssuer


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the use cases need from outside.

    Attributes:
        store: where games are.
        clock: what time it is.
        entropy: where secrets come from.
        issuer: who makes tokens.
        bots: who plays for bots.
    """

    store: GameStore
    clock: Clock
    entropy: Entropy
    issuer: TokenIssuer
    bots: BotPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCases:
    """Everything that can be asked; one attribute for each use case."""

    create_game: CreateGame
    get_game: GetGame
    deal_round: DealRound
    play_move: PlayMove
    get_score: GetScore
    list_legal_moves: ListLegalMoves
    suggest_move: SuggestMove
    list_events: ListEvents
    export_game: ExportGame
    delete_game: DeleteGame
    list_presets: ListPresets
    explain_rules: ExplainRules


def build_use_cases(outside: Outside, creation: CreationSettings) -> UseCases:
    """Return the use cases, wired to what is outside."""
    store, clock, bots = outside.store, outside.clock, outside.bots
    changer = GameChanger(store, clock)
    return UseCases(
        create_game=CreateGame(store, clock, outside.entropy, outside.issuer, creation),
        get_game=GetGame(store, clock),
        deal_round=DealRound(changer, clock, bots),
        play_move=PlayMove(changer, clock, bots),
        get_score=GetScore(store),
        list_legal_moves=ListLegalMoves(store),
        suggest_move=SuggestMove(store, bots),
        list_events=ListEvents(store),
        export_game=ExportGame(store),
        delete_game=DeleteGame(store, clock),
        list_presets=ListPresets(),
        explain_rules=ExplainRules(),
    )
