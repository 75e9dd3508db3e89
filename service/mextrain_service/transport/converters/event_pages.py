"""Pages of events: what is asked for, and the token that leads to the next one."""

from __future__ import annotations

import base64
import binascii

from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.list_events import EventPage, ListEventsQuery
from mextrain_service.transport.converters.checking import MALFORMED, Checked
from mextrain_service.transport.converters.requests import MAX_VERSION

DEFAULT_PAGE_SIZE = 100
MAX_PAGE_SIZE = 500
_MAX_EVENTS = 2**31 - 1


def list_events_query(request: pb.ListEventsRequest) -> ListEventsQuery:
    """Read a ListEventsRequest.

    Raises:
        FieldInvalidError: with every violation.
    """
    checked = Checked()
    size = checked.number("page_size", request.page_size, 0, _MAX_EVENTS)
    query = ListEventsQuery(
        game_id=checked.game_id("game_id", request.game_id),
        after_version=checked.number("after_version", request.after_version, 0, MAX_VERSION),
        page_size=min(size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
        start=_start(checked, request),
    )
    checked.finish()
    return query


def next_page_token(query: ListEventsQuery, page: EventPage) -> str:
    """Return what asks for the page after this one; empty when there is none."""
    if page.next_start is None:
        return ""
    return _token(query.game_id, query.after_version, page.next_start)


def _start(checked: Checked, request: pb.ListEventsRequest) -> int:
    """Return how many events earlier pages told; a token is good for its own history only."""
    if not request.page_token:
        return 0
    try:
        text = base64.urlsafe_b64decode(request.page_token.encode()).decode()
        start = int(text.rpartition(":")[2])
    except (ValueError, binascii.Error):
        start = -1
    expected = _token(request.game_id, request.after_version, start)
    if not 0 <= start <= _MAX_EVENTS or expected != request.page_token:
        checked.found("page_token", MALFORMED, "a next_page_token of this game and after_version")
        return 0
    return start


def _token(game_id: str, after_version: int, start: int) -> str:
    return base64.urlsafe_b64encode(f"{game_id}:{after_version}:{start}".encode()).decode()
