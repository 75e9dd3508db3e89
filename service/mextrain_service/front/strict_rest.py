"""Writes the script that refuses what the transcoder would let pass in REST requests."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from mextrain_service.rpc.contract import SERVICE, bindings

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor

    from mextrain_service.rpc.contract import Binding

_OWN_JSON: Final = "google.protobuf."
"""Types of this package have forms of their own in JSON, such as ``"30s"``."""


def script() -> str:
    """Return the script in Lua, after the tables that it reads."""
    own = (resources.files(__package__) / "strict_rest.lua").read_text("utf-8")
    requests = {each.method: SERVICE.methods_by_name[each.method].input_type for each in bindings()}
    messages: dict[str, Any] = {}
    for request in requests.values():
        _add(request, messages)
    methods = {each.method: _method(each, requests[each.method]) for each in bindings()}
    return f"local MESSAGES = {_lua(messages)}\nlocal METHODS = {_lua(methods)}\n{own}"


def _method(binding: Binding, request: Descriptor) -> dict[str, Any]:
    return {
        "request": request.full_name,
        "path": binding.pattern(segment="([^/]+)", escaped=_escaped),
        "bound": list(binding.fields),
        "body": binding.has_body,
    }


def _add(message: Descriptor, known: dict[str, Any]) -> None:
    """Add a message type and those within it, each with its fields by both of their names."""
    if message.full_name in known or message.full_name.startswith(_OWN_JSON):
        return
    known[message.full_name] = fields = {}
    for field in message.fields:
        fields[field.name] = fields[field.json_name] = _field(field)
        if field.message_type is not None:
            _add(field.message_type, known)


def _field(field: FieldDescriptor) -> dict[str, Any]:
    of = field.message_type.full_name if field.message_type is not None else ""
    return {"id": field.name, "of": of, "many": field.is_repeated}


def _escaped(text: str) -> str:
    """Return text as a pattern of Lua that it alone matches."""
    return "".join(each if each.isalnum() or each in "/:" else f"%{each}" for each in text)


def _lua(value: object) -> str:
    """Return a value as Lua writes it; text is plain ASCII."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case list():
            return f"{{{', '.join(map(_lua, value))}}}"
        case dict():
            items = (f"[{_lua(key)}] = {_lua(each)}" for key, each in value.items())
            return f"{{{', '.join(items)}}}"
    raise AssertionError(value)
