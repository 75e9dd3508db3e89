"""Who may call what: the expectation that the tests hold the service to, and the documentation.

Every method × every kind of caller × the own game and another × the own seat and another. It is
written by hand; `docs/access.md` is made of it.
"""

from __future__ import annotations

from typing import Final

OK: Final = "OK"
DENIED: Final = "PERMISSION_DENIED"
ABSENT: Final = "GAME_NOT_FOUND"
UNKNOWN: Final = "UNAUTHENTICATED"
OTHERS: Final = "SEAT_NOT_YOURS"
TAKEN: Final = "SEAT_TAKEN"
DEAD: Final = "TOKEN_SUPERSEDED"
UNSEEN: Final = "SPECTATORS_NOT_ALLOWED"

CALLERS: Final[dict[str, str]] = {
    "platform": "the platform that made the game",
    "other_platform": "another platform",
    "operator": "an operator",
    "own_seat": "a seat of the game, for itself",
    "another_seat": "a seat of the game, for another seat",
    "old_token": "a seat whose token was replaced",
    "other_game": "a seat of another game",
    "player": "a player of the platform with a seat, for that seat",
    "player_another_seat": "a player of the platform with a seat, for another seat",
    "player_no_seat": "a player of the platform without a seat",
    "other_player": "a player of another platform, of the same name as one with a seat",
    "invited": "somebody invited to an open seat, for it",
    "invited_another_seat": "somebody invited to an open seat, for another seat",
    "invited_other_game": "somebody invited to another game",
    "spectator": "a spectator",
    "spectator_unwanted": "a spectator where the table has none",
    "spectator_other_game": "a spectator of another game",
    "nobody": "somebody without a credential",
}
"""Every kind of caller, and what it does. Whether a seat is meant, the method says."""


def _row(
    platform: tuple[str, str],
    operator: str,
    seats: tuple[str, str, str, str],
    players: tuple[str, str, str, str],
    invited: tuple[str, str, str],
    spectators: tuple[str, str, str],
    nobody: str,
) -> dict[str, str]:
    cells = (*platform, operator, *seats, *players, *invited, *spectators, nobody)
    return dict(zip(CALLERS, cells, strict=True))


_ANYONE = dict.fromkeys(CALLERS, OK)
_NONE_OF_THREE = (DENIED,) * 3
_NONE_OF_FOUR = (DENIED,) * 4

_PLATFORM_ONLY = _row(
    (OK, OK), DENIED, _NONE_OF_FOUR, _NONE_OF_FOUR, _NONE_OF_THREE, _NONE_OF_THREE, UNKNOWN
)
_READ = _row(
    (OK, ABSENT),
    DENIED,
    (OK, OK, DEAD, ABSENT),
    (OK, OK, ABSENT, ABSENT),
    _NONE_OF_THREE,
    (OK, UNSEEN, ABSENT),
    UNKNOWN,
)
_SEAT_ONLY = _row(
    (DENIED, DENIED),
    DENIED,
    (OK, OK, DEAD, ABSENT),
    (OK, OK, ABSENT, ABSENT),
    _NONE_OF_THREE,
    _NONE_OF_THREE,
    UNKNOWN,
)
_OWN_SEAT_ONLY = {**_SEAT_ONLY, "another_seat": OTHERS, "player_another_seat": OTHERS}
_SEAT_OR_PLATFORM = {**_OWN_SEAT_ONLY, "platform": OK, "other_platform": ABSENT}

MATRIX: Final[dict[str, dict[str, str]]] = {
    "CreateGame": _PLATFORM_ONLY,
    "ListGames": _row(
        (OK, OK),
        DENIED,
        (OK, OK, DEAD, OK),
        (OK, OK, OK, OK),
        _NONE_OF_THREE,
        _NONE_OF_THREE,
        UNKNOWN,
    ),
    "GetGame": {**_READ, "invited": OK, "invited_another_seat": OK, "invited_other_game": ABSENT},
    "ClaimSeat": _row(
        (OK, ABSENT),
        DENIED,
        (OK, OTHERS, DEAD, ABSENT),
        (OK, TAKEN, TAKEN, ABSENT),
        (OK, OTHERS, ABSENT),
        _NONE_OF_THREE,
        UNKNOWN,
    ),
    "ResignSeat": _SEAT_OR_PLATFORM,
    "SubstituteSeat": _SEAT_OR_PLATFORM,
    "AddEntropy": _OWN_SEAT_ONLY,
    "DealRound": _row(
        (OK, ABSENT),
        DENIED,
        (DENIED, DENIED, DEAD, ABSENT),
        (DENIED, DENIED, ABSENT, ABSENT),
        _NONE_OF_THREE,
        _NONE_OF_THREE,
        UNKNOWN,
    ),
    "PlayMove": _OWN_SEAT_ONLY,
    "ListLegalMoves": _SEAT_ONLY,
    "SuggestMove": _SEAT_ONLY,
    "GetScore": _READ,
    "WatchGame": _READ,
    "WatchGames": _PLATFORM_ONLY,
    "PlayGames": _PLATFORM_ONLY,
    "ListEvents": _READ,
    "ExportGame": _READ,
    "DeleteGame": {
        **_PLATFORM_ONLY,
        "other_platform": ABSENT,
        "player_no_seat": ABSENT,
        "other_player": ABSENT,
    },
    "ListPresets": _ANYONE,
    "ExplainRules": _ANYONE,
    "InspectGame": _row(
        (DENIED, DENIED),
        OK,
        _NONE_OF_FOUR,
        (DENIED, DENIED, ABSENT, ABSENT),
        _NONE_OF_THREE,
        _NONE_OF_THREE,
        UNKNOWN,
    ),
}
"""What each method answers each caller; ``OK`` also when only the rules refuse it."""
