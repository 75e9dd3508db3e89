"""Which addresses are taken, and what a failure of Redis means."""

from __future__ import annotations

import pytest
import redis.exceptions as failure

from mextrain_service.storage import open_client
from mextrain_service.storage.addresses import (
    ClusterAddress,
    Host,
    SentinelAddress,
    parse_address,
)
from mextrain_service.storage.breaker import KnownAwayError
from mextrain_service.storage.failures import is_lost_answer, unavailable
from mextrain_service.storage.node import TooFewReplicasError


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://cache:6380/2", {"host": "cache", "port": 6380, "db": 2}),
        ("rediss://user:word@cache/0", {"username": "user", "password": "word"}),
        ("unix:///run/valkey.sock?db=1", {"path": "/run/valkey.sock", "db": 1}),
    ],
)
async def test_an_address_says_where_to_connect(url: str, expected: dict[str, object]) -> None:
    client = open_client(url)
    (node,) = await client.masters()
    connection = node.new_connection()
    assert expected == {name: getattr(connection, name) for name in expected}
    await client.aclose()


def test_an_address_with_sentinels_names_them_and_the_master() -> None:
    text = "redis+sentinel://me:p%40ss@one,two:26380/games/2?sentinel_password=other"
    assert parse_address(text) == SentinelAddress(
        sentinels=(Host("one", 26_379), Host("two", 26_380)),
        service="games",
        options={"username": "me", "password": "p@ss", "db": 2},
        sentinel_options={"password": "other"},
        tls=False,
    )


def test_an_address_of_a_cluster_names_some_of_its_nodes() -> None:
    text = "rediss+cluster://:word@one:7000,[::1]/0?ssl_ca_certs=ca.pem"
    assert parse_address(text) == ClusterAddress(
        seeds=(Host("one", 7_000), Host("::1", 6_379)),
        options={"password": "word", "ssl_ca_certs": "ca.pem"},
        tls=True,
    )


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ("127.0.0.1:7000,127.0.0.1:7001", [("127.0.0.1", 7_000), ("127.0.0.1", 7_001)]),
        ("[::1]:7000,[::1]:7001", [("::1", 7_000), ("::1", 7_001)]),
        ("[::1],two", [("::1", 6_379), ("two", 6_379)]),
        ("one, [fe80::1%25eth0]:7001", [("one", 6_379), ("fe80::1%25eth0", 7_001)]),
        ("ONE:,two.example:65535", [("one", 6_379), ("two.example", 65_535)]),
    ],
)
def test_an_address_names_several_nodes_in_any_mixture(
    places: str, expected: list[tuple[str, int]]
) -> None:
    address = parse_address(f"redis+cluster://me:word@{places}/0?socket_keepalive=true")
    assert isinstance(address, ClusterAddress)
    assert [Host(*each) for each in expected] == list(address.seeds)
    assert {"username": "me", "password": "word", "socket_keepalive": True} == address.options


@pytest.mark.parametrize(
    "url",
    [
        *("redis+cluster://secret@[::1", "redis+cluster://secret@one:0"),
        *("redis+cluster://secret@one:65536", "redis+cluster://secret@one,,two"),
        *("redis+cluster://secret@::1", "redis+cluster://secret@[one]"),
        *("http://secret@cache", "cache:6379", "", "redis+sentinel://secret@one"),
        *("redis+cluster://secret@/", "redis+cluster://secret@one/3"),
        *("redis+cluster://secret@one:port", "redis+sentinel://secret@one/games/x?db=y"),
    ],
)
def test_another_kind_of_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError) as refused:
        open_client(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "error",
    [
        failure.ConnectionError("gone"),
        failure.TimeoutError("slow"),
        failure.BusyLoadingError("loading"),
        failure.ReadOnlyError("replica"),
        failure.OutOfMemoryError("full"),
        failure.ClusterDownError("down"),
        failure.ClusterError("to and fro"),
        failure.SlotNotCoveredError("nobody's"),
        TooFewReplicasError("one of two"),
        failure.AuthenticationError("who"),
        failure.ResponseError("MISCONF Errors writing to the AOF file"),
        failure.ResponseError("BUSY Redis is busy running a script"),
        ConnectionResetError(),
        TimeoutError(),
    ],
)
def test_a_failure_of_redis_is_a_store_that_is_away_for_a_second_at_most(
    error: Exception,
) -> None:
    told = [unavailable(error) for _ in range(100)]
    pauses = [away.retry_after_s for away in told if away is not None]
    assert 100 == len(pauses)
    assert 0.25 <= min(pauses) <= max(pauses) <= 1.0
    assert len(set(pauses)) > 50


def test_what_is_known_to_be_away_is_told_with_its_cause_and_when_it_is_tried_again() -> None:
    away = unavailable(KnownAwayError(failure.AuthenticationError("who"), 0.7))
    assert away is not None
    assert ("the store refuses the credentials", 0.7) == (str(away), away.retry_after_s)


def test_what_is_away_for_no_known_cause_cannot_be_reached() -> None:
    away = unavailable(KnownAwayError(failure.ResponseError("ERR unknown command 'HELLO'"), 0.7))
    assert "the store cannot be reached" == str(away)


def test_a_fault_of_the_program_is_not_taken_for_a_store_that_is_away() -> None:
    assert unavailable(failure.ResponseError("ERR wrong number of arguments")) is None


@pytest.mark.parametrize(
    ("error", "worth_another_try"),
    [
        (failure.ConnectionError("gone"), True),
        (ConnectionResetError(), True),
        (failure.TimeoutError("slow"), False),
        (TimeoutError(), False),
        (failure.BusyLoadingError("loading"), False),
        (failure.AuthenticationError("who"), False),
        (failure.MaxConnectionsError("all in use"), False),
        (TooFewReplicasError("one of two"), False),
        (KnownAwayError(failure.ConnectionError("gone"), 0.5), False),
    ],
)
def test_only_a_broken_connection_is_worth_another_try(
    error: Exception, worth_another_try: bool
) -> None:
    assert worth_another_try is is_lost_answer(error)
