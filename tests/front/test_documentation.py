"""The OpenAPI document is that of the contract, and the product shows it by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor

from mextrain_service.rpc.contract import SERVICE, contract_files
from tests.front.rest import Answer, Rest
from tests.project.tree import ROOT

FILE = ROOT / "service/mextrain_service/front/pages/openapi.json"
DOCUMENT: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
STALE = "run `make openapi` and commit the result"


def _bindings() -> Iterator[tuple[str, str, str]]:
    """Yield verb, path and method as the contract has them."""
    for method in SERVICE.methods:
        rule = method.GetOptions().Extensions[annotations_pb2.http]
        verb = rule.WhichOneof("pattern")
        if verb is None:  # it streams in both directions, which HTTP cannot
            continue
        yield (
            verb,
            re.sub(r"_(\w)", lambda found: found[1].upper(), getattr(rule, verb)),
            method.name,
        )


def _messages() -> Iterator[Descriptor]:
    for file in contract_files():
        yield from file.message_types_by_name.values()


def test_document_has_the_methods_of_the_contract_and_no_other() -> None:
    described = {
        (verb, path, operation["operationId"])
        for path, item in DOCUMENT["paths"].items()
        for verb, operation in item.items()
    }
    assert set(_bindings()) == described, STALE


@pytest.mark.parametrize("message", [each for each in _messages() if each.name in SCHEMAS])
def test_schema_has_the_fields_of_its_message(message: Descriptor) -> None:
    fields = {field.json_name for field in message.fields}
    in_path = {"gameId", "seat"} if message.name.endswith("Request") else set()
    assert fields - in_path == set(SCHEMAS[message.name]["properties"]) - in_path, STALE


def test_every_schema_that_is_pointed_at_is_there() -> None:
    pointed = set(re.findall(r'"#/components/schemas/(\w+)"', FILE.read_text(encoding="utf-8")))
    assert set() == pointed - set(SCHEMAS)
    described = {method for _, _, method in _bindings()}
    answers = {SERVICE.methods_by_name[method].output_type.name for method in described}
    assert set() == answers - set(SCHEMAS), STALE


def test_enums_have_the_values_of_the_contract() -> None:
    enums = {
        name: enum for file in contract_files() for name, enum in file.enum_types_by_name.items()
    }
    stale = {
        name
        for name, schema in SCHEMAS.items()
        if "enum" in schema and schema["enum"] != list(enums[name].values_by_name)
    }
    assert set() == stale, STALE


def _examples(method: str) -> list[Any]:
    (operation,) = (
        operation
        for item in DOCUMENT["paths"].values()
        for operation in item.values()
        if operation["operationId"] == method
    )
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    return [example["value"] for example in examples.values()]


def test_examples_are_taken_by_the_service(platform: Rest) -> None:
    for body in _examples("ExplainRules"):
        assert 200 == platform.post("/v1/rules:explain", body).status
    for body in _examples("CreateGame"):
        created = platform.post("/v1/games", body)
        assert 200 == created.status, created
    path = f"/v1/games/{created.body['game']['gameId']}"
    for body in _examples("DealRound"):
        assert 200 == platform.post(f"{path}:deal", body).status
    seat = platform.bearing(created.body["seatTokens"][0]["token"])
    for body in _examples("PlayMove"):
        _assert_read(seat.post(f"{path}:play", body))
    for body in _examples("AddEntropy"):
        _assert_read(seat.post(f"{path}/seats/0:addEntropy", body))
    for body in _examples("SubstituteSeat"):
        _assert_read(platform.post(f"{path}/seats/0:substitute", body))
    for body in _examples("ClaimSeat"):
        _assert_read(platform.post(f"{path}/seats/0:claim", body))
    for body in _examples("ResignSeat"):
        _assert_read(seat.post(f"{path}/seats/0:resign", body))


def _assert_read(answer: Answer) -> None:
    """The game may not allow it now, but there was nothing wrong with the request."""
    unread = ("REQUEST_MALFORMED", "ROUTE_NOT_FOUND", "FIELD_INVALID", "MOVE_MALFORMED")
    assert answer.status == 200 or answer.info["reason"] not in unread, answer


def test_document_is_served_as_it_is_kept(nobody: Rest) -> None:
    assert DOCUMENT == nobody.get("/openapi.json").body


def test_pages_come_with_all_they_need_and_ask_nobody_else(nobody: Rest) -> None:
    page = nobody.get("/docs/")
    assert "text/html; charset=utf-8" == page.headers["content-type"]
    needed = re.findall(r'(?:src|href)="(?!data:)([^"]+)"', page.raw.decode())
    assert needed
    assert not [each for each in needed if ":" in each or each.startswith("/")]
    assert [200] * len(needed) == [nobody.get(f"/docs/{each}").status for each in needed]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "connect-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/docs"])
def test_short_address_leads_to_the_pages(nobody: Rest, path: str) -> None:
    answer = nobody.get(path)
    assert 302 == answer.status
    assert answer.headers["location"].endswith("/docs/")
