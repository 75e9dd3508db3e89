"""Who may do what, in one table, and what exists for whom.

A game exists for the platform that owns it and for those who hold a token of it; for everyone
else it is not there, and the answer does not differ from that for a name nobody ever used.
"""

from __future__ import annotations

from typing import assert_never

from mextrain_engine.choice import Choice
from mextrain_service.application.callers import (
    Anonymous,
    Caller,
    InvitedCaller,
    OperatorCaller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
    SpectatorCaller,
)
from mextrain_service.application.model import DealBy, GameId, HostedGame, SeatKind
from mextrain_service.application.ports import GameNotFoundError
from mextrain_service.application.refused import (
    PERMISSION_DENIED,
    SEAT_NOT_YOURS,
    SPECTATORS_NOT_ALLOWED,
    UNAUTHENTICATED,
    Refused,
    TokenSupersededError,
)


class Action(Choice):
    """What can be asked; the value names it in a refusal."""

    CREATE_GAME = "CreateGame"
    LIST_GAMES = "ListGames"
    VIEW_GAME = "GetGame"
    VIEW_SCORE = "GetScore"
    DEAL_ROUND = "DealRound"
    CLAIM_SEAT = "ClaimSeat"
    RESIGN_SEAT = "ResignSeat"
    SUBSTITUTE_SEAT = "SubstituteSeat"
    ADD_ENTROPY = "AddEntropy"
    PLAY_MOVE = "PlayMove"
    LIST_LEGAL_MOVES = "ListLegalMoves"
    SUGGEST_MOVE = "SuggestMove"
    LIST_EVENTS = "ListEvents"
    EXPORT_GAME = "ExportGame"
    DELETE_GAME = "DeleteGame"
    WATCH_GAME = "WatchGame"
    WATCH_GAMES = "WatchGames"
    PLAY_GAMES = "PlayGames"
    READ_RULES = "ExplainRules"
    INSPECT_GAME = "InspectGame"


_ALLOWED: dict[Action, tuple[frozenset[type[Caller]], str]] = {
    Action.CREATE_GAME: (frozenset({PlatformCaller}), "a platform"),
    Action.LIST_GAMES: (
        frozenset({PlatformCaller, SeatCaller, PlayerCaller}),
        "a platform, a seat or a player",
    ),
    Action.VIEW_GAME: (
        frozenset({PlatformCaller, SeatCaller, SpectatorCaller, InvitedCaller}),
        "the platform, a seat, a spectator or someone invited to the game",
    ),
    Action.VIEW_SCORE: (
        frozenset({PlatformCaller, SeatCaller, SpectatorCaller}),
        "the platform, a seat or a spectator of the game",
    ),
    Action.DEAL_ROUND: (
        frozenset({PlatformCaller, SeatCaller}),
        "the platform, or a seat if the table says so",
    ),
    Action.CLAIM_SEAT: (
        frozenset({PlatformCaller, SeatCaller, InvitedCaller, PlayerCaller}),
        "the platform, one of its players, whoever is invited to the seat, or its holder",
    ),
    Action.RESIGN_SEAT: (frozenset({PlatformCaller, SeatCaller}), "the platform or the seat"),
    Action.SUBSTITUTE_SEAT: (frozenset({PlatformCaller, SeatCaller}), "the platform or the seat"),
    Action.ADD_ENTROPY: (frozenset({SeatCaller}), "a seat of the game"),
    Action.PLAY_MOVE: (frozenset({SeatCaller}), "a seat of the game"),
    Action.LIST_LEGAL_MOVES: (frozenset({SeatCaller}), "a seat of the game"),
    Action.SUGGEST_MOVE: (frozenset({SeatCaller}), "a seat of the game"),
    Action.LIST_EVENTS: (
        frozenset({PlatformCaller, SeatCaller, SpectatorCaller}),
        "the platform, a seat or a spectator of the game",
    ),
    Action.EXPORT_GAME: (
        frozenset({PlatformCaller, SeatCaller, SpectatorCaller}),
        "the platform, a seat or a spectator of the game",
    ),
    Action.DELETE_GAME: (frozenset({PlatformCaller}), "a platform"),
    Action.WATCH_GAME: (
        frozenset({PlatformCaller, SeatCaller, SpectatorCaller}),
        "the platform, a seat or a spectator of the game",
    ),
    Action.WATCH_GAMES: (frozenset({PlatformCaller}), "a platform"),
    Action.PLAY_GAMES: (frozenset({PlatformCaller}), "a platform"),
    Action.READ_RULES: (
        frozenset(
            {
                *(PlatformCaller, SeatCaller, SpectatorCaller, InvitedCaller),
                *(PlayerCaller, OperatorCaller, Anonymous),
            }
        ),
        "anyone",
    ),
    Action.INSPECT_GAME: (frozenset({OperatorCaller}), "an operator"),
}
"""For each action: the kinds of caller that may do it at all, and the same in words."""


