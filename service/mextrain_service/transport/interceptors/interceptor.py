"""What an interceptor is: it puts a coroutine around that of a method, once, for good.

Knows calls; no transport, and nothing of what interceptors do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mextrain_service.transport.interceptors.call import Call

Handle: TypeAlias = Callable[[Call], Awaitable[None]]
"""Carries out a call: sets its response, or writes to its context."""


@dataclass(frozen=True, slots=True)
class Method:
    """What interceptors know of a method before anyone calls it.

    Attributes:
        name: its own name, like ``PlayMove``.
        streams: it is answered by a stream.
    """

    name: str
    streams: bool = False


class Interceptor(ABC):
    """Stands around every method of the service.

    A method that streams writes to its context; it is no generator, for one that is cut off would
    leave what is around it open until somebody collects it.
    """

    @abstractmethod
    def around(self, method: Method, inner: Handle) -> Handle:
        """Return what is to be called instead of ``inner``, which it may return itself."""


def wrapped(interceptors: Iterable[Interceptor], method: Method, inner: Handle) -> Handle:
    """Return a method's handler within all of these interceptors, which come outermost first."""
    for each in reversed(list(interceptors)):
        inner = each.around(method, inner)
    return inner
