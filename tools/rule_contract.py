"""Write the contract's options of the rules from the engine's, or check that they match.

``rule_options.proto`` is the enums of ``mextrain_engine.options``; the fields of ``RuleSet`` in
``rule_set.proto`` are those of the engine's ``RuleSet``. Numbers are places, so both only ever grow
at their end; ``make proto-breaking`` refuses anything else.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from mextrain_engine import options, ruleset

CONTRACT = Path(__file__).resolve().parent.parent / "proto" / "mextrain" / "v1"

HEAD = """\
// Written by `make gen` from engine/mextrain_engine/options.py; do not edit.

syntax = "proto3";

package mextrain.v1;
"""

TYPES = {
    "str": "string",
    "int": "optional int32",
    "int | None": "optional int32",
    "bool": "optional bool",
    "PlayerTable": "repeated PlayerStep",
}
"""The type of a field by the engine's; an enum has the same name on both sides."""

_STEPS = (
    " Steps that do not overlap; a number of players outside all steps takes the preset's value."
)
ON_THE_WIRE = {
    "name": (
        "The preset that it started from, or `custom` when an option differs. Ignored in a request."
    ),
    "max_pip_by_players": (
        "Which double-n set is used for each number of players: 6, 9, 12, 15 or 18." + _STEPS
    ),
    "hand_size_by_players": (
        "How many tiles each seat is dealt for each number of players, 1 to 94." + _STEPS
    ),
    "first_hub_value": (
        "The pip value of the hub of round 1, or of every round with HUB_RULE_FIXED_VALUE: 0 to "
        "the highest of the set, or -1 for the highest of the set. Absent in a response for "
        "the highest."
    ),
}
"""The comments of options that have another form in a message."""


class Member(NamedTuple):
    """A field of a rule set or a value of an enum, as its source has it.

    Attributes:
        name: its name.
        type: its annotation, without the module; empty for a value.
        comment: the text below it; may be empty.
        apart: there is an empty line above it.
    """

    name: str
    type: str
    comment: str
    apart: bool


def contract() -> dict[Path, str]:
    """Return the text of both files."""
    enums = dict(_classes(options))
    choices, rule_set = CONTRACT / "rule_options.proto", CONTRACT / "rule_set.proto"
    fields = "".join(_fields(dict(_classes(ruleset))["RuleSet"], enums))
    written = rule_set.read_text("utf-8")
    return {
        choices: HEAD + "".join(_enum(node) for node in enums.values()),
        rule_set: re.sub(
            r"(?<=^message RuleSet \{\n).*?(?=^\})",
            lambda _: fields,
            written,
            count=1,
            flags=re.MULTILINE | re.DOTALL,
        ),
    }


def _classes(module: ModuleType) -> Iterator[tuple[str, ast.ClassDef]]:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    yield from ((node.name, node) for node in tree.body if isinstance(node, ast.ClassDef))


def _members(node: ast.ClassDef) -> Iterator[Member]:
    body = node.body
    for before, statement, after in zip(body[:-1], body[1:], [*body[2:], None], strict=True):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind):
                written = ast.unparse(kind).removeprefix("opt.")
            case ast.Assign(targets=[ast.Name(id=name)]):
                written = ""
            case _:
                continue
        apart = statement.lineno - (before.end_lineno or 0) > 1
        yield Member(name, written, _text(after), apart)


def _text(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(text.split())
        case _:
            return ""


def _fields(rule_set: ast.ClassDef, enums: dict[str, ast.ClassDef]) -> Iterator[str]:
    for number, field in enumerate(_members(rule_set), start=1):
        enum = enums.get(field.type)
        comment = ON_THE_WIRE.get(field.name) or field.comment or (_meaning(enum) if enum else "")
        yield "\n" if field.apart and number > 1 else ""
        yield _comment(comment, "  ")
        yield f"  {field.type if enum else TYPES[field.type]} {field.name} = {number};\n"


def _enum(node: ast.ClassDef) -> str:
    prefix = _prefix(node.name)
    lines = [
        _comment("The value of the preset.", "  "),
        f"  {prefix}_UNSPECIFIED = 0;\n",
    ]
    for number, value in enumerate(_members(node), start=1):
        lines += [_comment(value.comment, "  "), f"  {prefix}_{value.name} = {number};\n"]
    return f"\n{_comment(_meaning(node), '')}enum {node.name} {{\n{''.join(lines)}}}\n"


def _meaning(enum: ast.ClassDef) -> str:
    """Return an enum's own words, without its number in the table of options."""
    return re.sub(r" \[\w+\]\.$", ".", ast.get_docstring(enum) or "")


def _prefix(enum: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", enum).upper()


def _comment(text: str, indent: str) -> str:
    """Return a comment; a value that it names, like `Rounds.FIXED`, has the contract's name."""
    text = re.sub(r"`(\w+)\.(\w+)`", lambda name: f"{_prefix(name[1])}_{name[2]}", text)
    lead = f"{indent}// "
    return textwrap.fill(text, 100, initial_indent=lead, subsequent_indent=lead) + "\n"


def main() -> int:
    """Write both files; with ``--check`` leave them alone and fail when they would change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail instead of writing")
    check = parser.parse_args().check
    stale = {path: text for path, text in contract().items() if path.read_text("utf-8") != text}
    for path, text in stale.items():
        if check:
            print(f"stale: {path.name}; run `make gen` and commit the result", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
