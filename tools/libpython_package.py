"""Name the Debian package with the shared library of this Python, where that is a package.

Envoy loads Python as a library; Debian has it apart from the program. A Python that was built here
has its library with it, or none.
"""

from __future__ import annotations

import sys


def package(base_prefix: str, version: tuple[int, int]) -> str:
    """Return the name of the package; empty for a Python that is not Debian's.

    >>> package("/usr", (3, 13))
    'libpython3.13'
    >>> package("/usr/local", (3, 13))
    ''
    """
    return "libpython{}.{}".format(*version) if base_prefix == "/usr" else ""


if __name__ == "__main__":
    print(package(sys.base_prefix, sys.version_info[:2]))
