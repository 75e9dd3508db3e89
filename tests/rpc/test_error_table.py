"""The error table, the contract and the documentation name the same errors."""

from __future__ import annotations

import inspect
import json

import pytest
from google.rpc import error_details_pb2
from grpc import StatusCode
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
from mextrain_engine import errors as engine_errors
from mextrain_service.application import errors as application_errors
from mextrain_service.application import ports
from mextrain_service.application.answers import TableAnswer
from mextrain_service.application.chain import Position
from mextrain_service.auth import errors as auth_errors
from mextrain_service.rpc import errors as transport_errors
from mextrain_service.rpc.error_status import INTERNAL_MESSAGE, status_of
from mextrain_service.rpc.error_table import ERROR_TABLE, INTERNAL, PREFIX, row_of
from tools.error_page import CONTRACT, PAGE, contract_comments, page

COMMENTS = list(contract_comments(CONTRACT.read_text(encoding="utf-8")))

SAMPLES: tuple[Exception, ...] = (
    application_errors.RoundInProgressError(3),
    application_errors.StaleVersionError(
        1, TableAnswer(Position(2, bytes(6)), spectate(new_game(RuleSet(), 2)), 0)
    ),
    application_errors.RequestIdReusedError("tap"),
    application_errors.SeatOpenError(3),
    application_errors.ContentionError(5),
    application_errors.SeatTakenError(3),
    application_errors.SeatResignedError(3),
    application_errors.SeatNotHeldError(3),
    application_errors.PlayerSeatedError(1),
    application_errors.RoundNotNextError(3, 4),
    application_errors.EntropyAddedError(4),
    ports.GameNotFoundError("R6d1nC5sQkqJv0T2bWm3xA"),
    ports.DamagedGameError("byte 255 begins no log entry"),
    application_errors.PresetNotFoundError("modren", "modern"),
    application_errors.NotAuthenticatedError(),
    auth_errors.CredentialForgedError(),
    auth_errors.TokenExpiredError(1),
    application_errors.TokenSupersededError(),
    application_errors.CallerNotAllowedError("CreateGame", "a platform"),
    application_errors.SeatNotYoursError(2, 0),
    application_errors.FixedSeedDisabledError(),
    application_errors.SpectatorsNotAllowedError(),
    application_errors.FieldInvalidError([application_errors.FieldViolation("f", "c", "d")]),
    RuleSetError((engine_errors.RuleSetProblem("CODE", ("option",), "wrong"),)),
    transport_errors.TileMalformedError("moves[0]", "19-2"),
    transport_errors.MoveMalformedError("moves[0]", "12/5@2", "a move"),
    transport_errors.RequestTooLargeError(2, 1),
    ports.StoreUnavailableError("away"),
    application_errors.ShuttingDownError(),
    application_errors.ReaderTooSlowError("41-x3n9QGbZ"),
    application_errors.TooManyWatchersError(),
    application_errors.HistoryChangedError(212),
    application_errors.HistoryGoneError(212),
    transport_errors.DeadlineExceededError(5),
    transport_errors.RateLimitedError("caller", 0.2),
    transport_errors.OverloadedError(1_000),
    transport_errors.MethodNotServedError("/mextrain.v1.GameService/SuggestMove"),
    ValueError(),
)
"""One exception of each row but those of refused moves."""

BASES = {
    application_errors.ApplicationError,
    auth_errors.CredentialError,
    transport_errors.TransportError,
    ports.StoreError,
    engine_errors.EngineError,
}
NEVER_LEAVE = {
    ports.GameExistsError: "CreateGame answers it",
    ports.VersionConflictError: "every change is decided again",
    engine_errors.NotationError: "the converters turn it into violations",
}


def _exceptions() -> set[type[Exception]]:
    """Return every exception that a layer raises on purpose, without the bases."""
    modules = (engine_errors, application_errors, ports, auth_errors, transport_errors)
    return {
        member
        for module in modules
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, Exception) and member.__module__ == module.__name__
    } - BASES


def test_every_reason_of_the_contract_has_exactly_one_row() -> None:
    names = [name for name, number in ErrorReason.items() if number]
    assert sorted(names) == sorted(PREFIX + row.reason for row in ERROR_TABLE)


def test_every_source_has_exactly_one_row() -> None:
    sources = [source for row in ERROR_TABLE for source in row.sources]
    assert len(sources) == len(set(sources))


def test_every_exception_has_a_row_or_never_leaves() -> None:
    named = {source.error for row in ERROR_TABLE for source in row.sources}
    covered = {
        error for error in _exceptions() if any(base in named for base in error.__mro__[:-3])
    }
    assert _exceptions() - covered == set(NEVER_LEAVE)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_of_the_engine_keeps_its_name(reason: Reason) -> None:
    row = row_of(IllegalMoveError(Refusal(reason, "")))
    assert (row.reason, row.code) == (reason.value, StatusCode.FAILED_PRECONDITION)


def test_deal_that_fails_by_a_bug_is_internal() -> None:
    codes = ("GAME_FINISHED", "ROUND_IN_PROGRESS", "BAD_PERMUTATION")
    rows = [row_of(DealError(code, "")).reason for code in codes]
    assert rows == ["GAME_FINISHED", "INTERNAL", "INTERNAL"]


def test_subclass_has_the_row_of_its_nearest_ancestor() -> None:
    assert row_of(auth_errors.CredentialForgedError()).reason == "TOKEN_INVALID"
    malformed = transport_errors.TileMalformedError("moves[0]", "19-2")
    assert row_of(malformed).reason == "TILE_MALFORMED"


def test_exception_that_nobody_foresaw_is_internal_and_says_nothing() -> None:
    status = status_of(ValueError("hand of seat 2: 12-5"), "call-1")
    assert row_of(ValueError()) is INTERNAL
    assert status.message == INTERNAL_MESSAGE
    assert b"12-5" not in status.SerializeToString()
    assert b"call-1" in status.SerializeToString()


def test_comment_of_each_reason_names_its_code() -> None:
    comments = dict(COMMENTS)
    wrong = [row.reason for row in ERROR_TABLE if row.code.name not in comments[row.reason]]
    assert wrong == []


def test_page_is_that_of_the_table_and_the_contract() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `make docs-errors`"


def test_example_of_each_reason_has_the_facts_that_are_sent() -> None:
    examples = {
        reason: set(json.loads(comment.partition("\nExample: ")[2])) for reason, comment in COMMENTS
    }
    assert {row_of(error).reason for error in SAMPLES} == {
        row.reason for row in ERROR_TABLE if row.reason not in Reason.__members__
    }
    for error in SAMPLES:
        info = error_details_pb2.ErrorInfo()
        status_of(error, "call-1").details[0].Unpack(info)
        assert set(info.metadata) == examples[info.reason], info.reason


def test_status_stays_small_however_much_is_wrong() -> None:
    problem = engine_errors.RuleSetProblem("CODE", ("option",), "something is wrong " * 20)
    status = status_of(RuleSetError((problem,) * 200), "")
    assert status.ByteSize() < 8192 * 3 // 4
    assert len(status.message) <= 400
