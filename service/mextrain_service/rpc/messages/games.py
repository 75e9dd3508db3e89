"""Games, their seats, credentials and scores, as messages. Takes answers only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from mextrain.v1 import fairness_pb2, game_pb2, score_pb2

from mextrain_service.application.answers import (
    GameAnswer,
    IssuedToken,
    ScoreAnswer,
    SeatAnswer,
)
from mextrain_service.application.fair_deal import RoundCommitment
from mextrain_service.application.model import BotLevel, SeatKind
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.policies import policy_message
from mextrain_service.rpc.messages.rules import rule_set_message
from mextrain_service.rpc.messages.times import duration, timestamp
from mextrain_service.rpc.messages.views import result_messages, view_message

BOT_LEVELS = EnumPair(BotLevel, game_pb2.BotLevel.DESCRIPTOR)
_LEVELS: Mapping[BotLevel | None, Any] = {
    None: game_pb2.BOT_LEVEL_UNSPECIFIED,
    **{level: BOT_LEVELS.wire[level] for level in BotLevel},
}


def game_message(game: GameAnswer) -> game_pb2.Game:
    """Return a game as its reader may see it."""
    return game_pb2.Game(
        game_id=game.game_id,
        rules=rule_set_message(game.rules),
        seats=seat_messages(game.seats),
        policy=policy_message(game.policy),
        view=view_message(game.table),
        results=result_messages(game.table.view.results),
        commitments=[_commitment(each) for each in game.commitments],
        fixed_seed=game.policy.fixed_seed,
        create_time=timestamp(game.created_ms),
        update_time=timestamp(game.updated_ms) if game.updated_ms else None,
        banks=[duration(bank) for bank in game.banks_ms],
    )


def token_message(token: IssuedToken) -> game_pb2.AccessToken:
    """Return a credential, for the one answer that shows it."""
    return game_pb2.AccessToken(
        seat=token.seat, token=token.token, expire_time=timestamp(token.expires_ms)
    )


def score_message(answer: ScoreAnswer) -> score_pb2.Score:
    """Return a score sheet."""
    score = answer.score
    return score_pb2.Score(
        rounds=result_messages(score.rounds),
        standings=[
            score_pb2.Standing(
                seat=seat,
                total=total,
                place=score.places[seat],
                zero_rounds=score.zero_rounds[seat],
                lowest_round=score.low_rounds[seat],
            )
            for seat, total in enumerate(score.totals)
        ],
        winners=score.leaders if answer.finished else (),
        finished=answer.finished,
    )


def seat_messages(seats: Iterable[SeatAnswer]) -> list[game_pb2.Seat]:
    """Return who sits where, in seat order."""
    return [_seat(place, seat) for place, seat in enumerate(seats)]


def _seat(place: int, seat: SeatAnswer) -> game_pb2.Seat:
    message = game_pb2.Seat(
        seat=place,
        resigned=seat.resigned,
        missed_turns=seat.missed_turns,
        stand_in=_LEVELS[seat.stand_in],
    )
    match seat.kind:
        case SeatKind.PERSON:
            message.person.player_id = seat.player_id or ""
            message.person.display_name = seat.display_name
        case SeatKind.BOT:
            message.bot.display_name = seat.display_name
            message.bot.level = _LEVELS[seat.bot_level]
        case SeatKind.OPEN:
            message.open.SetInParent()
        case _:
            assert_never(seat.kind)
    return message


def _commitment(each: RoundCommitment) -> fairness_pb2.RoundCommitment:
    return fairness_pb2.RoundCommitment(
        number=each.number,
        commitment=each.commitment,
        seed=each.seed or b"",
        entropy=(
            [
                fairness_pb2.SeatEntropy(seat=seat, entropy=part)
                for seat, part in enumerate(each.entropy)
                if part
            ]
            if each.entropy
            else None
        ),
    )
