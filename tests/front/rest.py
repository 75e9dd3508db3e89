"""A client of REST as a script would write it: a path, a body, an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from ssl import SSLContext
from typing import Any
from urllib.parse import urlsplit

from tests.polling import WITHIN_S

ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes:
        status: the HTTP status.
        headers: by their names in small letters.
        raw: the body.
    """

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        assert self.headers["content-type"] == "application/json", self
        return json.loads(self.raw)

    @property
    def info(self) -> dict[str, Any]:
        """The one ErrorInfo that every error carries."""
        assert self.status >= 400, self
        assert {"code", "message", "details"} == set(self.body), self
        (info,) = (each for each in self.body["details"] if each["@type"] == ERROR_INFO)
        assert info["domain"] == "mextrain"
        return dict(info)

    @property
    def refused(self) -> tuple[int, str]:
        """Status and stable reason of an error."""
        return self.status, self.info["reason"]


@dataclass(frozen=True, slots=True)
class Rest:
    """Someone who calls with a credential, or with none."""

    url: str
    credential: str = ""
    timeout_s: float = WITHIN_S
    tls: SSLContext | None = None

    def bearing(self, credential: str) -> Rest:
        return Rest(self.url, credential, self.timeout_s, self.tls)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, None, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        return self.call("POST", path, json.dumps({} if body is None else body).encode(), **headers)

    def connection(self) -> HTTPConnection:
        """Return a connection that is opened by its first request."""
        place = urlsplit(self.url).netloc
        if self.tls is None:
            return HTTPConnection(place, timeout=self.timeout_s)
        return HTTPSConnection(place, timeout=self.timeout_s, context=self.tls)

    def call(self, verb: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request as it is given; header names are written with underscores."""
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        if self.credential:
            sent["authorization"] = f"Bearer {self.credential}"
        if body is not None:
            sent.setdefault("content-type", "application/json")
        connection = self.connection()
        try:
            connection.request(verb, path, body, sent)
            answer = connection.getresponse()
            found = {name.lower(): text for name, text in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()


def persons(*players: str) -> list[dict[str, Any]]:
    """Return seats of persons, as CreateGame takes them."""
    return [{"person": {"playerId": player}} for player in players]
