"""The contract as data, for what stands before the service: its methods, its descriptor set."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2
from mextrain.v1 import game_service_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.descriptor import FileDescriptor, MethodDescriptor

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

    @property
    def has_head(self) -> bool:
        """Whether it may be asked by HEAD, for the headers of its answer."""
        return self.reads and not self.streams


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


@dataclass(frozen=True, slots=True)
class Binding:
    """Where a method is in REST.

    Attributes:
        method: its own name, like ``GetGame``.
        verb: ``GET``, ``POST`` or ``DELETE``.
        template: its path, with fields in braces: ``/v1/games/{game_id}``.
        has_body: its request is read from a body.
        streams: it answers with a stream.
    """

    method: str
    verb: str
    template: str
    has_body: bool
    streams: bool

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the request that are in the path, in order."""
        return tuple(_FIELD.findall(self.template))

    def pattern(self, segment: str, escaped: Callable[[str], str] = re.escape) -> str:
        """Return a pattern of whole paths.

        Args:
            segment: the pattern of a field's value.
            escaped: writes plain text as a pattern.
        """
        plain = (escaped(each) for each in _FIELD.split(self.template)[::2])
        return f"^{segment.join(plain)}$"


def bindings() -> tuple[Binding, ...]:
    """Return where methods are in REST; paths that end in a verb of their own come first."""
    found = (binding for method in SERVICE.methods for binding in _bindings(method))
    return tuple(sorted(found, key=lambda each: ":" not in each.template))


def _bindings(method: MethodDescriptor) -> Iterator[Binding]:
    """Yield where a method is; what GET answers at once, HEAD may ask for too."""
    http = method.GetOptions().Extensions[annotations_pb2.http]
    verb = http.WhichOneof("pattern")
    if verb is None:
        return
    template = getattr(http, verb)
    streams = bool(method.server_streaming)
    yield Binding(method.name, verb.upper(), template, bool(http.body), streams)
    if verb == "get" and not streams:
        yield Binding(method.name, "HEAD", template, has_body=False, streams=False)


_FIELD: Final = re.compile(r"\{(\w+)\}")


def descriptor_set() -> bytes:
    """Return the service's file with all that it needs, and the details that errors carry."""
    found = FileDescriptorSet()
    for file in _with_imports(*_ROOTS):
        file.CopyToProto(found.file.add())
    own = next(each for each in found.file if each.name == SERVICE.file.name)
    for binding in bindings():
        if binding.verb == "HEAD":
            method = SERVICE.methods_by_name[binding.method]
            options = own.service[SERVICE.index].method[method.index].options
            head = options.Extensions[annotations_pb2.http].additional_bindings.add().custom
            head.kind, head.path = binding.verb, binding.template
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
