"""What a test and the worker inside Envoy have in common, though they are two processes."""

from __future__ import annotations

import base64
import mmap
import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from joserfc.jwk import ECKey

from mextrain_service.application.model import PlatformId
from mextrain_service.auth.api_keys import NewApiKey, generate_api_key, generate_operator_key
from tests.rpc import players
from tests.rpc.fake_clock import FakeClock
from tests.rpc.serving import House
from tests.storage.library import Redis

_VARIABLE: Final = "SHARED_BY_TESTS"
_PLATFORMS: Final = ("acme", "rival")


class SharedHand(FakeClock):
    """A clock that stands where a test puts it, for whoever has the same file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        if not path.exists():
            path.write_bytes(FakeClock().now_ms().to_bytes(8))
        with path.open("r+b") as file:
            self._face = mmap.mmap(file.fileno(), 8)

    def now_ms(self) -> int:
        return int.from_bytes(self._face[:])

    def advance(self, seconds: float) -> None:
        self._face[:] = (self.now_ms() + round(seconds * 1000)).to_bytes(8)

    def reset(self) -> None:
        self._face[:] = FakeClock().now_ms().to_bytes(8)


@dataclass(frozen=True, slots=True)
class Shared:
    """Who may call, where games are, and what time it is."""

    redis_url: str
    clock: Path
    platform: NewApiKey
    rival: NewApiKey
    operator: NewApiKey
    reveal: NewApiKey
    identity_providers: dict[str, dict[str, str | list[str]]]

    @classmethod
    def new(cls, redis_url: str, folder: Path) -> Self:
        """Make keys for all."""
        platform, rival = (generate_api_key(PlatformId(name)) for name in _PLATFORMS)
        return cls(
            redis_url,
            folder / "clock",
            platform,
            rival,
            generate_operator_key("ann"),
            generate_operator_key("bob"),
            {name: dict(players.signing_key(name).as_dict(private=True)) for name in _PLATFORMS},
        )

    def variables(self) -> dict[str, str]:
        """Return it as variables of a process."""
        return {_VARIABLE: base64.b64encode(pickle.dumps(self)).decode()}

    @classmethod
    def taken(cls) -> Self:
        """Return it where it was passed on, and take its identity providers for one's own."""
        shared = pickle.loads(base64.b64decode(os.environ[_VARIABLE]))  # noqa: S301 - of our own
        assert isinstance(shared, cls)
        keys = {name: ECKey.import_key(key) for name, key in shared.identity_providers.items()}
        players.signing_key = keys.__getitem__  # type: ignore[assignment]
        return shared

    def house(self, redis: Redis) -> House:
        """Return what all workers have in common."""
        return House(
            redis,
            SharedHand(self.clock),
            key=self.platform,
            other_key=self.rival,
            operator_key=self.operator,
            reveal_key=self.reveal,
        )
