"""What a hosted call offers to those who handle it: the same as ``grpc.aio`` does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

import grpc
from grpc import aio

from mextrain_service.rpc.envoy.headers import metadata_of

if TYPE_CHECKING:
    from mextrain_service.rpc.call import Metadata
    from mextrain_service.rpc.envoy.answer import Answer


class HostedContext:
    """The context of one call; see ``call.Context`` for what its methods promise."""

    def __init__(
        self,
        answer: Answer,
        serialize: Callable[[Any], bytes],
        headers: list[tuple[bytes, bytes]],
        client: tuple[str, int] | None,
        timeout_s: float | None,
    ) -> None:
        """Take what is known of the call.

        Args:
            answer: where messages and the end go.
            serialize: gives the bytes of a message of the answer.
            headers: those that are metadata.
            client: address and port of the caller, if the host knows them.
            timeout_s: in how many seconds the caller gives up; None if it did not say.
        """
        self._answer = answer
        self._serialize = serialize
        self._headers = headers
        self._client = client
        self._ends_at = None if timeout_s is None else monotonic() + timeout_s
        self._metadata: Metadata | None = None
        self._trailing: Metadata | None = None
        self._code: grpc.StatusCode | None = None

    def invocation_metadata(self) -> Metadata:
        """Return what the caller sent beside the request."""
        if self._metadata is None:
            self._metadata = metadata_of(self._headers)
        return self._metadata

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Set what goes with the end of the answer."""
        self._trailing = trailing_metadata

    def trailing_metadata(self) -> Metadata | None:
        """Return what was set to go with it."""
        return self._trailing

    def time_remaining(self) -> float | None:
        """Return in how many seconds the caller gives up, not below 0; None if it did not say."""
        return None if self._ends_at is None else max(0.0, self._ends_at - monotonic())

    def peer(self) -> str:
        """Return where the call comes from, as ``grpc.aio`` writes it."""
        if self._client is None:
            return "unknown"
        host, port = self._client
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    def code(self) -> grpc.StatusCode | None:
        """Return the status that the call was ended with, once it was."""
        return self._code

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing: Metadata = ()
    ) -> NoReturn:
        """End the call with an error; of one that is cancelled, the server itself says why."""
        if code is grpc.StatusCode.CANCELLED:
            raise asyncio.CancelledError(details)
        self._code = code
        await self._answer.finish(None, code, details, trailing)
        raise aio.AbortError(details)

    async def send_initial_metadata(self, initial_metadata: Metadata) -> None:
        """Begin the answer; none of our methods has metadata to begin it with."""
        del initial_metadata
        await self._answer.send_headers()

    async def write(self, message: Any) -> None:
        """Send a message of a stream, when its reader has room for it."""
        await self._answer.write(self._serialize(message))
