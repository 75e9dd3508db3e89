"""Write the OpenAPI document of the contract from its protobuf files.

The paths and schemas are those of gnostic's generator, which needs Go (`make openapi` builds it).
What it cannot know is added here: servers, credentials, the error model, examples, event streams.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Final

import yaml
from google.protobuf.descriptor import EnumDescriptor, MethodDescriptor
from grpc_tools import protoc

from mextrain_service.rpc.contract import SERVICE, contract_files
from tools.openapi_parts import ERROR_SCHEMAS, EXAMPLES, INFO, OPEN_TO_ALL, RESPONSES, SECURITY

ROOT: Final = Path(__file__).resolve().parent.parent
PLUGIN: Final = ROOT / "build" / "bin" / "protoc-gen-openapi"
TARGET: Final = ROOT / "service/mextrain_service/front/pages/openapi.json"

_Node = dict[str, Any]


def main() -> int:
    """Generate, complete, write."""
    document = completed(generated())
    TARGET.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def generated() -> _Node:
    """Return what the generator makes of the contract."""
    sources = sorted((ROOT / "proto").glob("mextrain/v1/*.proto"))
    names = [path.relative_to(ROOT / "proto").as_posix() for path in sources]
    options = ["enum_type=string", "naming=json", "default_response=false"]
    options += [f"M{name}=mextrain/v1" for name in names]
    well_known = resources.files("grpc_tools") / "_proto"
    with tempfile.TemporaryDirectory() as folder:
        code = protoc.main(
            [
                "protoc",
                f"-I{ROOT / 'proto'}",
                f"-I{ROOT / 'third_party' / 'proto'}",
                f"-I{well_known}",
                f"--plugin=protoc-gen-openapi={PLUGIN}",
                f"--openapi_out={folder}",
                f"--openapi_opt={','.join(options)}",
                SERVICE.file.name,
            ]
        )
        if code != 0:
            raise SystemExit(code)
        found: _Node = yaml.safe_load((Path(folder) / "openapi.yaml").read_text(encoding="utf-8"))
        return found


def completed(document: _Node) -> _Node:
    """Return the document with all that the generator does not know."""
    service_text = document["info"]["description"]
    schemas = document["components"]["schemas"]
    _name_enums(document, schemas)
    for path, item in document["paths"].items():
        for operation in item.values():
            method = SERVICE.methods_by_name[operation["operationId"].rpartition("_")[2]]
            _complete_operation(operation, method)
            _leave_out_of_body(path, operation, schemas)
    schemas.update(ERROR_SCHEMAS)
    whole = {
        "openapi": "3.0.3",
        "info": {**INFO, "description": service_text},
        "servers": [{"url": "/", "description": "The service that serves this page."}],
        "security": [{"bearer": []}],
        "tags": [{"name": SERVICE.name, "description": "Games, from their rules to their score."}],
        "paths": document["paths"],
        "components": {
            "securitySchemes": SECURITY,
            "responses": RESPONSES,
            "schemas": dict(sorted(schemas.items())),
        },
    }
    tidy: _Node = _tidy(whole)
    return tidy


def _complete_operation(operation: _Node, method: MethodDescriptor) -> None:
    operation["operationId"] = method.name
    sentence, _, _ = operation["description"].partition(".")
    operation["summary"] = re.sub(r"\s+", " ", sentence)
    if method.name in OPEN_TO_ALL:
        operation["security"] = [{}, {"bearer": []}]
    operation["responses"].update(
        {name: {"$ref": f"#/components/responses/{name}"} for name in RESPONSES}
    )
    operation["responses"] = {
        _STATUS.get(name, name): answer for name, answer in operation["responses"].items()
    }
    if method.name in EXAMPLES:
        operation["requestBody"]["content"]["application/json"]["examples"] = EXAMPLES[method.name]
    if method.server_streaming:
        _describe_stream(operation)


_STATUS: Final = {"Refused": "4XX", "Away": "5XX"}


def _describe_stream(operation: _Node) -> None:
    """Say that the answer is a stream of server-sent events, each with one message."""
    answer = operation["responses"]["200"]
    schema = answer["content"]["application/json"]["schema"]
    answer["content"] = {"text/event-stream": {"schema": schema}}
    answer["description"] = (
        "Server-sent events: the `data` of each is one message of this schema, in JSON, on one "
        "line. There are no event names and no ids; to resume, ask from the version last seen."
    )


def _leave_out_of_body(path: str, operation: _Node, schemas: _Node) -> None:
    """Take what stands in the path out of the body, where it need not be repeated."""
    if "requestBody" not in operation:
        return
    reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    body = schemas[reference.rpartition("/")[2]]
    for name in re.findall(r"\{(\w+)\}", path):
        body["properties"].pop(name, None)
        body["required"] = [each for each in body.get("required", ()) if each != name]
    if not body.get("required"):
        body.pop("required", None)
        operation["requestBody"]["required"] = False


def _name_enums(document: _Node, schemas: _Node) -> None:
    """Give each enum a schema of its own, so that clients get one type for it."""
    known = {tuple(enum.values_by_name): enum for enum in _enums()}
    for node in list(_nodes(document)):
        enum = known.get(tuple(node.get("enum", ())))
        if enum is None:
            continue
        schemas[enum.name] = {
            "type": "string",
            "enum": list(enum.values_by_name),
            "description": f"See `{enum.full_name}`; the first value means that none is given.",
        }
        text = node.get("description", "")
        node.clear()
        reference = {"$ref": f"#/components/schemas/{enum.name}"}
        node.update({"description": text, "allOf": [reference]} if text else reference)


def _enums() -> Iterator[EnumDescriptor]:
    for file in contract_files():
        yield from file.enum_types_by_name.values()


def _nodes(node: object) -> Iterator[_Node]:
    """Yield every object of the document."""
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from _nodes(child)
    elif isinstance(node, list):
        for child in node:
            yield from _nodes(child)


def _tidy(node: Any) -> Any:
    """Take out what comments leave behind: the blank that begins each further line."""
    match node:
        case dict():
            return {name: _tidy(child) for name, child in node.items()}
        case list():
            return [_tidy(child) for child in node]
        case str():
            return re.sub(r"\n +", "\n", node)
        case _:
            return node


if __name__ == "__main__":
    sys.exit(main())
