"""The feed of each platform in Redis, and the outbox of promises: the application's `Feed`.

A feed is several streams, over which its games are spread by their ids, so that a Cluster has them
in several slots.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from mextrain_service.application.feeds import CursorMalformedError, FeedPage, OutboxEntry
from mextrain_service.application.model import GameId, PlatformId, SeatChange
from mextrain_service.application.news import GameNews, NewsKind
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.failures import ask
from mextrain_service.storage.keys import feed_key, outbox_key
from mextrain_service.storage.lua import Script

OUTBOX_PARTITIONS = 16
"""Sets that promises are spread over. The same on every worker."""

LEASE_MS = 5_000
"""How long whoever promises news has to tell it, before others do."""

_TELL = Script("feed_tell")
_READ = Script("feed_read")
_PROMISE = Script("promise")
_CLAIM = Script("deadline_claim")

_BEGINNING = "0-0"
_CURSOR = re.compile(r"\d{1,20}-\d{1,20}", re.ASCII)
_NONE = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedTerms:
    """How a feed is kept.

    Attributes:
        partitions: streams of one platform's feed; cursors of another number are void.
        kept_news: news that each of them keeps at least.
        kept_s: seconds until a stream is dropped to which nothing was added.
    """

    partitions: int = 8
    kept_news: int = 10_000
    kept_s: int = 7 * 86_400


class RedisFeed:
    """The `Feed` of the service; any number of workers may use the same one."""

    def __init__(self, client: RedisCommands, terms: FeedTerms | None = None) -> None:
        """Keep feeds through a client, which stays the caller's to close."""
        self._client = client
        self._terms = terms or FeedTerms()

    @property
    def partitions(self) -> int:
        """How many parts the promises are in; see `Feed`."""
        return OUTBOX_PARTITIONS

    async def promise(self, promise: OutboxEntry, now_ms: int) -> None:
        """Write down that there may be news; see `Feed`."""
        keys, ttl_ms = (_outbox_of(promise),), 1_000 * self._terms.kept_s
        arguments = (_encode_promise(promise), now_ms + LEASE_MS, ttl_ms)
        await ask(lambda: _PROMISE.run(self._client, keys, arguments))

    async def tell(self, promise: OutboxEntry, news: Sequence[GameNews]) -> None:
        """Add to the feed, then take the promise back; see `Feed`."""
        if news:
            partition = _hash(promise.game_id) % self._terms.partitions
            keys = (feed_key(promise.platform_id, partition),)
            limits = (self._terms.kept_news, 1_000 * self._terms.kept_s)
            arguments: tuple[str | int, ...] = (*limits, *map(_encode_news, news))
            await ask(lambda: _TELL.run(self._client, keys, arguments))
        outbox, member = _outbox_of(promise), _encode_promise(promise)
        await ask(lambda: self._client.execute_command("ZREM", outbox, member))

    async def overdue(self, partition: int, now_ms: int, most: int) -> Sequence[OutboxEntry]:
        """Return promises that nobody kept; see `Feed`."""
        keys, arguments = (outbox_key(partition),), (now_ms, most, now_ms + LEASE_MS)
        found = await ask(lambda: _CLAIM.run(self._client, keys, arguments))
        return [_decode_promise(bytes(member)) for member in found]

    async def read(
        self, platform_id: PlatformId, cursor: str, most: int, *, resumes: bool
    ) -> FeedPage:
        """Return what comes after a cursor; see `Feed`."""
        places = _decode_cursor(cursor) if cursor else ()
        moved = bool(places) and len(places) != self._terms.partitions
        if moved or not places:
            places = (_BEGINNING,) * self._terms.partitions
        each = max(1, most // self._terms.partitions)
        parts = await asyncio.gather(
            *(
                self._read_part(feed_key(platform_id, partition), place, each, resumes=resumes)
                for partition, place in enumerate(places)
            )
        )
        return FeedPage(
            news=tuple(chain.from_iterable(part.news for part in parts)),
            cursor=_encode_cursor([part.reached for part in parts]),
            gap=moved or any(part.gap for part in parts),
            begun_at=_encode_cursor([part.begun_at for part in parts]),
        )

    async def _read_part(self, key: str, place: str, most: int, *, resumes: bool) -> _Part:
        arguments = (place, most, int(resumes))
        gap, *rest = await ask(lambda: _READ.run(self._client, (key,), arguments))
        entries = list(_pairs(rest))
        begun_at = _BEGINNING if gap else place
        return _Part(
            news=[_decode_news(text) for _, text in entries],
            begun_at=begun_at,
            reached=entries[-1][0] if entries else begun_at,
            gap=bool(gap),
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """What was read of one stream: where from, how far, and whether something was lost before."""

    news: list[GameNews]
    begun_at: str
    reached: str
    gap: bool


def _pairs(answer: Sequence[Any]) -> Iterator[tuple[str, str]]:
    texts = [bytes(each).decode() for each in answer]
    yield from zip(texts[::2], texts[1::2], strict=True)


def _outbox_of(promise: OutboxEntry) -> str:
    return outbox_key(_hash(promise.game_id) % OUTBOX_PARTITIONS)


def _hash(game_id: GameId) -> int:
    return zlib.crc32(game_id.encode())


def _encode_promise(promise: OutboxEntry) -> str:
    return f"{promise.platform_id} {promise.game_id} {promise.before} {promise.after}"


def _decode_promise(member: bytes) -> OutboxEntry:
    platform_id, game_id, before, after = member.decode().split(" ")
    return OutboxEntry(PlatformId(platform_id), GameId(game_id), int(before), int(after))


def _encode_news(news: GameNews) -> str:
    """Return news as some 60 bytes of text: a stream has no use for more."""
    change = None if news.change is None else news.change.value
    details = (_NONE if each is None else str(each) for each in (news.round, news.seat, change))
    return " ".join((news.kind.value, news.game_id, str(news.version), str(news.time_ms), *details))


def _decode_news(text: str) -> GameNews:
    kind, game_id, version, time_ms, number, seat, change = text.split(" ")
    return GameNews(
        kind=NewsKind(kind),
        game_id=GameId(game_id),
        version=int(version),
        time_ms=int(time_ms),
        round=None if number == _NONE else int(number),
        seat=None if seat == _NONE else int(seat),
        change=None if change == _NONE else SeatChange(change),
    )


def _encode_cursor(places: Sequence[str]) -> str:
    return base64.urlsafe_b64encode(",".join(places).encode()).decode()


def _decode_cursor(cursor: str) -> tuple[str, ...]:
    """Return the places of a cursor, one for each stream.

    Raises:
        CursorMalformedError: it has none.
    """
    try:
        places = tuple(base64.b64decode(cursor, altchars=b"-_", validate=True).decode().split(","))
    except (ValueError, binascii.Error):
        raise CursorMalformedError from None
    if not all(_CURSOR.fullmatch(place) for place in places):
        raise CursorMalformedError
    return places
