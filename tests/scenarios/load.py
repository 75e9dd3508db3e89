"""Reads the scenario tables into cases; the format is described in ``README.md`` beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from mextrain_engine import PRESETS, RuleSet, by_players
from tests.scenarios.case import Case, Deal, Expectation, Refused, Step

FOLDER = Path(__file__).parents[1] / "data" / "scenarios"

_CASE_KEYS = {
    "name", "rules", "preset", "options", "seats", "set", "hand",
    "hands", "boneyard", "hub", "dealt", "steps", "problems",
}  # fmt: skip
_STEP_KEYS = {"play", "seat", "together", "times", "refused", "facts", "deal"}
_WORD_LISTS = {"legal", "open_doubles", "deferred"}
_NUMBER_LISTS = {
    "counts", "markers", "called", "out", "points", "totals", "zero_rounds", "places", "winners",
}  # fmt: skip
_TEXT_LISTS = {"events", "happened", "absent"}
_EXPECTATIONS = {field.name for field in fields(Expectation)}


class TableError(ValueError):
    """A table is not written as the format wants it."""


def all_cases(folder: Path = FOLDER) -> tuple[Case, ...]:
    """Return the cases of every table, file by file, in their order."""
    return tuple(case for path in sorted(folder.glob("*.yaml")) for case in read(path))


def read(path: Path) -> Iterator[Case]:
    """Yield the cases of one table.

    Raises:
        TableError: a key is unknown or missing.
    """
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    defaults = table.get("defaults", {})
    for raw in table["cases"]:
        yield _case(path.stem, {**defaults, **raw, "options": _merged(defaults, raw)})


def _merged(defaults: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    return {**defaults.get("options", {}), **raw.get("options", {})}


def _case(cluster: str, raw: Mapping[str, Any]) -> Case:
    name = str(raw.get("name", "?"))
    _require(set(raw) <= _CASE_KEYS, f"{cluster}: {name}: unknown {set(raw) - _CASE_KEYS}")
    seats = int(raw["seats"])
    return Case(
        cluster=cluster,
        name=name,
        rule_ids=tuple(str(raw["rules"]).split()),
        rules=_rules(raw),
        seats=seats,
        deal=_deal(raw, seats),
        dealt=_expectation(raw.get("dealt", {})),
        steps=tuple(step for entry in raw.get("steps", []) for step in _steps(entry, seats)),
        problems=_words(raw.get("problems", "")),
    )


def _rules(raw: Mapping[str, Any]) -> RuleSet:
    changes: dict[str, Any] = {}
    if "set" in raw or "hand" in raw:
        changes["min_players"] = changes["max_players"] = int(raw["seats"])
    if "set" in raw:
        changes["max_pip_by_players"] = by_players({14: int(raw["set"])})
    if "hand" in raw:
        changes["hand_size_by_players"] = by_players({14: int(raw["hand"])})
    for option, value in raw["options"].items():
        changes[option] = by_players(value) if isinstance(value, dict) else value
    return PRESETS[raw["preset"]].override(**changes)


def _deal(raw: Mapping[str, Any], seats: int) -> Deal:
    hands = [_words(hand) for hand in raw.get("hands", [])]
    hands += [()] * (seats - len(hands))
    return Deal(tuple(hands), _words(raw.get("boneyard", "")), raw.get("hub"))


def _steps(entry: str | Mapping[str, Any], seats: int) -> Iterator[Step]:
    """Yield the steps of an entry: several when it is to be done several times."""
    if isinstance(entry, str):
        yield Step(moves=_words(entry))
        return
    seen = {key: value for key, value in entry.items() if key not in _STEP_KEYS}
    refused = None
    if "refused" in entry:
        facts = {str(name): str(value) for name, value in entry.get("facts", {}).items()}
        refused = Refused(str(entry["refused"]), facts)
    step = Step(
        moves=_words(entry.get("play", "")) * int(entry.get("times", 1)),
        seat=entry.get("seat"),
        together=bool(entry.get("together", False)),
        refused=refused,
        deal=_deal(entry["deal"], seats) if "deal" in entry else None,
        expect=_expectation(seen),
    )
    yield step


def _expectation(raw: Mapping[str, Any]) -> Expectation:
    _require(set(raw) <= _EXPECTATIONS, f"unknown {set(raw) - _EXPECTATIONS}")
    return Expectation(**{key: _expected(key, value) for key, value in raw.items()})


def _expected(key: str, value: Any) -> Any:
    if key in _WORD_LISTS:
        return _words(value)
    if key in _NUMBER_LISTS:
        return tuple(int(word) for word in _words(value))
    if key in _TEXT_LISTS:
        return tuple(str(line) for line in value)
    if key == "hands":
        return {int(seat): _words(tiles) for seat, tiles in value.items()}
    if key == "trains":
        return {str(train): tuple(map(int, _words(pips))) for train, pips in value.items()}
    return value


def _words(text: Any) -> tuple[str, ...]:
    return tuple(str(text).split()) if text is not None else ()


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise TableError(message)
