"""Runs one case through a driver and says what differs from its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from tests.scenarios.case import Case, Expectation, Refused, Step
from tests.scenarios.dealing import permutation
from tests.scenarios.driver import Driver, Seen, Sheet

_SHEET = {field.name for field in fields(Sheet)}
_SEEN = {field.name for field in fields(Seen)}
_NAMED_ONLY = {"hands", "trains"}


def differences(case: Case, driver: Driver) -> list[str]:
    """Return what is not as the case expects, one line each; empty when all is."""
    problems = tuple(dict.fromkeys(driver.problems(case.rules, case.seats)))
    if problems != tuple(dict.fromkeys(case.problems)):
        return [f"problems: expected {case.problems}, got {problems}"]
    if problems:
        return []
    driver.start(case.rules, case.seats)
    happened = driver.deal(permutation(case.rules, case.seats, case.deal, 1))
    found = [f"deal: {text}" for text in _compare(case.dealt, driver, happened)]
    rounds = 1
    for number, step in enumerate(case.steps, start=1):
        rounds += step.deal is not None
        found += [
            f"step {number} ({_title(step)}): {text}" for text in _do(step, driver, case, rounds)
        ]
    return found


def _title(step: Step) -> str:
    return "deal" if step.deal else " ".join(step.moves) or "look"


def _do(step: Step, driver: Driver, case: Case, round_number: int) -> Iterator[str]:
    if step.deal is not None:
        events = driver.deal(permutation(case.rules, case.seats, step.deal, round_number))
        yield from _compare(step.expect, driver, events)
        return
    if not step.moves:
        yield from _compare(step.expect, driver, ())
        return
    *groups, last = [step.moves] if step.together else [(move,) for move in step.moves]
    happened: list[str] = []
    for moves in groups:
        result = driver.play(moves, _seat(step, driver))
        if isinstance(result, Refused):
            yield f"{moves} was refused: {result}; legal: {driver.legal(driver.view().turn)}"
            return
        happened += result
    yield from _last(step, driver, last, happened)


def _last(step: Step, driver: Driver, moves: Sequence[str], happened: list[str]) -> Iterator[str]:
    """Make the last moves of a step, which may be expected to be refused."""
    before = driver.view()
    result = driver.play(moves, _seat(step, driver))
    if isinstance(result, Refused):
        yield from _refusal(step.refused, result, driver)
        if before != driver.view():
            yield "a refused move changed something"
    elif step.refused is not None:
        yield f"{moves} was not refused: {result}"
    else:
        happened += result
    yield from _compare(step.expect, driver, tuple(happened))


def _refusal(expected: Refused | None, result: Refused, driver: Driver) -> Iterator[str]:
    if expected is None:
        yield f"refused: {result}; legal: {driver.legal(driver.view().turn)}"
        return
    facts = {name: result.facts.get(name, "") for name in expected.facts}
    if (expected.reason, dict(expected.facts)) != (result.reason, facts):
        yield f"refused: expected {expected}, got {result}"


def _seat(step: Step, driver: Driver) -> int:
    return driver.view().turn if step.seat is None else step.seat


def _compare(
    expected: Expectation | None, driver: Driver, happened: Sequence[str]
) -> Iterator[str]:
    if expected is None:
        return
    for field in fields(expected):
        value = getattr(expected, field.name)
        if value is not None:
            yield from _compare_one(field.name, value, driver, happened)


def _compare_one(
    name: str, expected: object, driver: Driver, happened: Sequence[str]
) -> Iterator[str]:
    actual = _actual(name, driver, happened)
    match name:
        case "happened":
            assert isinstance(expected, tuple)
            same = _is_within(expected, happened)
        case "absent":
            assert isinstance(expected, tuple)
            same = not any(text.startswith(expected) for text in happened)
        case "legal" | "hands" | "trains":
            actual, expected = _comparable(name, actual, expected)
            same = actual == expected
        case _:
            same = actual == expected
    if not same:
        yield f"{name}: expected {expected}, got {actual}"


def _actual(name: str, driver: Driver, happened: Sequence[str]) -> object:
    if name == "legal":
        return driver.legal(driver.view().turn)
    if name in _SEEN:
        return getattr(driver.view(), name)
    return getattr(driver.sheet(), name) if name in _SHEET else tuple(happened)


def _comparable(name: str, actual: object, expected: object) -> tuple[object, object]:
    """Return both so that only what matters can differ: no order, and the named entries only."""
    if name not in _NAMED_ONLY:
        assert isinstance(actual, tuple)
        assert isinstance(expected, tuple)
        return sorted(actual), sorted(expected)
    assert isinstance(actual, Mapping)
    assert isinstance(expected, Mapping)
    sort = sorted if name == "hands" else tuple
    return (
        {key: sort(actual[key]) for key in expected},
        {key: sort(value) for key, value in expected.items()},
    )


def _is_within(expected: Sequence[str], happened: Sequence[str]) -> bool:
    """Tell whether the lines expected happened in this order, others between them or not."""
    rest = iter(happened)
    return all(text in rest for text in expected)
