"""gRPC's headers are read and written as its protocol has them."""

from __future__ import annotations

import grpc
import pytest

from mextrain_service.rpc.envoy.headers import metadata_of, parted, timeout_s, trailers


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *((b"2H", 7200.0), (b"3M", 180.0), (b"4S", 4.0), (b"500m", 0.5)),
        *((b"250u", 0.00025), (b"1n", 1e-9), (b"99999999H", 99_999_999 * 3600.0)),
        *((None, None), (b"", None), (b"5", None), (b"S", None), (b"-1S", None)),
        *((b"123456789S", None), (b"1.5S", None), (b"4s", None)),
    ],
)
def test_timeout_is_read_as_the_protocol_has_it(text: bytes | None, seconds: float | None) -> None:
    assert seconds == timeout_s(text)


def test_metadata_leaves_out_what_is_the_transports_own() -> None:
    own, others = parted(
        [
            (b"content-type", b"application/grpc"),
            (b"grpc-timeout", b"1S"),
            (b"x-mextrain-call", b"7"),
            (b"authorization", b"Bearer x"),
            (b"x-request-id", b"r"),
        ]
    )
    assert {b"content-type", b"grpc-timeout", b"x-mextrain-call"} == own.keys()
    assert (("authorization", "Bearer x"), ("x-request-id", "r")) == metadata_of(others)


def test_binary_metadata_is_read_with_and_without_padding_and_joined() -> None:
    headers = [(b"a-bin", b"AAE"), (b"b-bin", b"AAE="), (b"c-bin", b"AA==,AQ"), (b"d-bin", b"!")]
    expected = (("a-bin", b"\0\1"), ("b-bin", b"\0\1"), ("c-bin", b"\0"), ("c-bin", b"\1"))
    assert expected == metadata_of(headers)


def test_trailers_carry_any_text_and_any_bytes() -> None:
    written = trailers(
        grpc.StatusCode.NOT_FOUND, "100% gone: größer\n", (("x", "y"), ("z-bin", b"\0\1"))
    )
    assert [
        (b"grpc-status", b"5"),
        (b"grpc-message", b"100%25 gone: gr%C3%B6%C3%9Fer%0A"),
        (b"x", b"y"),
        (b"z-bin", b"AAE"),
    ] == written
