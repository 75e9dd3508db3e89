"""Lists the pages that the front itself serves: the table at ``/``, the contract at ``/docs/``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any, Final

NOT_TRANSCODED: Final = {
    "envoy.filters.http.grpc_json_transcoder": {
        "@type": "type.googleapis.com/"
        "envoy.extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "services": [],
        "proto_descriptor_bin": "",
    }
}

CONTENT_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What each kind of file is."""

_DOCS: Final = {
    "/openapi.json": "openapi.json",
    "/docs/": "docs.html",
    "/docs/docs.js": "docs.js",
    "/docs/swagger-ui.css": "swagger-ui/swagger-ui.css",
    "/docs/swagger-ui-bundle.js": "swagger-ui/swagger-ui-bundle.js",
}
"""The pages of the contract: each path, and its file."""

_NOTHING_ELSE: Final = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
_DOCS_POLICY: Final = (
    f"{_NOTHING_ELSE}; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'"
)
_TABLE_POLICY: Final = (
    f"{_NOTHING_ELSE}; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_DOCS_HEADERS: Final = {"content-security-policy": _DOCS_POLICY}
_TABLE_HEADERS: Final = {
    "content-security-policy": _TABLE_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
}

_FRESH: Final = "no-cache"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
"""For files whose names hold a digest of what is in them."""


def page_routes() -> list[dict[str, Any]]:
    """Return a route for each page and each file beside it."""
    return [
        *(
            _file(
                {"path": path}, _pages() / name, _FRESH, {"content-security-policy": _DOCS_POLICY}
            )
            for path, name in _DOCS.items()
        ),
        _redirect("/docs", "/docs/"),
        *_table_routes(),
    ]


def _table_routes() -> Iterator[dict[str, Any]]:
    """Yield the routes of the table: one page for all of its addresses, and its assets."""
    folder = _pages() / "table"
    for match in ({"path": "/"}, {"prefix": "/game/"}):
        yield _file(match, folder / "index.html", _FRESH, _TABLE_HEADERS)
    for asset in sorted((folder / "assets").iterdir(), key=lambda each: each.name):
        yield _file({"path": f"/assets/{asset.name}"}, asset, _FOR_EVER, {})


def _pages() -> Traversable:
    return resources.files(__package__) / "pages"


def _file(
    match: dict[str, Any], file: Traversable, caching: str, headers: dict[str, str]
) -> dict[str, Any]:
    told = {
        "content-type": CONTENT_TYPES[PurePosixPath(file.name).suffix],
        "cache-control": caching,
        **headers,
    }
    return {
        "match": match,
        "direct_response": {"status": 200, "body": {"filename": str(file)}},
        "response_headers_to_add": [_set_header(*each) for each in told.items()],
        "typed_per_filter_config": NOT_TRANSCODED,
    }


def _redirect(path: str, target: str) -> dict[str, Any]:
    return {
        "match": {"path": path},
        "redirect": {"path_redirect": target, "response_code": "FOUND"},
        "typed_per_filter_config": NOT_TRANSCODED,
    }


def _set_header(name: str, value: str) -> dict[str, Any]:
    return {
        "header": {"key": name, "value": value},
        "append_action": "OVERWRITE_IF_EXISTS_OR_ADD",
    }
