"""Use case: make a game and the credentials for its seats."""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import dataclass, replace

from mextrain_engine import new_game
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.answers import CreatedAnswer, game_answer
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller, PlatformCaller
from mextrain_service.application.chain import first_link
from mextrain_service.application.chosen_rules import RulesChoice, chosen_rules
from mextrain_service.application.clocks import new_clock
from mextrain_service.application.committing import Committer
from mextrain_service.application.draft import Draft
from mextrain_service.application.fair_deal import secret_from_seed
from mextrain_service.application.history import change_between
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    PlatformId,
    SeatHolder,
    TablePolicy,
)
from mextrain_service.application.outages import Moment
from mextrain_service.application.ports import (
    Clock,
    GameExistsError,
    GameNotFoundError,
    GameStore,
    StoreError,
    StoreUnavailableError,
)
from mextrain_service.application.receipts import IdempotencyKey, find_receipt, mark_request
from mextrain_service.application.refused import (
    FIXED_SEED_DISABLED,
    REQUEST_ID_REUSED,
    UNAUTHENTICATED,
    Refused,
)
from mextrain_service.application.tokens import (
    TokenIssuer,
    invitations_of_new_game,
    tokens_of_new_game,
)

_GAME_ID_BYTES = 16
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class CreateGameCommand:
    """What is asked.

    Attributes:
        rules: which rules.
        seats: who sits where, 2 to 14, clockwise.
        policy: how the table is run; its ``fixed_seed`` is what the next attribute says.
        request_id: names the request, so that its repetition meets the same game; or empty.
        fixed_seed: a number to derive every deal from; None for deals that nobody can foretell.
    """

    rules: RulesChoice
    seats: tuple[SeatHolder, ...]
    policy: TablePolicy = TablePolicy()
    request_id: str = ""
    fixed_seed: int | None = None


@dataclass(frozen=True, slots=True)
class CreationSettings:
    """What the host decides about new games.

    Attributes:
        game_id_key: 32 secret bytes, the same on every worker, from which the id of a game with
            a request id is derived: whoever repeats the request meets the same game.
        fixed_seed_allowed: games may be made whose deals follow from a given number.
    """

    game_id_key: bytes
    fixed_seed_allowed: bool = False


class CreateGame:
    """Makes games; the first round is dealt later, unless the table deals by itself."""

    def __init__(
        self,
        store: GameStore,
        clock: Clock,
        issuer: TokenIssuer,
        settings: CreationSettings,
        bots: BotPlayer,
        committer: Committer,
    ) -> None:
        self._bots = bots
        self._committer = committer
        self._store = store
        self._clock = clock
        self._issuer = issuer
        self._settings = settings

    async def __call__(self, caller: Caller, command: CreateGameCommand) -> CreatedAnswer:
        """Make the game, once per request id.

        Raises:
            Refused: ``PERMISSION_DENIED`` or ``UNAUTHENTICATED``, the caller is no platform.
            Refused: ``PRESET_NOT_FOUND``, there is no such preset.
            RuleSetError: the rules cannot be played, or not by so many; with every reason.
            Refused: ``FIXED_SEED_DISABLED``, this host has no games with a fixed seed.
            Refused: ``REQUEST_ID_REUSED``, the request id was used for another request.
            StoreUnavailableError: the store does not answer; whether the game was made shows when
                the request is repeated.
        """
        require_allowed(caller, Action.CREATE_GAME)
        if not isinstance(caller, PlatformCaller):
            raise Refused(UNAUTHENTICATED)
        if command.fixed_seed is not None and not self._settings.fixed_seed_allowed:
            raise Refused(FIXED_SEED_DISABLED)
        mark = mark_request(
            caller, command.request_id, "create_game", command, expected_version=None
        )
        game, draft = self._new_game(caller.platform_id, command, mark)
        try:
            await self._committer.create(game, draft)
        except (GameExistsError, StoreUnavailableError) as error:
            game = await self._made_before(game.game_id, command, mark, error)
        return CreatedAnswer(
            game=game_answer(game, caller, self._clock.moment(game.game_id)),
            tokens=tokens_of_new_game(self._issuer, game),
            invitations=invitations_of_new_game(self._issuer, game),
        )

    def _new_game(
        self, platform_id: PlatformId, command: CreateGameCommand, mark: IdempotencyKey | None
    ) -> tuple[HostedGame, Draft]:
        """Return the game as it is to be stored, and the change that led to it from its begin."""
        now_ms = self._clock.now_ms()
        game_id = self._game_id(platform_id, command.request_id)
        begin = HostedGame(
            game_id=game_id,
            platform_id=platform_id,
            version=0,
            link=first_link(game_id, now_ms),
            stamp=b"",
            seats=command.seats,
            policy=replace(command.policy, fixed_seed=command.fixed_seed is not None),
            secret=self._secret(command.fixed_seed),
            state=new_game(chosen_rules(command.rules), len(command.seats)),
            receipts=(),
            creation=None,
            created_ms=now_ms,
            updated_ms=now_ms,
            clock=new_clock(command.policy, len(command.seats)),
        )
        draft = Draft(begin)
        play_on(draft, self._bots)
        game = draft.changed_game(Moment(now_ms))
        creation = None if mark is None else mark.receipt(before=0, after=game.version)
        return replace(game, creation=creation), draft

    def _game_id(self, platform_id: PlatformId, request_id: str) -> GameId:
        if request_id:
            label = f"{platform_id} {request_id}".encode()
            name = hmac.digest(self._settings.game_id_key, label, "sha256")[:_GAME_ID_BYTES]
        else:
            name = secrets.token_bytes(_GAME_ID_BYTES)
        return id_of_bytes(name)

    def _secret(self, fixed_seed: int | None) -> bytes:
        if fixed_seed is None:
            return secrets.token_bytes(_SECRET_BYTES)
        return secret_from_seed(fixed_seed)

    async def _made_before(
        self,
        game_id: GameId,
        command: CreateGameCommand,
        mark: IdempotencyKey | None,
        error: StoreError,
    ) -> HostedGame:
        """Return the game as this very request made it earlier, also if its answer was lost."""
        if mark is None:
            raise error
        try:
            settled = await self._store.settle(game_id)
        except (GameNotFoundError, StoreUnavailableError):
            raise error from None
        game, entries = settled.game, settled.entries
        receipt = find_receipt(game, mark)
        if receipt is None:
            raise Refused(REQUEST_ID_REUSED, request_id=mark.request_id)
        assert entries is not None, "a game is settled with its log"
        first = replace(game, seats=command.seats)
        draft = await change_between(first, entries, 0, receipt.after)
        return draft.changed_game(Moment(game.created_ms))


def id_of_bytes(name: bytes) -> GameId:
    """Return the ID of a game that 16 bytes name, 22 characters.

    It begins with a letter, so that no command takes it for an option: the first bit is left out.
    """
    readable = bytes((name[0] & 0x7F,)) + name[1:]
    return GameId(base64.urlsafe_b64encode(readable).rstrip(b"=").decode())
