"""The checker finds each anomaly in histories written by hand, and nothing in sound ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.checking import check
from tests.faults.findings import Findings
from tests.faults.history import (
    ABSENT,
    Acknowledgement,
    Fact,
    Final,
    History,
    Message,
    Read,
    Sight,
    Stream,
)

_GAME = "g"


def _laid(version: int, tile: str) -> Fact:
    return Fact(version, "tile_played", f"tile {tile}", tile, version % 2)


_FACTS = (
    Fact(1, "round_dealt"),
    Fact(1, "turn_started", seat=0),
    _laid(2, "6-6"),
    _laid(3, "6-5"),
    _laid(4, "5-1"),
)
_FORK = (*_FACTS[:3], _laid(3, "6-2"), _laid(4, "2-0"))


def _at(version: int, facts: tuple[Fact, ...] = _FACTS) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts if fact.version == version)


def _ack(version: int, facts: tuple[Fact, ...] | None = None, **changes: object) -> Acknowledgement:
    """Return the answer to the request that led to a version, a second after the one before."""
    told = _at(version) if facts is None else facts
    made = Acknowledgement(
        _GAME, f"r{version}", f"{version % 2} move", 0, version, version + 0.5, version, told
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def _final(**changes: object) -> Final:
    entries = ("deal", "0 move", "1 move", "0 move")
    return replace(Final(_GAME, 0, 4, _FACTS, entries), **changes)  # type: ignore[arg-type]


def _events(*versions: int, facts: tuple[Fact, ...] = _FACTS) -> Message:
    told = tuple(fact for fact in facts if fact.version in versions)
    return Message("events", versions[-1], 0.0, told)


def _reset(version: int, reason: str = "BEGINNING") -> Message:
    return Message("reset", version, 0.0, reason=reason)


def _history(*messages: Message) -> History:
    """Return a sound history of a game of four versions, and this stream of it."""
    history = History(finals=[_final(), _final(worker=1)])
    history.acknowledgements = [_ack(version) for version in (1, 2, 3, 4)]
    history.asked.update({(_GAME, "deal"): 1, (_GAME, "0 move"): 2, (_GAME, "1 move"): 1})
    if messages:
        history.streams.append(Stream(_GAME, "public", list(messages)))
    return history


def _found(history: History) -> dict[str, int]:
    return check(history).anomalies()


def test_checker_finds_nothing_in_a_sound_history() -> None:
    history = _history(_reset(0), _events(1), _events(2, 3), Message("heartbeat", 3, 0), _events(4))
    history.reads = [Read(_ack(2), 1, 2), Read(_ack(3), 1, 4, (*_at(3), *_at(4)))]
    history.sights = [Sight(_GAME, "seat 0", 4, "same", 5.0), Sight(_GAME, "seat 0", 4, "same", 6)]
    found = check(history)
    assert {} == found.anomalies(), found.details
    assert (4, 0, 0) == (found.acknowledged, found.below_promise, found.resets)


@pytest.mark.parametrize(
    "final",
    [_final(version=3, facts=_FACTS[:-1]), _final(facts=_FORK), _final(version=ABSENT, facts=())],
)
def test_checker_counts_an_acknowledged_write_as_lost_when_the_record_lacks_it(
    final: Final,
) -> None:
    history = _history()
    history.finals = [replace(final, entries=())]
    missing = len([ack for ack in history.acknowledgements if ack.facts[0] not in final.facts])
    assert {"lost": missing} == _found(history)


def test_checker_counts_no_write_as_false_when_one_below_the_promise_is_made_again_as_it_was() -> (
    None
):
    history = _history()
    again = {4: 8.0, 3: 7.0}
    history.acknowledgements += [
        _ack(version, request_id=f"again-{version}", sent_s=at, answered_s=at + 0.5)
        for version, at in again.items()
    ]
    history.windows = [(3.0, 5.0)]
    assert {} == _found(history)


def test_checker_counts_apart_what_was_acknowledged_below_the_promise_and_is_missing() -> None:
    history = _history()
    history.finals = [_final(facts=_FORK)]
    history.windows = [(4.0, 5.0)]
    found = check(history)
    assert ({"lost": 1}, 1) == (found.anomalies(), found.below_promise)


def test_checker_counts_an_acknowledgement_as_false_when_nothing_happened_by_it() -> None:
    history = _history()
    history.acknowledgements[2] = _ack(3, ())
    history.reads.append(Read(history.acknowledgements[2], 1, 2))
    assert {"false": 1} == _found(history)


def test_checker_counts_no_acknowledgement_as_false_when_what_was_asked_was_so_already() -> None:
    history = _history()
    history.acknowledgements.append(_ack(4, (), request_id="return", may_do_nothing=True))
    assert {} == _found(history)


def test_checker_counts_an_acknowledgement_as_false_when_no_read_ever_shows_it() -> None:
    history = _history()
    history.acknowledgements.append(unmade := _ack(5, (_laid(5, "1-0"),)))
    history.reads.append(Read(unmade, 1, 4))
    assert {"false": 1} == _found(history)


def test_checker_counts_an_acknowledgement_as_false_when_another_request_made_its_version() -> None:
    history = _history()
    history.acknowledgements.append(_ack(4, request_id="another", sent_s=4.1))
    assert {"false": 1} == _found(history)


def test_checker_counts_a_request_as_doubled_when_it_is_answered_with_two_versions() -> None:
    history = _history()
    history.acknowledgements.append(_ack(4, request_id="r3", sent_s=3))
    history.acknowledgements.pop(3)
    assert {"doubled": 1} == _found(history)


def test_checker_counts_a_move_as_doubled_when_the_record_has_it_more_often_than_asked() -> None:
    history = _history()
    history.asked[_GAME, "0 move"] = 1
    assert {"doubled": 1} == _found(history)


def test_checker_counts_no_move_as_doubled_when_others_have_played_for_the_seat() -> None:
    history = _history()
    changed = (*_FACTS, Fact(5, "seat_changed", "change: STOOD_IN", seat=0))
    history.finals = [_final(version=5, facts=changed)]
    history.asked[_GAME, "0 move"] = 0
    assert {} == _found(history)


@pytest.mark.parametrize("read", [Read(_ack(3), 1, 2), Read(_ack(3), 1, 3, _at(2))])
def test_checker_counts_a_read_as_stale_when_it_lacks_what_was_acknowledged_before(
    read: Read,
) -> None:
    history = _history()
    history.reads = [read]
    assert {"stale": 1} == _found(history)


def test_checker_counts_workers_that_disagree_at_the_end_as_stale() -> None:
    history = _history()
    history.finals[1] = _final(worker=1, version=3, facts=_FACTS[:-1])
    assert {"stale": 1} == _found(history)


def test_checker_counts_a_write_as_stale_when_it_comes_before_one_that_was_answered_earlier() -> (
    None
):
    history = _history()
    history.acknowledgements[1] = _ack(2, sent_s=9.0, answered_s=9.5)
    assert {"stale": 1} == _found(history)


@pytest.mark.parametrize(
    ("kind", "messages"),
    [
        ("gaps", (_reset(0), _events(1), _events(3), _events(4))),
        ("gaps", (_reset(0), _events(1, 2, 3))),
        ("gaps", (_reset(0), _events(1, 2), Message("heartbeat", 3, 0), _events(4))),
        ("gaps", (_reset(0), _events(1, facts=_FACTS[1:]), _events(2, 3, 4))),
        ("gaps", (_reset(0), _events(1), _reset(1), _events(2, 3, 4))),
        ("gaps", (_reset(0), _events(1, 2, 3, 4), Message("end", 4, 0, reason="DELETED"))),
        ("splices", (_reset(0), _events(1, 2, 3), _events(3, 4))),
        ("splices", (_reset(0), _events(1, 2), _events(3, facts=_FORK), _events(4))),
        ("splices", (_reset(0), _events(1, 2), _reset(2, "HISTORY_CHANGED"), _events(3, 4))),
        ("splices", (_reset(0), _events(1, 2, 3, 4), Message("heartbeat", 3, 0))),
        ("corrupt", (_reset(0), _events(1, 2), _reset(2, "HISTORY_GONE"), _events(3, 4))),
    ],
)
def test_checker_finds_what_is_wrong_with_a_stream(kind: str, messages: tuple[Message]) -> None:
    assert kind in _found(_history(*messages))


def test_checker_counts_a_tile_as_doubled_when_one_stream_tells_that_it_was_laid_twice() -> None:
    again = Message("events", 4, 0.0, (_laid(4, "6-6"),))
    assert "doubled" in _found(_history(_reset(0), _events(1, 2, 3), again))


def test_checker_accepts_a_fork_in_a_stream_when_a_reset_says_so_and_the_store_went_back() -> None:
    history = _history(
        *(_reset(0), _events(1, 2), _events(3, 4, facts=_FORK)),
        *(_reset(3, "HISTORY_CHANGED"), _events(4)),
    )
    history.returns = [3.0]
    found = check(history)
    assert ({}, 1) == (found.anomalies(), found.resets)


def test_checker_finds_a_splice_when_a_fork_comes_without_a_reset_though_the_store_went_back() -> (
    None
):
    history = _history(_reset(0), _events(1, 2), _events(3, facts=_FORK), _events(4))
    history.returns = [3.0]
    assert {"splices": 1} == _found(history)


def test_checker_finds_a_splice_when_events_follow_a_reset_of_another_history() -> None:
    history = _history(
        *(_reset(0), _events(1, 2), Message("reset", 3, 2.0, (), "HISTORY_CHANGED", "fork")),
        _events(4),
    )
    history.returns = [3.0]
    history.sights = [Sight(_GAME, "public", 3, "truth", 3.5)]
    assert {"splices": 1} == _found(history)


def test_checker_leaves_a_watcher_alone_whose_match_was_over_before_the_store_went_back() -> None:
    end = Message("end", 4, 9.0, reason="FINISHED")
    history = _history(_reset(0), _events(1, 2), _events(3, 4, facts=_FORK), end)
    history.returns = [1.0]
    assert {"splices": 1} == _found(history)
    history.returns = [10.0]
    assert {} == _found(history)


def test_checker_leaves_a_watcher_alone_whose_token_was_given_in_the_lost_history() -> None:
    history = _history(_reset(0), _events(1, 2), _events(3, 4, facts=_FORK))
    history.returns = [3.0]
    assert {"splices": 1} == _found(history)
    history.streams[0].left = True
    assert {} == _found(history)


def test_checker_demands_no_more_of_a_stream_that_its_viewer_had_to_leave() -> None:
    history = _history(_reset(0), _events(1, 2))
    history.streams[0].left = True
    assert {} == _found(history)


def test_checker_counts_a_game_as_corrupt_once_when_it_cannot_be_read() -> None:
    history = _history()
    history.finals = [_final(problem="HISTORY_GONE"), _final(worker=1, problem="INTERNAL")]
    history.damaged = [(_GAME, "INTERNAL")]
    assert {"corrupt": 1} == _found(history)


def test_checker_finds_a_splice_when_one_viewer_sees_two_tables_at_one_version() -> None:
    history = _history()
    history.sights = [Sight(_GAME, "seat 0", 3, "one", 3), Sight(_GAME, "seat 0", 3, "two", 4)]
    assert {"splices": 1} == _found(history)


def test_checker_counts_a_turn_as_ended_early_once_when_several_tell_of_it() -> None:
    history = _history()
    ended = Fact(4, "seat_changed", "change: SEAT_CHANGE_TIMED_OUT", seat=1)
    history.finals = [_final(facts=(*_FACTS, ended)), _final(worker=1, facts=(*_FACTS, ended))]
    history.acknowledgements[3] = _ack(4, (*_at(4), ended))
    assert {"early": 1} == _found(history)


def test_checker_takes_no_turn_for_early_where_all_had_left_at_an_end_that_was_lost() -> None:
    history = _history(_reset(0), _events(1, 2, 3, 4), Message("end", 4, 0.5, reason="FINISHED"))
    history.returns = [1.0]
    ended = Fact(5, "seat_changed", "change: SEAT_CHANGE_TIMED_OUT", seat=1)
    history.finals = [
        _final(version=5, facts=(*_FACTS, ended)),
        _final(version=5, facts=(*_FACTS, ended), worker=1),
    ]
    assert "early" not in _found(history)


def test_checker_takes_a_turn_that_ended_after_the_record_was_read_for_no_splice() -> None:
    late = Fact(5, "seat_changed", "change: SEAT_CHANGE_TIMED_OUT", seat=1)
    history = _history(_reset(0), _events(1, 2, 3, 4), Message("events", 5, 0.0, (late,)))
    assert {} == _found(history)


def test_checker_tells_how_long_a_watcher_heard_nothing_beyond_the_heartbeat() -> None:
    history = _history(_reset(0), _events(1, 2, 3, 4))
    history.streams[0].silence_s = 2.5
    found: Findings = check(history, heartbeat_s=1.0)
    assert 1.5 == found.silence_s
