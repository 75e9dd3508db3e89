"""Messages come out of bytes as they went in, however these are cut; what cannot be is refused."""

from __future__ import annotations

import gzip
import zlib

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mextrain_service.rpc.envoy.framing import Unframer, framed
from mextrain_service.rpc.envoy.status import EndedError

LIMIT = 1_000


def _compressed(message: bytes) -> bytes:
    return b"\x01" + len(message).to_bytes(4) + message


def _read(data: bytes, encoding: str = "identity") -> list[bytes]:
    unframer = Unframer(encoding, LIMIT)
    messages = list(unframer.feed(data))
    unframer.end()
    return messages


@given(st.lists(st.binary(max_size=40), max_size=6), st.lists(st.integers(1, 30)))
def test_messages_are_whole_however_their_bytes_are_cut(
    messages: list[bytes], cuts: list[int]
) -> None:
    data, unframer = b"".join(map(framed, messages)), Unframer("identity", LIMIT)
    found: list[bytes] = []
    for cut in cuts:
        found += unframer.feed(data[:cut])
        data = data[cut:]
    found += unframer.feed(data)
    unframer.end()
    assert messages == found


@pytest.mark.parametrize(
    ("encoding", "compress"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_message_is_read_when_it_is_compressed(encoding: str, compress: object) -> None:
    assert callable(compress)
    assert [b"tile", b"train"] == _read(_compressed(compress(b"tile")) + framed(b"train"), encoding)


@pytest.mark.parametrize(
    ("data", "encoding", "code"),
    [
        (framed(b"x" * (LIMIT + 1)), "identity", grpc.StatusCode.RESOURCE_EXHAUSTED),
        (b"\x00\xff\xff\xff\xff", "identity", grpc.StatusCode.RESOURCE_EXHAUSTED),
        (_compressed(gzip.compress(bytes(10**6))), "gzip", grpc.StatusCode.RESOURCE_EXHAUSTED),
        (_compressed(b"no gzip"), "gzip", grpc.StatusCode.INTERNAL),
        (_compressed(gzip.compress(b"tile")[:-9]), "gzip", grpc.StatusCode.INTERNAL),
        (_compressed(b"tile"), "identity", grpc.StatusCode.INTERNAL),
        (framed(b"tile")[:-1], "identity", grpc.StatusCode.INTERNAL),
        (b"\x00\x00", "identity", grpc.StatusCode.INTERNAL),
    ],
    ids=[
        *("too_large", "announced_too_large", "too_large_once_it_is_decompressed"),
        *("not_compressed_so", "cut_off_within_gzip", "compressed_by_nothing"),
        *("cut_off", "cut_off_within_its_prefix"),
    ],
)
def test_message_is_refused_when_it(data: bytes, encoding: str, code: grpc.StatusCode) -> None:
    with pytest.raises(EndedError) as refused:
        _read(data, encoding)
    assert code is refused.value.code
