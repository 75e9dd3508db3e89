"""Use case: deal the next round of a game."""

from __future__ import annotations

from mextrain_engine import Phase
from mextrain_service.application.access import Action
from mextrain_service.application.answers import DealAnswer, game_answer, redacted
from mextrain_service.application.autoplay import play_on
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller, SeatCaller
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import GameId, HostedGame, SeatKind
from mextrain_service.application.receipts import mark_request
from mextrain_service.application.refused import ROUND_IN_PROGRESS, SEAT_OPEN, Refused
from mextrain_service.application.seats import person_on
from mextrain_service.application.transactions import Change, Transactions


class DealRound:
    """Deals a round by the game's own secret, then plays on for bots."""

    def __init__(self, transactions: Transactions, bots: BotPlayer) -> None:
        self._transactions = transactions
        self._bots = bots

    async def __call__(
        self,
        caller: Caller,
        game_id: GameId,
        request_id: str = "",
        expected_version: int | None = None,
    ) -> DealAnswer:
        """Deal.

        Args:
            caller: who asks.
            game_id: the game.
            request_id: names the request, so that its repetition deals no second round; or empty.
            expected_version: the version that the caller saw; None deals whatever is next.

        Raises:
            Refused: ``SEAT_OPEN``, nobody sits on a seat yet.
            Refused: ``SEAT_RESIGNED``, the person left the seat that asks.
            Refused: ``ROUND_IN_PROGRESS``, a round is live.
            DealError: the match is over.
            Refused, GameNotFoundError, StoreUnavailableError: as ``Transactions`` says.
        """
        mark = mark_request(
            caller,
            request_id,
            "deal_round",
            game_id,
            expected_version,
            expected_version=expected_version,
        )
        changed = await self._transactions.carry_out(
            Change(
                caller=caller,
                action=Action.DEAL_ROUND,
                game_id=game_id,
                expected_version=expected_version,
                mark=mark,
                decide=lambda game: self._decide(caller, game),
            )
        )
        return DealAnswer(
            game=game_answer(changed.game, caller, changed.at),
            events=redacted(changed.events, caller),
        )

    def _decide(self, caller: Caller, game: HostedGame) -> Draft:
        if isinstance(caller, SeatCaller):
            person_on(game, caller.seat)
        for seat, holder in enumerate(game.seats):
            if holder.kind is SeatKind.OPEN:
                raise Refused(SEAT_OPEN, seat=seat)
        round_ = game.state.round
        if game.state.phase is Phase.PLAYING and round_ is not None:
            raise Refused(ROUND_IN_PROGRESS, round=round_.number)
        draft = Draft(game)
        draft.deal()
        play_on(draft, self._bots)
        return draft
