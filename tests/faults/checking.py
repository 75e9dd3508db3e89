"""Holds what clients saw to one linear history of each game, and counts what does not fit.

Pure: takes a history, returns findings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import groupby

from tests.faults.findings import Findings
from tests.faults.history import ABSENT, Acknowledgement, Fact, Facts, Final, History
from tests.faults.stream_check import LOOKS_AGAIN_S, check_stream


def check(history: History, *, heartbeat_s: float = 0.0) -> Findings:
    """Return what is wrong with a history.

    Args:
        history: of a run that is over.
        heartbeat_s: how long a stream may be silent though all is well, in seconds.
    """
    found = Findings(acknowledged=len(_first_answers(history)), errors=Counter(history.errors))
    truths = _truths(history.finals, found)
    for game, problem in history.damaged:
        found.add_corrupt(game, problem)
    unconfirmed = _check_reads(history, truths, found)
    for ack in _first_answers(history):
        _check_acknowledgement(ack, truths, history, unconfirmed, found)
    _check_repetitions(history, found)
    _check_claims(history, truths, found)
    _check_order(history, truths, found)
    _check_entries(history, truths, found)
    _check_sights(history, found)
    _check_clocks(history, found)
    for stream in history.streams:
        if stream.game in truths:
            check_stream(stream, truths[stream.game], history, found)
    quiet = max((stream.silence_s for stream in history.streams), default=0.0)
    found.silence_s = max(0.0, quiet - heartbeat_s)
    found.resumed_s = max(history.resumed_s, default=0.0)
    return found


def by_version(facts: Iterable[Fact]) -> dict[int, Facts]:
    """Return what happened at each version."""
    return {version: tuple(group) for version, group in groupby(facts, lambda each: each.version)}


def _first_answers(history: History) -> list[Acknowledgement]:
    """Return each acknowledged request with its first answer."""
    answers: dict[tuple[str, str], Acknowledgement] = {}
    for ack in history.acknowledgements:
        answers.setdefault((ack.game, ack.request_id), ack)
    return list(answers.values())


def _truths(finals: list[Final], found: Findings) -> dict[str, Final]:
    """Return the final record of each game, on which all workers must agree."""
    truths: dict[str, Final] = {}
    for final in finals:
        if final.problem:
            found.add_corrupt(final.game, f"{final.problem} at worker {final.worker}")
            continue
        truth = truths.setdefault(final.game, final)
        if (truth.version, truth.facts) != (final.version, final.facts):
            found.add(
                "stale",
                f"game {final.game} ends at version {truth.version} at worker {truth.worker}, "
                f"otherwise at {final.version} at worker {final.worker}",
            )
    return truths


def _is_kept(ack: Acknowledgement, truth: Final) -> bool:
    """Whether all that was acknowledged is in the final record as it was acknowledged."""
    final = by_version(truth.facts)
    return ack.version <= truth.version and all(
        final.get(version) == facts for version, facts in by_version(ack.facts).items()
    )


def _did_nothing(ack: Acknowledgement) -> bool:
    """Whether nothing happened by the answer itself, though something was asked of the game."""
    return not ack.facts and not ack.may_do_nothing


def _is_below_promise(ack: Acknowledgement, history: History) -> bool:
    return any(begin <= ack.answered_s <= end for begin, end in history.windows)


def _check_reads(history: History, truths: dict[str, Final], found: Findings) -> set[int]:
    """Count stale reads; return which acknowledgements a read right after did not confirm."""
    unconfirmed: set[int] = set()
    for read in history.reads:
        ack = read.after
        shown = by_version(read.facts) if read.facts is not None else None
        lacks = read.version < ack.version or (
            shown is not None
            and any(shown.get(at) != facts for at, facts in by_version(ack.facts).items())
        )
        if not lacks or _did_nothing(ack) or _is_below_promise(ack, history):
            continue
        if ack.game in truths and not _is_kept(ack, truths[ack.game]):
            unconfirmed.add(id(ack))
            continue
        found.add(
            "stale",
            f"game {ack.game}: worker {read.worker} is at {read.version} after {_words(ack)}",
        )
    return unconfirmed


def _check_acknowledgement(
    ack: Acknowledgement,
    truths: dict[str, Final],
    history: History,
    unconfirmed: set[int],
    found: Findings,
) -> None:
    truth = truths.get(ack.game)
    if _did_nothing(ack):
        found.add("false", f"nothing happened by {_words(ack)}")
    elif truth is None or _is_kept(ack, truth):
        return  # a game that cannot be read is counted as corrupt
    elif _is_below_promise(ack, history):
        found.below_promise += 1
    elif id(ack) in unconfirmed:
        found.add("false", f"a read right after lacks {_words(ack)}")
    else:
        since = [f", {ack.answered_s - end:.2f} s after a loss" for _, end in history.windows[-1:]]
        found.add("lost", _words(ack) + "".join(since))


def _check_repetitions(history: History, found: Findings) -> None:
    """Hold all answers to one request to be the same."""
    first: dict[tuple[str, str], Acknowledgement] = {}
    for ack in history.acknowledgements:
        before = first.setdefault((ack.game, ack.request_id), ack)
        if before.facts and ack.facts and before.facts != ack.facts:
            if _is_below_promise(before, history):
                continue  # it was lost, and is made again
            found.add("doubled", f"{_words(before)}, otherwise {_words(ack)}")


def _check_claims(history: History, truths: dict[str, Final], found: Findings) -> None:
    """Hold each version to be the answer to one request only."""
    owners: dict[tuple[str, int], Acknowledgement] = {}
    for ack in _first_answers(history):
        truth = truths.get(ack.game)
        if truth is None or not _is_kept(ack, truth):
            continue
        for version in by_version(ack.facts):
            owner = owners.setdefault((ack.game, version), ack)
            if owner is not ack and _is_below_promise(owner, history):
                owners[ack.game, version] = ack  # the same was done again after it was lost
            elif owner is not ack:
                found.add("false", f"version {version} answers {_words(owner)} and {_words(ack)}")


def _check_order(history: History, truths: dict[str, Final], found: Findings) -> None:
    """Hold writes to the order in which they were made: none comes before one answered earlier."""
    games: dict[str, list[Acknowledgement]] = defaultdict(list)
    for ack in _first_answers(history):
        if ack.facts and ack.game in truths and _is_kept(ack, truths[ack.game]):
            games[ack.game].append(ack)
    for acks in games.values():
        promised = [ack for ack in acks if not _is_below_promise(ack, history)]
        answered = sorted(promised, key=lambda ack: ack.answered_s)
        at, latest = 0, ABSENT
        for ack in sorted(acks, key=lambda ack: ack.sent_s):
            while at < len(answered) and answered[at].answered_s < ack.sent_s:
                latest = max(latest, answered[at].version)
                at += 1
            if ack.facts[-1].version <= latest:
                found.add("stale", f"version {latest} was acknowledged before {_words(ack)}")


def _check_entries(history: History, truths: dict[str, Final], found: Findings) -> None:
    """Hold the record to have nothing more often than it was asked for."""
    for truth in truths.values():
        others = {str(fact.seat) for fact in truth.facts if fact.kind == "seat_changed"}
        for entry, count in Counter(truth.entries).items():
            asked = history.asked[truth.game, entry]
            if entry.split(" ")[0] not in others and count > asked:
                found.add("doubled", f"game {truth.game}: {entry!r} {count} times for {asked}")


def _check_sights(history: History, found: Findings) -> None:
    """Hold a viewer to be shown one table at one version, after the store went back last."""
    since = max(history.returns, default=0.0)
    shown: dict[tuple[str, str, int], str] = {}
    for sight in history.sights:
        key = (sight.game, sight.viewer, sight.version)
        if sight.seen_s > since and shown.setdefault(key, sight.digest) != sight.digest:
            found.add("splices", f"game {sight.game}: {sight.viewer} saw two {sight.version}")


def _check_clocks(history: History, found: Findings) -> None:
    """Count turns that were ended for their time: none lasts as long while somebody plays.

    Nobody plays on who was told the end of a match in a history that the store lost.
    """
    back_s = max(history.returns, default=0.0)
    left = {
        stream.game
        for stream in history.streams
        if any(
            each.kind == "end" and each.heard_s < back_s + LOOKS_AGAIN_S for each in stream.messages
        )
    }
    told = [(final.game, final.facts) for final in history.finals]
    told += [(ack.game, ack.facts) for ack in history.acknowledgements]
    facts = {
        (game, fact)
        for game, facts in told
        for fact in facts
        if game not in left and fact.kind == "seat_changed" and "TIMED_OUT" in fact.text
    }
    for game, fact in sorted(facts):
        found.add("early", f"game {game}: seat {fact.seat} at version {fact.version}")


def _words(ack: Acknowledgement) -> str:
    return (
        f"{ack.asked!r} of game {ack.game}, version {ack.version} by worker {ack.worker} "
        f"under {ack.request_id}"
    )
