"""The errors of the front itself, in the same form as every other error."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf import json_format
from google.rpc import code_pb2, error_details_pb2, status_pb2

FIRST_CONTENT_TYPE: Final = "x-mextrain-content-type"
"""The header that keeps the content type of a request before it is translated to gRPC."""


@dataclass(frozen=True, slots=True)
class OwnError:
    """An error that comes from the front, not from a worker.

    Attributes:
        status: the HTTP status, as Envoy chooses it.
        code: the gRPC code's number beside it.
        reason: the stable reason; the page of errors lists it.
        message: one sentence for people, in plain ASCII without a percent sign.
        explained: Envoy adds details, which follow the message in JSON.
        passes: a later retry may succeed.
        retry_after_s: when, in seconds.
        flag: Envoy's response flag for the cause, where a status has several; otherwise empty.
    """

    status: int
    code: int
    reason: str
    message: str
    explained: bool = False
    passes: bool = False
    retry_after_s: float = 1.0
    flag: str = ""


OWN_ERRORS: Final = (
    OwnError(400, 3, "REQUEST_MALFORMED", "invalid request", explained=True),
    OwnError(403, 7, "FRONT_FORBIDDEN", "forbidden"),
    OwnError(404, 5, "ROUTE_NOT_FOUND", "unknown path or method"),
    OwnError(405, 12, "ROUTE_NOT_FOUND", "unknown path or method"),
    OwnError(408, 4, "REQUEST_TIMEOUT", "the request did not arrive in time", passes=True),
    OwnError(413, 8, "REQUEST_TOO_LARGE", "the request is too large"),
    OwnError(
        *(415, 3, "REQUEST_MALFORMED"),
        "unsupported: use gzip or no coding, and over Connect the binary form instead of JSON",
    ),
    OwnError(426, 3, "REQUEST_MALFORMED", "invalid request", explained=True),
    OwnError(429, 8, "RATE_LIMITED", "too many calls; try again later", passes=True),
    OwnError(431, 3, "REQUEST_MALFORMED", "the headers of the request are too large"),
    OwnError(500, 13, "FRONT_FAILED", "the front could not relay the response"),
    OwnError(501, 12, "UNIMPLEMENTED", "unknown method"),
    OwnError(502, 14, "SERVICE_UNAVAILABLE", "the response of the worker broke off", passes=True),
    OwnError(
        *(503, 14, "OVERLOADED", "the front carries as many calls as it can"),
        passes=True,
        flag="UO",
    ),
    OwnError(
        *(503, 14, "SERVICE_UNAVAILABLE", "no worker is available now"),
        passes=True,
        retry_after_s=0.5,  # health checks run four times a second
    ),
    OwnError(504, 4, "DEADLINE_EXCEEDED", "the worker did not respond in time", passes=True),
)
"""Every status that Envoy sends by itself."""


def local_replies() -> dict[str, Any]:
    """Return Envoy's ``local_reply_config``: what a caller reads in the language that it speaks."""
    languages = (_in_rest, _in_connect, _in_grpc)
    return {"mappers": [answer(error) for error in OWN_ERRORS for answer in languages]}


def _in_rest(error: OwnError) -> dict[str, Any]:
    message = f"{error.message}: %LOCAL_REPLY_BODY%" if error.explained else error.message
    return {
        "filter": _all(_is(error), _IS_REST),
        "body_format_override": {"json_format": _told(error, message)},
        "headers_to_add": _retry_after(error),
    }


def _in_connect(error: OwnError) -> dict[str, Any]:
    status = _status(error)
    details = [
        {"type": each.TypeName(), "value": base64.b64encode(each.value).decode()}
        for each in status.details
    ]
    told = {"code": code_pb2.Code.Name(status.code).lower(), "message": error.message}
    return {
        "filter": _all(_is(error), _IS_CONNECT),
        "body_format_override": {"json_format": {**told, "details": details}},
        "headers_to_add": _retry_after(error),
    }


def _in_grpc(error: OwnError) -> dict[str, Any]:
    """Return what is left for those whom no mapper before it took: no body, a status in headers."""
    details = base64.b64encode(_status(error).SerializeToString(deterministic=True)).decode()
    return {
        "filter": _is(error),
        "status_code": 200,
        "body_format_override": {
            "text_format_source": {"inline_string": ""},
            # That of gRPC-Web, which says that there is nothing to translate; gRPC's own stays.
            "content_type": "application/grpc-web+proto",
        },
        "headers_to_add": [
            _header("grpc-status", f"{error.code}"),
            _header("grpc-message", error.message),
            _header("grpc-status-details-bin", details),
            *_retry_after(error),
        ],
    }


def _status(error: OwnError) -> status_pb2.Status:
    return json_format.ParseDict(_told(error, error.message), status_pb2.Status())


def _told(error: OwnError, message: str) -> dict[str, Any]:
    info = {
        "@type": f"type.googleapis.com/{error_details_pb2.ErrorInfo.DESCRIPTOR.full_name}",
        "reason": error.reason,
        "domain": "mextrain",
        "metadata": {},
    }
    details = [info, *([_retry_info(error)] if error.passes else [])]
    return {"code": error.code, "message": message, "details": details}


def _retry_after(error: OwnError) -> list[dict[str, Any]]:
    """Return the header, which has whole seconds."""
    return [_header("retry-after", f"{math.ceil(error.retry_after_s)}")] if error.passes else []


def _header(key: str, value: str) -> dict[str, Any]:
    return {"header": {"key": key, "value": value}}


def _retry_info(error: OwnError) -> dict[str, Any]:
    return {
        "@type": f"type.googleapis.com/{error_details_pb2.RetryInfo.DESCRIPTOR.full_name}",
        "retryDelay": f"{error.retry_after_s:g}s",
    }


def _is(error: OwnError) -> dict[str, Any]:
    if not error.flag:
        return _has_status(error.status)
    return _all(_has_status(error.status), {"response_flag_filter": {"flags": [error.flag]}})


def _has_status(status: int) -> dict[str, Any]:
    value = {"default_value": status, "runtime_key": f"front.status.{status}"}
    return {"status_code_filter": {"comparison": {"op": "EQ", "value": value}}}


def _all(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"and_filter": {"filters": list(filters)}}


def _any(*filters: dict[str, Any]) -> dict[str, Any]:
    return {"or_filter": {"filters": list(filters)}}


def _has(name: str) -> dict[str, Any]:
    return {"header_filter": {"header": {"name": name, "present_match": True}}}


def _is_not_grpc(name: str) -> dict[str, Any]:
    match = {"string_match": {"prefix": "application/grpc"}, "invert_match": True}
    return {
        "header_filter": {"header": {"name": name, **match, "treat_missing_header_as_empty": True}}
    }


# A REST call that is on its way as gRPC keeps its first path here.
_IS_REST: Final = _any(_is_not_grpc("content-type"), _has("x-envoy-original-path"))

_IS_CONNECT: Final = _all(_has(FIRST_CONTENT_TYPE), _is_not_grpc(FIRST_CONTENT_TYPE))
"""Where it is not REST: what came as no gRPC, and was made gRPC on its way."""
