"""The settings of games, of those who watch them, and of how much is taken on."""

from __future__ import annotations

from pydantic import Field

from mextrain_service.settings.fields import Concern


class LimitSettings(Concern):
    """How much one caller may ask for."""

    max_request_bytes: int = Field(
        default=65_536, ge=1_024, le=4_194_304, description="Largest request message, in bytes."
    )
    max_concurrent_calls: int = Field(
        default=1_000,
        ge=1,
        le=100_000,
        description="Most concurrent calls of one worker; more fail with `OVERLOADED`.",
    )
    default_deadline_ms: int = Field(
        default=5_000,
        ge=10,
        le=600_000,
        description="Deadline of a call whose caller set none, in milliseconds.",
    )
    max_deadline_ms: int = Field(
        default=30_000,
        ge=10,
        le=600_000,
        description="Longest deadline that a caller can set, in milliseconds.",
    )
    platform_calls_per_s: float = Field(
        default=1_000,
        ge=0,
        le=1_000_000,
        description="Calls a second of one platform, with any of its keys; 0 for any number. This "
        "and the next ones count per worker: with n workers, calls that are spread over them may "
        "be n times as many.",
    )
    player_calls_per_s: float = Field(
        default=50,
        ge=0,
        le=1_000_000,
        description="Calls a second of one seat, or of one player with a token of their platform; "
        "0 for any number.",
    )
    spectator_calls_per_s: float = Field(
        default=200,
        ge=0,
        le=1_000_000,
        description="Calls a second of all spectators of one game; 0 for any number.",
    )
    anonymous_calls_per_s: float = Field(
        default=100,
        ge=0,
        le=1_000_000,
        description="Calls a second without a credential, or with one that is refused, from one "
        "address, which behind a proxy other than the own front is the proxy's; 0 for "
        "any number.",
    )
    burst_s: float = Field(
        default=3.0,
        ge=0,
        le=3_600,
        description="Burst: how many seconds of these rates may arrive at once.",
    )
    streams_per_player: int = Field(
        default=16,
        ge=0,
        le=1_000_000,
        description="Streams and channels that one seat has open at once on one worker; 0 for any "
        "number.",
    )
    streams_per_game: int = Field(
        default=2_000,
        ge=0,
        le=1_000_000,
        description="Streams that spectators of one game have open at once on one worker; 0 for "
        "any number.",
    )


class GameSettings(Concern):
    """How long games are kept, and what they may be."""

    live_ttl_s: int = Field(
        default=7 * 86_400,
        ge=60,
        le=366 * 86_400,
        description="How long a game that is not over is kept after its last change, in seconds.",
    )
    finished_ttl_s: int = Field(
        default=86_400,
        ge=60,
        le=366 * 86_400,
        description="How long a game that is over is kept, in seconds.",
    )
    remembered: int = Field(
        default=2_048,
        ge=0,
        le=1_000_000,
        description="Games that one worker remembers decoded, about 10 KB each, to save a read "
        "per move.",
    )
    sweep_ms: int = Field(
        default=500,
        ge=50,
        le=60_000,
        description="How often a worker scans for turns that ran out of time, in milliseconds: the "
        "longest delay of a timeout; shorter with several workers.",
    )
    allow_fixed_seed: bool = Field(
        default=False,
        description="Accept games whose deals follow from a seed that the platform gives: for "
        "tests and demonstrations, never for play that matters.",
    )


class WatchSettings(Concern):
    """Streams: who watches a game, and the feed of a platform's games."""

    heartbeat_s: float = Field(
        default=15.0,
        ge=0.01,
        le=3_600,
        description="How long a stream is silent at most, in seconds, unless its watcher asks for "
        "another interval.",
    )
    min_heartbeat_s: float = Field(
        default=1.0,
        ge=0.01,
        le=3_600,
        description="Shortest interval that a watcher may ask for, in seconds.",
    )
    max_heartbeat_s: float = Field(
        default=300.0,
        ge=0.01,
        le=3_600,
        description="Longest interval that a watcher may ask for, in seconds. Proxies must let a "
        "stream be silent for longer.",
    )
    reread_ms: int = Field(
        default=3_000,
        ge=50,
        le=60_000,
        description="How often a watched game is read without a notification, in milliseconds: the "
        "longest delay if a notification is lost.",
    )
    backlog: int = Field(
        default=512,
        ge=16,
        le=65_536,
        description="Versions of a watched game that one worker keeps for watchers who are behind; "
        "a watcher further behind is dropped and resumes.",
    )
    send_timeout_ms: int = Field(
        default=10_000,
        ge=10,
        le=600_000,
        description="How long a watcher may take to make room for one message, in milliseconds; "
        "a slower one is dropped and resumes.",
    )
    feed_partitions: int = Field(
        default=8,
        ge=1,
        le=64,
        description="Redis streams of the feed of one platform. A change invalidates the cursors "
        "of all feeds; their watchers get a reset.",
    )
    feed_news: int = Field(
        default=10_000,
        ge=100,
        le=10_000_000,
        description="News that each of these streams keeps at least, the latest ones; some 100 "
        "bytes each.",
    )
    max_streams: int = Field(
        default=5_000, ge=1, le=1_000_000, description="Streams that one worker carries at once."
    )
