"""A record as text: one header, one line per action, short enough to paste into a report.

    mextrain 1 rules=1 preset=modern seats=2 double_blank_value=25
    deal 1 commitment=6a09… seed=bb67…
    0 12-5@0
    0 pass
    1 draw

Whether it can be played is the matter of ``record``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any

from mextrain_engine.errors import NotationError
from mextrain_engine.moves import format_move, parse_move
from mextrain_engine.presets import PRESETS, preset
from mextrain_engine.record import Entry, Record, RecordedDeal, RecordedMove, RecordedSkip
from mextrain_engine.ruleset import OPTION_TYPES, RuleSet
from mextrain_engine.tiles import TileId, format_tile, parse_tile

FORMAT = 1
"""The version of the text format, the second word of every record."""


def format_record(record: Record) -> str:
    """Return a record as text, each line ended.

    >>> from mextrain_engine import DRAW
    >>> print(format_record(Record(RuleSet(), 2, (RecordedMove(0, DRAW),))), end="")
    mextrain 1 rules=1 preset=modern seats=2
    0 draw
    """
    return "".join(record_lines(record))


def record_lines(record: Record) -> Iterator[str]:
    """Yield the lines of a record as text, each ended: the header, then one for each action."""
    yield f"{_format_header(record)}\n"
    for entry in record.entries:
        yield f"{_format_entry(entry)}\n"


def parse_record(text: str) -> Record:
    """Read a record; empty lines and lines that begin with ``#`` are passed over.

    >>> parse_record("mextrain 1 rules=1 preset=ehow seats=3").rules.name
    'ehow'

    Raises:
        NotationError: a line is not of a record; the message names the line.
        RuleSetError: the header holds options that do not exist.
    """
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise NotationError(
            "", "a record begins with a line like: mextrain 1 rules=1 preset=modern"
        )
    rules, seats, revision = _parse_header(lines[0][1])
    return Record(rules, seats, tuple(_parse_line(*line) for line in lines[1:]), revision)


def _format_header(record: Record) -> str:
    base = PRESETS.get(record.rules.name, RuleSet())
    words = [f"mextrain {FORMAT} rules={record.revision} preset={base.name} seats={record.seats}"]
    for option in fields(RuleSet):
        value = getattr(record.rules, option.name)
        if option.name != "name" and value != getattr(base, option.name):
            words.append(f"{option.name}={_format_value(value)}")
    return " ".join(words)


def _format_value(value: object) -> str:
    match value:
        case Enum():
            return str(value.value)
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value).lower()


def _format_entry(entry: Entry) -> str:
    if isinstance(entry, RecordedMove):
        return f"{entry.seat} {format_move(entry.move)}{_drawn_text(entry.drawn)}"
    if isinstance(entry, RecordedSkip):
        return f"{entry.seat} skip{_drawn_text(entry.drawn)}"
    words = [f"deal {entry.number}"]
    if entry.commitment is not None:
        words.append(f"commitment={entry.commitment.hex()}")
    if entry.seed is not None:
        words.append(f"seed={entry.seed.hex()}")
    if entry.entropy:
        words.append("entropy=" + ",".join(part.hex() for part in entry.entropy))
    if entry.tiles is not None:
        words.append("tiles=" + ",".join(map(format_tile, entry.tiles)))
    if entry.hand is not None:
        words.append("hand=" + ",".join(map(format_tile, entry.hand)))
    return " ".join(words)


def _drawn_text(drawn: TileId | None) -> str:
    return "" if drawn is None else f"={format_tile(drawn)}"


def _parse_header(line: str) -> tuple[RuleSet, int, int]:
    words = line.split()
    if words[:2] != ["mextrain", str(FORMAT)]:
        raise NotationError(line, f"a record begins with: mextrain {FORMAT}")
    facts = _facts(words[2:], line)
    if not {"rules", "preset", "seats"} <= facts.keys():
        raise NotationError(line, "the header names rules, preset and seats")
    revision, seats = _number(facts.pop("rules"), line), _number(facts.pop("seats"), line)
    rules = preset(facts.pop("preset"))
    changes = {name: _parse_value(name, text, line) for name, text in facts.items()}
    return rules.override(**changes), seats, revision


def _parse_value(name: str, text: str, line: str) -> Any:
    kind = OPTION_TYPES.get(name, str)
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if kind is tuple:
        return tuple(_number(part, line) for part in text.split(","))
    if kind is int:
        return None if text == "none" else _number(text, line)
    return text


def _parse_line(number: int, line: str) -> Entry:
    try:
        words = line.split()
        if words[0] == "deal":
            return _parse_deal(words, line)
        return _parse_move(words, line)
    except NotationError as error:
        raise NotationError(line, f"line {number}: {error.expected}") from None


def _parse_deal(words: list[str], line: str) -> RecordedDeal:
    if len(words) < 2:
        raise NotationError(line, "a deal has a number, as in: deal 1")
    facts = _facts(words[2:], line)
    unknown = facts.keys() - {"commitment", "seed", "entropy", "tiles", "hand"}
    if unknown:
        raise NotationError(line, f"a deal has no {min(unknown)}")
    return RecordedDeal(
        number=_number(words[1], line),
        commitment=_hex(facts.get("commitment"), line),
        seed=_hex(facts.get("seed"), line),
        entropy=tuple(_bytes(part, line) for part in _list(facts.get("entropy"))),
        tiles=_tiles(facts.get("tiles")),
        hand=_tiles(facts.get("hand")),
    )


def _parse_move(words: list[str], line: str) -> RecordedMove | RecordedSkip:
    if len(words) != 2:
        raise NotationError(line, "a move is a seat and a move, as in: 0 12-5@2")
    move, _, drawn = words[1].partition("=")
    if drawn and move not in {"draw", "skip"}:
        raise NotationError(line, "only a draw brings a tile")
    tile = parse_tile(drawn) if drawn else None
    if move == "skip":
        return RecordedSkip(_number(words[0], line), tile)
    return RecordedMove(_number(words[0], line), parse_move(move), tile)


def _facts(words: list[str], line: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    if any(not sign for _, sign, _ in pairs):
        raise NotationError(line, "what follows is written as name=value")
    facts = {name: value for name, _, value in pairs}
    if len(facts) < len(pairs):
        raise NotationError(line, "each name stands once")
    return facts


def _number(text: str, line: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10):
        raise NotationError(line, f"{text[:20]!r} is not a number")
    return int(text)


def _list(text: str | None) -> list[str]:
    return text.split(",") if text is not None else []


def _tiles(text: str | None) -> tuple[TileId, ...] | None:
    return None if text is None else tuple(parse_tile(part) for part in text.split(",") if part)


def _hex(text: str | None, line: str) -> bytes | None:
    return None if text is None else _bytes(text, line)


def _bytes(text: str, line: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise NotationError(line, "bytes are written in hexadecimal") from None
