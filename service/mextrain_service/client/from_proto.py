"""Reads the messages of the contract into the engine's values.

What a newer service adds is skipped, not refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp
from mextrain.v1 import (
    error_reason_pb2,
    game_pb2,
    game_service_pb2,
    move_pb2,
    round_pb2,
    score_pb2,
    train_pb2,
    view_pb2,
)

from mextrain_engine import (
    CALL,
    DRAW,
    PASS,
    Move,
    Owed,
    Phase,
    Reason,
    Refusal,
    RoundEnd,
    RoundResult,
    RoundView,
    TrainView,
    View,
    mask_of,
    play,
)
from mextrain_engine.rulebook import Chapter, Sentence
from mextrain_service.client.answers import (
    Changed,
    Game,
    LegalMoves,
    Preset,
    ScoreSheet,
    Standing,
    Suggestion,
    Table,
    UnplayableTile,
)
from mextrain_service.client.event_from_proto import read_events, read_tile, read_train
from mextrain_service.client.holders import read_seat
from mextrain_service.client.policies import read_policy
from mextrain_service.client.rules_proto import read_rules


def read_game(game: game_pb2.Game) -> Game:
    """Return a game."""
    results = tuple(_read_result(result) for result in game.results)
    return Game(
        game_id=game.game_id,
        rules=read_rules(game.rules),
        seats=tuple(read_seat(seat) for seat in game.seats),
        policy=read_policy(game.policy),
        table=read_table(game.view, len(game.seats), results),
        results=results,
        commitments={entry.number: entry.commitment for entry in game.commitments},
        seeds={entry.number: entry.seed for entry in game.commitments if entry.seed},
        entropy={
            entry.number: {part.seat: part.entropy for part in entry.entropy}
            for entry in game.commitments
            if entry.entropy
        },
        fixed_seed=game.fixed_seed,
        banks=tuple(bank.ToTimedelta() for bank in game.banks),
        created_at=read_moment(game.create_time),
        updated_at=read_moment(game.update_time),
    )


def read_changed(answer: game_service_pb2.PlayMoveResponse) -> Changed:
    """Return what a move led to."""
    seats = len(answer.view.round.hand_counts)
    return Changed(read_table(answer.view, seats, ()), tuple(read_events(answer.events)))


def read_score(answer: game_service_pb2.GetScoreResponse) -> ScoreSheet:
    """Return the score of a match."""
    score = answer.score
    return ScoreSheet(
        rounds=tuple(_read_result(result) for result in score.rounds),
        standings=tuple(_read_standing(standing) for standing in score.standings),
        winners=tuple(score.winners),
        finished=score.finished,
    )


def read_presets(answer: game_service_pb2.ListPresetsResponse) -> tuple[Preset, ...]:
    """Return the rule sets that have a name."""
    return tuple(
        Preset(preset.name, preset.summary, read_rules(preset.rules)) for preset in answer.presets
    )


def read_explanation(answer: game_service_pb2.ExplainRulesResponse) -> tuple[Chapter, ...]:
    """Return a rule set in plain words."""
    return tuple(
        Chapter(
            id=chapter.chapter_id,
            title=chapter.title,
            sentences=tuple(Sentence(item.rule_id, item.text) for item in chapter.sentences),
        )
        for chapter in answer.chapters
    )


def read_legal_moves(answer: game_service_pb2.ListLegalMovesResponse) -> LegalMoves:
    """Return what a seat may do."""
    return LegalMoves(
        version=answer.version,
        moves=tuple(_read_moves(answer.moves)),
        unplayable=tuple(
            UnplayableTile(read_tile(entry.tile), _read_refusal(entry.refusal))
            for entry in answer.unplayable_tiles
        ),
        refusal=_read_refusal(answer.refusal) if answer.HasField("refusal") else None,
    )


def read_suggestion(answer: game_service_pb2.SuggestMoveResponse) -> Suggestion:
    """Return what a bot would do."""
    return Suggestion(
        version=answer.version,
        move=next(iter(_read_moves([answer.move])), None) if answer.HasField("move") else None,
        refusal=_read_refusal(answer.refusal) if answer.HasField("refusal") else None,
    )


def read_table(view: view_pb2.View, seats: int, results: tuple[RoundResult, ...]) -> Table:
    """Return what the caller may see of the table."""
    return Table(
        version=view.version,
        cursor=view.cursor,
        totals=tuple(view.totals),
        turn_deadline=read_moment(view.turn_deadline) if view.HasField("turn_deadline") else None,
        server_time=read_moment(view.server_time),
        view=View(
            seats=seats,
            phase=read_phase(view.phase),
            total_rounds=view.total_rounds,
            results=results,
            round=_read_round(view.round) if view.HasField("round") else None,
            seat=view.seat if view.HasField("seat") else None,
            hand=tuple(sorted(read_tile(held) for held in view.hand)),
        ),
    )


def read_phase(number: view_pb2.Phase.ValueType) -> Phase:
    """Return where a match stands."""
    return Phase[view_pb2.Phase.Name(number).removeprefix("PHASE_")]


def read_moment(stamp: Timestamp) -> datetime:
    """Return a moment, in UTC."""
    return stamp.ToDatetime(tzinfo=UTC)


def _read_round(message: round_pb2.Round) -> RoundView:
    hands = tuple(tuple(read_tile(held) for held in hand.tiles) for hand in message.shown_hands)
    return RoundView(
        number=message.number,
        hub=message.hub,
        starter=message.starter,
        turn=message.turn if message.HasField("turn") else None,
        first_turn=message.first_turn,
        drawn=message.drawn,
        laid=message.laid,
        owed=Owed[round_pb2.Owed.Name(message.owed).removeprefix("OWED_")],
        hand_counts=tuple(message.hand_counts),
        boneyard_count=message.boneyard_count,
        trains=tuple(_read_train_view(train) for train in message.trains),
        open_doubles=tuple(read_train(train) for train in message.open_doubles),
        called=tuple(message.called),
        call_due=message.call_due if message.HasField("call_due") else None,
        shown_hands=hands or None,
    )


def _read_train_view(message: train_pb2.Train) -> TrainView:
    return TrainView(
        train=read_train(message.train),
        pips=tuple(message.pips),
        marked=message.marked,
        open_double=message.open_double,
        deferred_double=message.deferred_double,
    )


def _read_result(message: round_pb2.RoundResult) -> RoundResult:
    return RoundResult(
        hub=message.hub,
        starter=message.starter,
        end=RoundEnd[round_pb2.RoundEnd.Name(message.end).removeprefix("ROUND_END_")],
        out=mask_of(message.out),
        points=tuple(message.points),
    )


def _read_standing(message: score_pb2.Standing) -> Standing:
    return Standing(message.total, message.place, message.zero_rounds)


def _read_moves(messages: Iterable[move_pb2.Move]) -> Iterable[Move]:
    for message in messages:
        match message.WhichOneof("action"):
            case "play_tile":
                laid = message.play_tile
                yield play(read_tile(laid.tile), read_train(laid.train))
            case "draw_tile":
                yield DRAW
            case "pass_turn":
                yield PASS
            case "call_last_tile":
                yield CALL
            case _:
                continue


def _read_refusal(message: move_pb2.Refusal) -> Refusal:
    reason = error_reason_pb2.ErrorReason.Name(message.reason).removeprefix("ERROR_REASON_")
    return Refusal(Reason[reason], message.message, dict(message.facts))
