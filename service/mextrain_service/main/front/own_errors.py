"""What the front itself answers with, in the shape of every other error.

Knows HTTP's statuses and how Envoy writes a body; nothing of the service's own errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

_TEXT_OF_ENVOY: Final = "%LOCAL_REPLY_BODY%"
_RETRY_AFTER_S: Final = 1


@dataclass(frozen=True, slots=True)
class OwnError:
    """An answer that no worker gave.

    Attributes:
        status: the HTTP status, as Envoy chooses it.
        code: the gRPC code's number beside it.
        reason: the stable reason; the page of errors lists it.
        message: one sentence for people; ``%LOCAL_REPLY_BODY%`` is what Envoy has to say.
        passes: trying again later may help.
    """

    status: int
    code: int
    reason: str
    message: str
    passes: bool = False


OWN_ERRORS: Final = (
    OwnError(400, 3, "REQUEST_MALFORMED", f"the request cannot be read: {_TEXT_OF_ENVOY}"),
    OwnError(403, 7, "FRONT_FORBIDDEN", "this cannot be read"),
    OwnError(404, 5, "ROUTE_NOT_FOUND", "there is nothing at this path and method"),
    OwnError(405, 12, "ROUTE_NOT_FOUND", "there is nothing at this path and method"),
    OwnError(408, 4, "REQUEST_TIMEOUT", "the request did not arrive in time", passes=True),
    OwnError(413, 8, "REQUEST_TOO_LARGE", "the request has more bytes than are read"),
    OwnError(415, 3, "REQUEST_MALFORMED", f"the request cannot be read: {_TEXT_OF_ENVOY}"),
    OwnError(426, 3, "REQUEST_MALFORMED", f"the request cannot be read: {_TEXT_OF_ENVOY}"),
    OwnError(429, 8, "RATE_LIMITED", "too many calls; come back later", passes=True),
    OwnError(431, 3, "REQUEST_MALFORMED", "the request's headers have more bytes than are read"),
    OwnError(500, 13, "FRONT_FAILED", "the front could not pass the answer on"),
    OwnError(502, 14, "SERVICE_UNAVAILABLE", "the worker did not answer in full", passes=True),
    OwnError(503, 14, "SERVICE_UNAVAILABLE", "no worker takes calls now", passes=True),
    OwnError(504, 4, "DEADLINE_EXCEEDED", "the worker did not answer in time", passes=True),
)
"""Every status that Envoy answers with by itself."""


def local_replies() -> dict[str, Any]:
    """Return Envoy's ``local_reply_config``.

    Calls in gRPC are left alone: Envoy turns its status into ``grpc-status`` by itself, and a body
    would become their message.
    """
    return {"mappers": [_mapper(error) for error in OWN_ERRORS]}


def _mapper(error: OwnError) -> dict[str, Any]:
    mapper = {
        "filter": {"and_filter": {"filters": [_has_status(error.status), _IS_HTTP]}},
        "body_format_override": {
            "json_format": {
                "code": error.code,
                "message": error.message,
                "details": [_info(error), *([_RETRY_INFO] if error.passes else [])],
            }
        },
    }
    if error.passes:
        mapper["headers_to_add"] = [
            {"header": {"key": "retry-after", "value": f"{_RETRY_AFTER_S}"}}
        ]
    return mapper


def _info(error: OwnError) -> dict[str, Any]:
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": error.reason,
        "domain": "mextrain",
        "metadata": {},
    }


_RETRY_INFO: Final = {
    "@type": "type.googleapis.com/google.rpc.RetryInfo",
    "retryDelay": f"{_RETRY_AFTER_S}s",
}


def _has_status(status: int) -> dict[str, Any]:
    value = {"default_value": status, "runtime_key": f"front.status.{status}"}
    return {"status_code_filter": {"comparison": {"op": "EQ", "value": value}}}


def _header(name: str, **match: Any) -> dict[str, Any]:
    return {"header_filter": {"header": {"name": name, **match}}}


_IS_HTTP: Final = {
    "or_filter": {
        "filters": [
            _header(
                "content-type",
                string_match={"prefix": "application/grpc"},
                invert_match=True,
                treat_missing_header_as_empty=True,
            ),
            # A REST call that is on its way as gRPC keeps its first path here.
            _header("x-envoy-original-path", present_match=True),
        ]
    }
}
