"""Walks over everything that is stored, says what is wrong, and mends what can be mended.

It may be run while games are played: each game is looked at as it is at one moment, and a repair
checks again.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from mextrain_engine import Phase
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.diagnosis import (
    DAMAGE,
    MENDABLE,
    TOLERATED,
    Fault,
    Finding,
    Remains,
    StoredGame,
    diagnose,
    remains_of,
)
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.key_scan import Index, every_key, index_of
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.listings import Listings
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import Header

_EXAMINE = Script("examine")
_REPAIR = Script("repair")

_GAME_KEY = re.compile(r"mt:\{([A-Za-z0-9_-]{1,64})\}:([sld])", re.ASCII)

MAX_FINDINGS = 1_000
"""Findings that a report lists; the rest is counted."""


@dataclass(slots=True)
class Report:
    """What a walk found.

    Attributes:
        nodes: servers that hold keys.
        keys: keys that were looked at, by what they are.
        live: games that are not over.
        over: games that are.
        findings: what is wrong, at most `MAX_FINDINGS`.
        counts: how often each fault was found.
        mended: how often each fault was repaired.
        damaged: what is left of each game that is damaged, at most `MAX_FINDINGS`.
    """

    nodes: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    live: int = 0
    over: int = 0
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[Fault] = field(default_factory=Counter)
    mended: Counter[Fault] = field(default_factory=Counter)
    damaged: list[Remains] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(
            count == self.mended[fault]
            for fault, count in self.counts.items()
            if fault not in TOLERATED
        )

    def add(self, finding: Finding) -> None:
        """Take a finding down."""
        self.counts[finding.fault] += 1
        self.mended[finding.fault] += finding.mended
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(finding)

    def add_damaged(self, remains: Remains) -> None:
        """Take down what is left of a damaged game."""
        if len(self.damaged) < MAX_FINDINGS:
            self.damaged.append(remains)


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """What a walk does beside looking.

    Attributes:
        mends: repairs what can be repaired without losing anything.
        replays: plays each log from the beginning and compares; some milliseconds a game.
        ttl_s: how long keys live from now that would live for ever.
        grace_s: how long to wait before an entry without a game is removed: longer than making
            a game can take, as its entries are written first.
    """

    mends: bool = False
    replays: bool = False
    ttl_s: int = 7 * 86_400
    grace_s: float = 35.0


@dataclass(frozen=True, slots=True)
class _Suspect:
    """An entry whose game was not there."""

    index: Index
    key: str
    member: bytes
    game_id: GameId


class Doctor:
    """Looks at everything once."""

    def __init__(self, client: RedisClient, treatment: Treatment) -> None:
        """Take the client, which stays the caller's to close."""
        self._client = client
        self._treatment = treatment
        self._listings = Listings(client, treatment.ttl_s)
        self._report = Report()
        self._suspects: list[_Suspect] = []

    async def examine(self) -> Report:
        """Walk over all keys of all nodes.

        Raises:
            RedisError, OSError: a node does not answer.
        """
        self._report = Report(nodes=len(await self._client.masters()))
        self._suspects = []
        async for keys in every_key(self._client):
            for key in keys:
                async for finding in self._examined(key):
                    self._report.add(finding)
        await self._judge_suspects()
        return self._report

    async def _judge_suspects(self) -> None:
        """Look again at entries without a game: one that is just being made is listed first."""
        if self._suspects and self._treatment.mends:
            await asyncio.sleep(self._treatment.grace_s)
        for suspect in self._suspects:
            if await self._is_there(suspect.game_id):
                continue
            mended = self._treatment.mends and await suspect.index.drop(
                self._client, suspect.key, suspect.member
            )
            detail = f"game {suspect.game_id} is no more"
            self._report.add(Finding(suspect.key, Fault.STALE_ENTRY, detail, mended=mended))

    async def _examined(self, key: str) -> AsyncIterator[Finding]:
        found = _GAME_KEY.fullmatch(key)
        index = index_of(key)
        if found is not None:
            self._report.keys[_GAME_KINDS[found[2]]] += 1
            async for finding in self._game_key(key, GameId(found[1]), found[2]):
                yield finding
        elif index is not None:
            self._report.keys[index.name] += 1
            async for finding in self._index(key, index):
                yield finding
        else:
            self._report.keys["unknown"] += 1
            yield Finding(key, Fault.NO_OWNER, "no release writes a key of this name")

    async def _game_key(self, key: str, game_id: GameId, kind: str) -> AsyncIterator[Finding]:
        match kind:
            case "s":
                for finding in await self._game(key, game_id):
                    yield finding
            case "l":
                if not await self._is_there(game_id):
                    fault, detail = Fault.LOG_WITHOUT_SNAPSHOT, "nobody can read it"
                    # A game that ended between two looks leaves nothing.
                    if await self._client.execute_command("EXISTS", key):
                        yield await self._finding(key, fault, detail, game_id)
            case _:
                async for finding in self._lives_for_ever(key):
                    yield finding

    async def _game(self, key: str, game_id: GameId) -> Sequence[Finding]:
        keys = game_keys(game_id)
        snapshot, ends_ms, log, log_ends_ms = await _EXAMINE.run(
            self._client, (keys.snapshot, keys.log)
        )
        stored = StoredGame(game_id, bytes(snapshot), int(ends_ms), bytes(log), int(log_ends_ms))
        if not stored.snapshot:
            return await self._no_string(key)
        diagnosis = diagnose(stored, replaying=self._treatment.replays)
        game = diagnosis.game
        if DAMAGE & {fault for fault, _ in diagnosis.faults}:
            self._report.add_damaged(remains_of(stored, game))
        found = [
            await self._finding(key, fault, detail, game_id) for fault, detail in diagnosis.faults
        ]
        if game is not None:
            over = game.state.phase is Phase.FINISHED
            self._report.over += over
            self._report.live += not over
            found += await self._unlisted(key, game)
        return found

    async def _unlisted(self, key: str, game: HostedGame) -> Sequence[Finding]:
        """Return the lists on which the game is missing, unless it has just changed."""
        missing = await self._listings.missing(game)
        if not missing or await self._version_of(key) != game.version:
            return []
        if self._treatment.mends:
            await self._listings.restore(game)
        return [
            Finding(key, fault, f"missing in {where}", mended=self._treatment.mends)
            for fault, where in missing
        ]

    async def _version_of(self, key: str) -> int | None:
        """Return at which version a game is now; None when it cannot be told."""
        record = await self._client.execute_command("GET", key)
        try:
            return Header.from_bytes(bytes(record or b"")).version
        except CorruptGameError:
            return None

    async def _no_string(self, key: str) -> Sequence[Finding]:
        kind = (await self._client.execute_command("TYPE", key)).decode()
        if kind == "none":  # it ended between two looks
            return []
        return [Finding(key, Fault.WRONG_KIND, f"{kind} instead of string")]

    async def _index(self, key: str, index: Index) -> AsyncIterator[Finding]:
        kind = (await self._client.execute_command("TYPE", key)).decode()
        if kind != index.kind:
            if kind != "none":
                yield Finding(key, Fault.WRONG_KIND, f"{kind} instead of {index.kind}")
            return
        async for finding in self._lives_for_ever(key):
            yield finding
        async for member, game_id in index.entries(self._client, key):
            if not await self._is_there(game_id):
                self._suspects.append(_Suspect(index, key, member, game_id))

    async def _is_there(self, game_id: GameId) -> bool:
        return bool(await self._client.execute_command("EXISTS", game_keys(game_id).snapshot))

    async def _lives_for_ever(self, key: str) -> AsyncIterator[Finding]:
        if await self._client.execute_command("PTTL", key) != -1:
            return
        finding = Finding(key, Fault.NO_TTL, "it would live for ever")
        if self._treatment.mends:
            await self._client.execute_command("PEXPIRE", key, 1_000 * self._treatment.ttl_s)
            finding = replace(finding, mended=True)
        yield finding

    async def _finding(self, key: str, fault: Fault, detail: str, game_id: GameId) -> Finding:
        """Return a finding of a game, mended if it can and may be."""
        mended = self._treatment.mends and fault in MENDABLE
        if mended:
            keys = game_keys(game_id)
            lives_ms = 1_000 * self._treatment.ttl_s
            await _REPAIR.run(self._client, (keys.snapshot, keys.log), (lives_ms,))
        return Finding(key, fault, detail, mended=mended)


_GAME_KINDS = {"s": "snapshots", "l": "logs", "d": "deletions"}
