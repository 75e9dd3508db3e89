"""What stands before every method, outermost first. Knows the order and why it is this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mextrain_service.transport.interceptors.interceptor import Interceptor

ORDER: Final[tuple[tuple[str, str], ...]] = (
    ("errors", "answers for everything below, the other interceptors included"),
    ("request_id", "names the call before anyone writes of it"),
    ("tracing", "spans what is logged, and lets each line name its trace"),
    ("logging", "sees how the call ended, refused credentials and timeouts too"),
    ("metrics", "counts and times what is logged, no less and no more"),
    ("recent_errors", "keeps for operators what is logged"),
    ("admission", "refuses what is too much before any work is done for it"),
    ("deadline", "bounds all the work that a call can cause, checking credentials too"),
    ("auth", "knows the caller before anything of the request counts"),
    ("limits", "tells a known caller only what is wrong with its request"),
    ("rates", "must know the caller, and which game the request names"),
    ("seats", "may ask the store who sits where, so only for a call that goes on"),
)
"""Name and reason of each, outermost first."""

OPTIONAL: Final = frozenset({"tracing"})
"""Names that may be left out, so that what is switched off costs nothing."""


def in_order(interceptors: Mapping[str, Interceptor]) -> list[Interceptor]:
    """Return the interceptors as the door to the service takes them.

    Args:
        interceptors: one for each name of ``ORDER``, but for ``OPTIONAL``, and none besides.

    Raises:
        ValueError: one is missing or unknown.
    """
    names = [name for name, _ in ORDER]
    if set(interceptors) | OPTIONAL != set(names):
        raise ValueError(f"there must be one interceptor for each of {', '.join(names)}")
    return [interceptors[name] for name in names if name in interceptors]
