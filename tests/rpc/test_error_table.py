"""The table of errors, the contract and the documentation name the same errors."""

from __future__ import annotations

import json

import pytest
from google.rpc import error_details_pb2
from mextrain.v1.error_reason_pb2 import ErrorReason

from mextrain_engine import (
    DealError,
    IllegalMoveError,
    Reason,
    Refusal,
    RuleSet,
    RuleSetError,
    new_game,
    spectate,
)
from mextrain_engine.errors import RuleSetProblem
from mextrain_service.application import ports, refused
from mextrain_service.application.answers import TableAnswer
from mextrain_service.application.chain import Position
from mextrain_service.application.refused import FieldViolation, InvalidRequestError, Refused
from mextrain_service.rpc.error_status import CODE_OF_REASON, PREFIX, kind_of, status_of
from tools.error_page import CONTRACT, PAGE, contract_comments, page

COMMENTS = list(contract_comments(CONTRACT.read_text(encoding="utf-8")))

SAMPLES: tuple[Exception, ...] = (
    Refused(refused.ROUND_IN_PROGRESS, round=3),
    refused.StaleVersionError(
        1, TableAnswer(Position(2, bytes(6)), spectate(new_game(RuleSet(), 2)), 0)
    ),
    Refused(refused.REQUEST_ID_REUSED, request_id="tap"),
    Refused(refused.SEAT_OPEN, seat=3),
    Refused(refused.CONTENTION, attempts=5, retry_after_s=0.1),
    Refused(refused.SEAT_TAKEN, seat=3),
    Refused(refused.SEAT_RESIGNED, seat=3),
    Refused(refused.SEAT_NOT_HELD, seat=3),
    Refused(refused.PLAYER_SEATED, seat=1),
    Refused(refused.ROUND_NOT_NEXT, round=3, next=4),
    Refused(refused.NO_ROUND_NEXT, round=3),
    Refused(refused.ENTROPY_ADDED, round=4),
    ports.GameNotFoundError("R6d1nC5sQkqJv0T2bWm3xA"),
    ports.DamagedGameError("byte 255 begins no log entry"),
    Refused(refused.PRESET_NOT_FOUND, preset="modren", nearest="modern"),
    Refused(refused.UNAUTHENTICATED),
    Refused(refused.CREDENTIAL_MALFORMED),
    Refused(refused.TOKEN_FORGED),
    Refused(refused.API_KEY_UNKNOWN),
    Refused(refused.ISSUER_UNKNOWN),
    Refused(refused.AUDIENCE_WRONG),
    Refused(refused.TOKEN_EARLY),
    refused.token_expired(1),
    refused.TokenSupersededError(),
    Refused(refused.PERMISSION_DENIED, action="CreateGame", needed="a platform"),
    Refused(refused.SEAT_NOT_YOURS, seat=2, your_seat=0),
    Refused(refused.FIXED_SEED_DISABLED),
    Refused(refused.SPECTATORS_NOT_ALLOWED),
    refused.invalid_field("f", "c", "d"),
    RuleSetError((RuleSetProblem("CODE", ("option",), "wrong"),)),
    InvalidRequestError([FieldViolation("f", "c", "d")], refused.TILE_MALFORMED, tile="19-2"),
    InvalidRequestError(
        [FieldViolation("f", "c", "d")], refused.MOVE_MALFORMED, text="12/5@2", expected="a move"
    ),
    Refused(refused.REQUEST_TOO_LARGE, size_bytes=2, limit_bytes=1),
    ports.StoreUnavailableError("away"),
    Refused(refused.SHUTTING_DOWN, retry_after_s=0.1),
    Refused(refused.READER_TOO_SLOW, resume="41-x3n9QGbZ", retry_after_s=0.1),
    Refused(refused.TOO_MANY_WATCHERS, retry_after_s=1.0),
    Refused(refused.HISTORY_CHANGED, version=212),
    refused.HistoryGoneError(212),
    Refused(refused.DEADLINE_EXCEEDED, limit_s=5.0),
    *(Refused(kind, retry_after_s=0.2) for kind in refused.RATE_LIMITED.values()),
    Refused(refused.OVERLOADED, limit=1_000, retry_after_s=0.5),
    Refused(refused.UNIMPLEMENTED, method="/mextrain.v1.GameService/SuggestMove"),
    ValueError(),
)
"""One exception of each kind but those of refused moves."""


def test_every_reason_of_the_contract_is_in_the_table() -> None:
    names = [name for name, number in ErrorReason.items() if number]
    assert sorted(names) == sorted(PREFIX + reason for reason in CODE_OF_REASON)


def test_kinds_of_one_reason_have_one_code() -> None:
    pairs = {(kind.reason, kind.code) for kind in refused.ERROR_KINDS}
    assert len(pairs) == len({reason for reason, _ in pairs})


def test_every_kind_is_tried() -> None:
    untried = set(refused.ERROR_KINDS) - {kind_of(error) for error in SAMPLES}
    assert untried == {refused.GAME_FINISHED, refused.VERSION_NOT_SHOWN}


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_the_engine_keeps_its_name(reason: Reason) -> None:
    kind = kind_of(IllegalMoveError(Refusal(reason, "")))
    assert (kind.reason, kind.code) == (reason.value, "FAILED_PRECONDITION")


def test_deal_that_fails_by_a_bug_is_internal() -> None:
    codes = ("GAME_FINISHED", "ROUND_IN_PROGRESS", "BAD_PERMUTATION")
    reasons = [kind_of(DealError(code, "")).reason for code in codes]
    assert reasons == ["GAME_FINISHED", "INTERNAL", "INTERNAL"]


def test_exception_that_nobody_foresaw_is_internal_and_says_nothing() -> None:
    status = status_of(ValueError("hand of seat 2: 12-5"), "call-1")
    assert kind_of(ValueError()) is refused.INTERNAL
    assert status.message == refused.INTERNAL.message
    assert b"12-5" not in status.SerializeToString()
    assert b"call-1" in status.SerializeToString()


def test_comment_of_each_reason_names_its_code() -> None:
    comments = dict(COMMENTS)
    wrong = [reason for reason, code in CODE_OF_REASON.items() if code not in comments[reason]]
    assert wrong == []


def test_page_is_that_of_the_table_and_the_contract() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `make docs-errors`"


def test_example_of_each_reason_has_the_facts_that_are_sent() -> None:
    examples = {
        reason: set(json.loads(comment.partition("\nExample: ")[2])) for reason, comment in COMMENTS
    }
    assert {kind_of(error).reason for error in SAMPLES} == set(CODE_OF_REASON) - set(
        Reason.__members__
    )
    for error in SAMPLES:
        info = error_details_pb2.ErrorInfo()
        status_of(error, "call-1").details[0].Unpack(info)
        assert set(info.metadata) == examples[info.reason], info.reason


def test_status_stays_small_however_much_is_wrong() -> None:
    problem = RuleSetProblem("CODE", ("option",), "something is wrong " * 20)
    status = status_of(RuleSetError((problem,) * 200), "")
    assert status.ByteSize() < 8192 * 3 // 4
    assert len(status.message) <= 400
