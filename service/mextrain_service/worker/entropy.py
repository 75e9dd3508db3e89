"""The random numbers of the operating system, as the application's ``Entropy``."""

from __future__ import annotations

import os


class SystemEntropy:
    """The kernel's cryptographic generator."""

    def token_bytes(self, count: int) -> bytes:
        """Return ``count`` bytes that nobody can guess."""
        return os.urandom(count)
