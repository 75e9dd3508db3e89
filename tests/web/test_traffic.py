"""What reads the traffic finds a tile wherever it hides; else it would prove nothing."""

from __future__ import annotations

import base64
import struct

import pytest
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from mextrain.v1 import event_pb2, game_pb2, tile_pb2, view_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.web.traffic import tiles_told
from tests.web.wire import Connection, Wire

TILE = tile_pb2.Tile(high=5, low=2)
IN_A_VIEW = view_pb2.View(hand=[TILE])


def _told(method: str, body: bytes, *headers: str) -> set[tuple[int, int]]:
    """Return what is found in an answer, chunked as the front sends it and with the end missing."""
    wire = Wire(0)
    path = method if method.startswith("/") else f"/mextrain.v1.GameService/{method}"
    sent = f"POST {path} HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc"
    head = "\r\n".join(["HTTP/1.1 200 OK", "transfer-encoding: chunked", *headers, "", ""])
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(each), each) for each in (body[:7], body[7:]) if each)
    kept = Connection(bytearray(sent.encode()), bytearray(head.encode() + chunks))
    wire.connections.append(kept)
    return tiles_told(wire)


def _frame(kind: int, payload: bytes) -> bytes:
    return struct.pack(">BI", kind, len(payload)) + payload


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("GetGame", pb.GetGameResponse(game=game_pb2.Game(view=IN_A_VIEW))),
        ("PlayMove", pb.PlayMoveResponse(view=IN_A_VIEW)),
        ("ExportGame", pb.ExportGameResponse(record="deal 1\n2-5@M\n")),
        (
            "WatchGame",
            pb.WatchGameResponse(
                events=watch_pb2.EventBatch(
                    events=[event_pb2.Event(tile_drawn=event_pb2.TileDrawn(seat=1, tile=TILE))]
                )
            ),
        ),
    ],
    ids=lambda each: "" if isinstance(each, Message) else each,
)
def test_tile_is_found_in_an_answer(method: str, answer: Message) -> None:
    assert {(5, 2)} == _told(method, _frame(0, answer.SerializeToString()))


def test_tile_is_found_in_the_details_of_a_refusal() -> None:
    detail = any_pb2.Any()
    detail.Pack(ErrorInfo(reason="X", metadata={"tile": "5-2"}))
    status = base64.b64encode(Status(details=[detail]).SerializeToString()).decode()
    assert {(5, 2)} == _told("PlayMove", b"", f"grpc-status-details-bin: {status}")
    trailers = f"grpc-status: 9\r\ngrpc-status-details-bin: {status}\r\n".encode()
    assert {(5, 2)} == _told("PlayMove", _frame(0x80, trailers))
    assert {(5, 2)} == _told("PlayMove", b"", "grpc-message: no 5-2 here")


def test_answer_with_a_field_that_the_contract_has_not_is_refused() -> None:
    with pytest.raises(AssertionError, match="the contract has not"):
        _told("GetGame", _frame(0, b"\xf8\x07\x01"))


def test_answer_that_is_no_page_and_no_call_is_refused() -> None:
    with pytest.raises(AssertionError, match="is no file of the pages"):
        _told("/elsewhere", b"5-2")
