"""Reads the settings and reports all problems at once."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pydantic
import pydantic_settings

from mextrain_service.settings.model import (
    CLIENT_VARIABLES,
    CONCERNS,
    IN_FILES,
    PREFIX,
    FrontAloneSettings,
    Settings,
    variable,
    variables,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic_core import ErrorDetails

_Settings = TypeVar("_Settings", bound=pydantic_settings.BaseSettings)

_SECRET_CONCERNS = frozenset({"redis", "auth"})


class SettingsError(Exception):
    """The settings are invalid.

    Attributes:
        problems: one line each, with the name of the variable.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def load() -> Settings:
    """Read the settings from the environment of this process.

    Raises:
        SettingsError: with every problem: values out of range, required ones that are missing,
            unknown variables, files that cannot be read.
    """
    secrets, unreadable = _from_files()
    unknown = (*unreadable, *_missing_choices(), *_unknown_variables())
    return _read(lambda: Settings(**secrets), unknown)  # type: ignore[arg-type]  # and more


def load_front() -> FrontAloneSettings:
    """Read the settings of a front that runs by itself.

    Raises:
        SettingsError: as `load` does.
    """
    return _read(FrontAloneSettings, tuple(_unknown_variables()))


def _read(read: Callable[[], _Settings], unknown: tuple[str, ...]) -> _Settings:
    try:
        settings = read()
    except pydantic.ValidationError as error:
        raise SettingsError((*_problems(error), *unknown)) from None
    except pydantic_settings.SettingsError:
        # A whole concern given as text that is not JSON: reported among the unknown variables.
        raise SettingsError(unknown) from None
    if unknown:
        raise SettingsError(unknown)
    return settings


def _problems(error: pydantic.ValidationError) -> Iterator[str]:
    for detail in error.errors():
        yield from _lines(detail)


def _lines(detail: ErrorDetails) -> Iterator[str]:
    match detail["loc"]:
        case ():
            yield detail["msg"].removeprefix("Value error, ")
        case (str(concern),) if detail["type"] == "missing":
            for name, field in CONCERNS[concern].model_fields.items():
                if field.is_required():
                    yield from _missing(concern, name)
        case (_, str(name), *_) if detail["type"] == "extra_forbidden":
            del name  # reported by its full name among the unknown variables
        case (str(concern),) if variable(concern, "").rstrip("_") in os.environ:
            return  # a whole concern as text: reported among the unknown variables
        case (str(concern), str(name)) if detail["type"] == "missing":
            yield from _missing(concern, name)
        case (str(concern), str(name), *_):
            yield f"{variable(concern, name)}: {_message(concern, detail)}"
        case other:
            yield f"{'.'.join(map(str, other))}: {detail['msg']}"


def _message(concern: str, detail: ErrorDetails) -> str:
    text = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if concern in _SECRET_CONCERNS:
        return text
    return f"{text}, not {detail['input']!r}"


def _missing(concern: str, setting: str) -> Iterator[str]:
    name = variable(concern, setting)
    if (concern, setting) not in IN_FILES:
        yield f"{name}: is required"
    elif not os.environ.get(f"{name}_FILE"):
        yield f"{name}: is required, or {name}_FILE"


def _from_files() -> tuple[dict[str, dict[str, str]], tuple[str, ...]]:
    """Return the secrets in files, by concern and setting, and the problems with other files."""
    found: dict[str, dict[str, str]] = {}
    problems = []
    for concern, setting in IN_FILES:
        name = variable(concern, setting)
        path = os.environ.get(f"{name}_FILE")
        if not path:
            continue
        if os.environ.get(name):
            problems.append(f"{name} and {name}_FILE: set only one of them")
            continue
        try:
            found[concern] = {setting: Path(path).read_text("utf-8").strip()}
        except (OSError, UnicodeDecodeError):
            problems.append(f"{name}_FILE: the file cannot be read")
    return found, tuple(problems)


def _missing_choices() -> Iterator[str]:
    """Yield required settings that are missing in every form."""
    keys = variable("auth", "platform_keys")
    if not os.environ.get(keys) and not os.environ.get(f"{keys}_FILE"):
        yield f"{keys}: is required, or {keys}_FILE"


def _unknown_variables() -> Iterator[str]:
    known = variables()
    upper = {name.upper() for name in os.environ if name.upper().startswith(PREFIX)}
    for name in sorted(upper - set(known) - CLIENT_VARIABLES):
        near = difflib.get_close_matches(name, known, n=1)
        yield f"{name}: unknown setting" + (f"; did you mean {near[0]}?" if near else "")
