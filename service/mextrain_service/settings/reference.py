"""The settings as a table: for the documentation, and as they are in effect."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from annotated_types import Ge, Le
from pydantic import BaseModel, SecretStr

from mextrain_service.settings.model import CONCERNS, Settings, variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo


class InEffect(NamedTuple):
    """A setting as it is.

    Attributes:
        variable: its name.
        value: what it is set to, as text; stars for a secret.
        given: the environment gives it; otherwise it is the default.
    """

    variable: str
    value: str
    given: bool


def in_effect(settings: Settings) -> Iterator[InEffect]:
    """Yield every setting, by concern."""
    for concern in CONCERNS:
        group = getattr(settings, concern)
        for name in type(group).model_fields:
            known = variable(concern, name)
            yield InEffect(known, _text(getattr(group, name)), known in os.environ)


def reference() -> str:
    """Return the reference of all settings, in Markdown."""
    return "\n".join(line for concern in CONCERNS for line in _section(concern))


def _section(concern: str) -> Iterator[str]:
    model = CONCERNS[concern]
    yield f"## {concern}"
    yield ""
    yield (model.__doc__ or "").strip()
    yield ""
    yield "| variable | default | range | what it does |"
    yield "|---|---|---|---|"
    for name, field in model.model_fields.items():
        cells = (
            f"`{variable(concern, name)}`",
            _default(field),
            _range(field),
            field.description or "",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    text = _text(field.default)
    return f"`{text}`" if text else "none"


def _range(field: FieldInfo) -> str:
    least = next((item.ge for item in field.metadata if isinstance(item, Ge)), None)
    most = next((item.le for item in field.metadata if isinstance(item, Le)), None)
    return "" if least is None or most is None else f"{least} to {most}"


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case BaseModel():
            return value.model_dump_json()
        case Enum():
            return str(value.value)
        case SecretStr():
            return "********"
        case tuple():
            return ", ".join(map(_text, value))
        case _:
            return str(value)