def require_allowed(caller: Caller, action: Action) -> None:
    """Return if a caller of this kind may do this in some game; needs no game, so it comes first.

    Raises:
        Refused: ``UNAUTHENTICATED``, the caller proved nothing and would have to.
        Refused: ``PERMISSION_DENIED``, callers of this kind may not do this in any game.
    """
    kinds, needed = _ALLOWED[action]
    if type(caller) in kinds:
        return
    if isinstance(caller, Anonymous):
        raise Refused(UNAUTHENTICATED)
    raise Refused(PERMISSION_DENIED, action=action.value, needed=needed)


def require_names_own_game(caller: Caller, game_id: GameId) -> None:
    """Return unless the caller's token is for another game than the one that is asked for.

    Needs no game, so a token for one game learns nothing of another, not even by the time taken.

    Raises:
        GameNotFoundError: for this caller, there is no such game.
    """
    match caller:
        case (
            SeatCaller(game_id=own) | SpectatorCaller(game_id=own) | InvitedCaller(game_id=own)
        ) if own != game_id:
            raise GameNotFoundError(game_id)
        case _:
            return


def require_access(caller: Caller, action: Action, game: HostedGame) -> None:
    """Return if the caller may do this to this game; ``require_allowed`` was asked before.

    Raises:
        GameNotFoundError: for this caller, there is no such game.
        TokenSupersededError: the seat's token was replaced.
        Refused: ``SPECTATORS_NOT_ALLOWED``, the table has no spectators.
        Refused: ``PERMISSION_DENIED``, the table's policy reserves it for others.
    """
    match caller:
        case PlatformCaller(platform_id) | PlayerCaller(platform_id):
            if platform_id != game.platform_id:
                raise GameNotFoundError(game.game_id)
        case OperatorCaller():
            return
        case SeatCaller():
            _require_current_seat(caller, game)
            _require_left_to_seats(action, game)
        case SpectatorCaller(game_id):
            if game_id != game.game_id:
                raise GameNotFoundError(game.game_id)
            if not game.policy.spectators:
                raise Refused(SPECTATORS_NOT_ALLOWED)
        case InvitedCaller():
            _require_invitation(caller, action, game)
        case Anonymous():
            raise Refused(UNAUTHENTICATED)
        case _:
            assert_never(caller)


def may_view(caller: Caller, game: HostedGame) -> bool:
    """Tell whether the caller may look at the game: what GetGame would show, a refusal may too."""
    try:
        require_allowed(caller, Action.VIEW_GAME)
        require_access(caller, Action.VIEW_GAME, game)
    except (Refused, GameNotFoundError):
        return False
    return True


def require_own_seat(caller: Caller, seat: int) -> None:
    """Return unless the caller holds, or is invited to, another seat than the one it means.

    Raises:
        Refused: ``SEAT_NOT_YOURS``, it does.
    """
    match caller:
        case SeatCaller(seat=own) | InvitedCaller(seat=own) if own != seat:
            raise Refused(SEAT_NOT_YOURS, seat=seat, your_seat=own)
        case _:
            return


def was_latest_token(caller: Caller, game: HostedGame) -> bool:
    """Tell whether the caller's token is the one that the seat's present token replaced."""
    if not isinstance(caller, SeatCaller) or not 0 <= caller.seat < len(game.seats):
        return False
    return caller.generation + 1 == game.seats[caller.seat].token_generation


def _require_invitation(caller: InvitedCaller, action: Action, game: HostedGame) -> None:
    """Return as long as the seat is open; who comes too late to claim it is told so there."""
    if caller.game_id != game.game_id or not 0 <= caller.seat < len(game.seats):
        raise GameNotFoundError(game.game_id)
    taken = game.seats[caller.seat].kind is not SeatKind.OPEN
    if taken and action is not Action.CLAIM_SEAT:
        raise TokenSupersededError


def _require_left_to_seats(action: Action, game: HostedGame) -> None:
    if action is Action.DEAL_ROUND and game.policy.deal_by is not DealBy.SEATS:
        raise Refused(
            PERMISSION_DENIED, action=action.value, needed="the platform, by this table's policy"
        )


def _require_current_seat(caller: SeatCaller, game: HostedGame) -> None:
    if caller.game_id != game.game_id or not 0 <= caller.seat < len(game.seats):
        raise GameNotFoundError(game.game_id)
    holder = game.seats[caller.seat]
    if holder.kind is not SeatKind.PERSON or holder.token_generation != caller.generation:
        raise TokenSupersededError
