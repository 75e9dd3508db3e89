"""What a worker tells itself across the step into Envoy."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from mextrain_service.worker.worker_options import WorkerOptions

_VARIABLE: Final = "_MEXTRAIN_HOSTED_WORKER"


@dataclass(frozen=True, slots=True)
class Inheritance:
    """What is known before Envoy starts.

    Attributes:
        place: where the worker stands among others.
        folder: what it may put files into, and is to remove.
        left: the end of a pipe that names calls whose callers are gone.
    """

    place: WorkerOptions
    folder: Path
    left: int

    @property
    def own_pages(self) -> Path:
        """The socket of Envoy's own pages."""
        return self.folder / "own-pages.sock"

    def variables(self) -> dict[str, str]:
        """Return it as variables of a process."""
        told = {"place": asdict(self.place), "folder": str(self.folder), "left": self.left}
        return {_VARIABLE: json.dumps(told)}

    @classmethod
    def taken(cls) -> Self:
        """Return it inside Envoy, and leave it to no further process."""
        told = json.loads(os.environ.pop(_VARIABLE))
        return cls(WorkerOptions(**told["place"]), Path(told["folder"]), told["left"])
