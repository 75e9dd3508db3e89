"""Pages of events: what is asked for, and the token that leads to the next one."""

from __future__ import annotations

import base64
import binascii

from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.chain import Position
from mextrain_service.application.list_events import EventPage, ListEventsQuery
from mextrain_service.rpc.messages.checking import MALFORMED, Checked
from mextrain_service.rpc.messages.requests import MAX_VERSION

DEFAULT_PAGE_SIZE = 100
MAX_PAGE_SIZE = 500
_MAX_EVENTS = 2**31 - 1


def list_events_query(request: pb.ListEventsRequest) -> ListEventsQuery:
    """Read a ListEventsRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    size = checked.number("page_size", request.page_size, 0, _MAX_EVENTS)
    version = checked.number("after_version", request.after_version, 0, MAX_VERSION)
    after = checked.position("cursor", request.cursor)
    start, page_read_at = _page(checked, request)
    query = ListEventsQuery(
        game_id=checked.game_id("game_id", request.game_id),
        after_version=version if after is None else after.version,
        page_size=min(size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
        start=start,
        places=tuple(place for place in (after, page_read_at) if place is not None),
    )
    checked.finish()
    return query


def next_page_token(request: pb.ListEventsRequest, page: EventPage) -> str:
    """Return what asks for the page after this one; empty when there is none."""
    if page.next_start is None:
        return ""
    return _token(request, page.next_start, page.position)


def _page(checked: Checked, request: pb.ListEventsRequest) -> tuple[int, Position | None]:
    """Return how many events earlier pages told, and where the game was then.

    A token is good for what it was given for only.
    """
    if not request.page_token:
        return 0, None
    try:
        text = base64.urlsafe_b64decode(request.page_token.encode()).decode()
        *_, start, cursor = text.split(":")
        position = Position.from_cursor(cursor)
        known = _token(request, int(start), position) == request.page_token
        if known and 0 <= int(start) <= _MAX_EVENTS:
            return int(start), position
    except (ValueError, binascii.Error):
        pass
    expected = "invalid page token; use one for the same game, after_version and cursor"
    checked.found("page_token", MALFORMED, expected)
    return 0, None


def _token(request: pb.ListEventsRequest, start: int, position: Position) -> str:
    asked = f"{request.game_id}:{request.after_version}:{request.cursor}"
    return base64.urlsafe_b64encode(f"{asked}:{start}:{position.cursor}".encode()).decode()
