"""From a rule to its code: each id of the rulebook stands in the function that enforces it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from mextrain_engine.rulebook import RULES
from tools.rules_page import INFORMATIONAL

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine/mextrain_engine", "service/mextrain_service")
RULEBOOK = ROOT / "engine/mextrain_engine/rulebook"
REFUSING = ROOT / "engine/mextrain_engine/validation.py"
"""Values that are not played yet stand in its tables, outside any function."""

NAMING = re.compile(r"# Rules? ([a-z-]+\.[a-z.-]+(?:, [a-z.-]+)*)$")
"""How a comment names rules: `# Rule open.draw`, `# Rules draw.one, draw.pass`."""


def sources() -> Iterator[Path]:
    """Yield every module of the engine and the service but the rulebook's own."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not path.is_relative_to(RULEBOOK):
                yield path


def named() -> Iterator[tuple[str, Path, int]]:
    """Yield each rule id that a comment names, with the file and the line."""
    for path in sources():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if found := NAMING.search(line):
                for rule_id in found[1].split(", "):
                    yield rule_id, path, number


NAMED = list(named())


def test_comment_names_rules_of_the_rulebook_only() -> None:
    unknown = [f"{path}:{line} {name}" for name, path, line in NAMED if name not in RULES]

    assert not unknown


def test_every_rule_is_named_where_it_is_enforced() -> None:
    assert set() == set(RULES) - set(INFORMATIONAL) - {rule_id for rule_id, _, _ in NAMED}


def test_rule_is_named_inside_a_function_unless_its_value_is_refused() -> None:
    outside = {
        rule_id
        for rule_id, path, line in NAMED
        if path != REFUSING and not _in_function(path, line)
    }

    assert not outside


def _in_function(path: Path, line: int) -> bool:
    tree = ast.parse(path.read_text("utf-8"))
    return any(
        node.lineno <= line <= (node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
