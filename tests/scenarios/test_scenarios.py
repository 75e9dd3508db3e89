"""Every case of every table, through every driver; and no rule without a case."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from mextrain_engine import PRESETS
from mextrain_engine.rulebook import RULES, describe
from tests.scenarios.case import Case
from tests.scenarios.driver import Driver
from tests.scenarios.engine_driver import EngineDriver
from tests.scenarios.grpc_driver import GrpcDriver, Service
from tests.scenarios.load import all_cases
from tests.scenarios.rest_driver import RestDriver, RestService
from tests.scenarios.run import differences
from tools.rules_page import INFORMATIONAL

CASES = all_cases()

DRIVERS: dict[str, Callable[[pytest.FixtureRequest], Driver]] = {
    "engine": lambda _: EngineDriver(),
    "grpc": lambda request: GrpcDriver(request.getfixturevalue("service")),
    "rest": lambda request: RestDriver(request.getfixturevalue("rest_service")),
}
"""Every way in which the tables are run."""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service for the driver that goes through gRPC."""
    with Service() as running:
        yield running


@pytest.fixture(scope="module")
def rest_service() -> Iterator[RestService]:
    """A service for the driver that goes through REST."""
    with RestService() as running:
        yield running


def _id(case: Case) -> str:
    return f"{case.cluster}: {case.name}"


@pytest.mark.parametrize("driver", list(DRIVERS))
@pytest.mark.parametrize("case", CASES, ids=_id)
def test_case_comes_out_as_its_table_says(
    case: Case, driver: str, request: pytest.FixtureRequest
) -> None:
    found = differences(case, DRIVERS[driver](request))

    assert not found, "\n".join(found)


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_case_names_rules_that_hold_at_its_table(case: Case) -> None:
    told = {one.id for chapter in describe(case.rules, case.seats) for one in chapter.sentences}

    assert case.rule_ids
    assert set() == set(case.rule_ids) - told


def test_every_rule_has_a_case_unless_it_is_informational() -> None:
    shown = {rule_id for case in CASES for rule_id in case.rule_ids}
    owing = {rule_id for rule_id in RULES if rule_id not in INFORMATIONAL}

    assert set() == owing - shown


def test_case_names_are_sentences_and_unique() -> None:
    counts = Counter(case.name for case in CASES)

    assert not [name for name, count in counts.items() if count > 1]
    assert not [name for name in counts if not name[0].isupper() or name.endswith(".")]


def test_every_preset_has_a_whole_round_by_hand() -> None:
    whole = {
        case.rules.name
        for case in CASES
        if any(_ends(case, place) for place in range(len(case.steps)))
        and case.cluster.startswith("presets")
    }

    assert set() == set(PRESETS) - whole


def test_there_are_at_least_two_hundred_cases() -> None:
    assert len(CASES) >= 200


def _ends(case: Case, place: int) -> bool:
    expect = case.steps[place].expect
    return expect is not None and expect.points is not None
