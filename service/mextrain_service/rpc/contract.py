"""The contract as data, for what stands before the service: its methods, its descriptor set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2
from mextrain.v1 import game_service_pb2

if TYPE_CHECKING:
    from google.protobuf.descriptor import FileDescriptor

SERVICE: Final = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the service.

    Attributes:
        path: its path in gRPC, ``/mextrain.v1.GameService/GetGame``.
        reads: it changes nothing, so that it may be asked twice; by its REST verb.
        streams: it answers with a stream.
    """

    path: str
    reads: bool
    streams: bool


def methods() -> tuple[Method, ...]:
    """Return the methods in the order of the contract."""
    return tuple(
        Method(
            path=f"/{SERVICE.full_name}/{method.name}",
            reads=bool(method.GetOptions().Extensions[annotations_pb2.http].get),
            streams=method.server_streaming,
        )
        for method in SERVICE.methods
    )


def descriptor_set() -> bytes:
    """Return the service's file with all that it needs, and the details that errors carry."""
    found = FileDescriptorSet()
    for file in _with_imports(*_ROOTS):
        file.CopyToProto(found.file.add())
    return found.SerializeToString(deterministic=True)


def contract_files() -> tuple[FileDescriptor, ...]:
    """Return the contract's own files, each after those that it imports."""
    package = SERVICE.file.package
    return tuple(file for file in _with_imports(SERVICE.file) if file.package == package)


_ROOTS: Final = tuple(
    module.DESCRIPTOR for module in (game_service_pb2, status_pb2, error_details_pb2)
)


def _with_imports(*files: FileDescriptor) -> tuple[FileDescriptor, ...]:
    """Return the files, each after those that it imports, none twice."""
    found: dict[str, FileDescriptor] = {}
    for file in files:
        found.update({each.name: each for each in _with_imports(*file.dependencies)})
        found[file.name] = file
    return tuple(found.values())
