"""The client: one method for each call of the contract."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1 import move_pb2

from mextrain_engine import Move, format_move
from mextrain_service.client import from_proto, table_answers
from mextrain_service.client.answers import (
    Changed,
    Claimed,
    Contributed,
    Created,
    Game,
    Substituted,
)
from mextrain_service.client.channels import Ask, Heard, play_games
from mextrain_service.client.holders import (
    Bot,
    Holder,
    Person,
    Returning,
    Substitute,
    write_bot,
    write_person,
    write_seat,
)
from mextrain_service.client.policies import Policy, write_policy
from mextrain_service.client.reading import ReadingClient
from mextrain_service.client.rules_proto import OptionValue, write_rules


class MextrainClient(ReadingClient):
    """Calls the service as one caller: a platform, a seat, an invitation or a spectator.

    A write is repeated when the connection breaks, the store is away or the service is busy; it is
    never carried out twice. It goes under a request id of its own, unless it is given one
    (``request_id``, 1 to 64 characters) to be repeated under later, by another process too.

    Where a write takes ``expected_version``, that is the version of the game that the caller saw:
    at another one the call fails with ``STALE_VERSION``. None means whatever version there is.
    Seats are 0-based, clockwise.

    Every method raises ``MextrainError`` for what the contract says of its call, and when nothing
    answers. Safe to use from several threads.
    """

    def create_game(
        self,
        seats: Sequence[Holder],
        *,
        preset: str = "",
        overrides: Mapping[str, OptionValue] | None = None,
        policy: Policy | None = None,
        fixed_seed: int | None = None,
        request_id: str = "",
    ) -> Created:
        """Create a game; for a platform.

        Args:
            seats: who sits where, clockwise, 2 to 14; an ``OpenSeat`` gets an invitation.
            preset: the rules to start from; empty for the default.
            overrides: options that differ, by name.
            policy: how the table is run; None for the defaults of ``Policy``.
            fixed_seed: derives all deals, where the service allows it; None for fair deals.

        Raises:
            MextrainError: ``RULE_SET_INVALID`` or ``PRESET_NOT_FOUND``, among others.
            ValueError: an option of ``overrides`` does not exist or has no such value, or a word
                of ``policy`` or a seat's level does not exist.
        """
        request = pb.CreateGameRequest(
            preset=preset,
            overrides=write_rules(overrides or {}),
            seats=[write_seat(holder) for holder in seats],
            policy=write_policy(policy or Policy()),
            request_id=request_id or _new_request_id(),
            fixed_seed=fixed_seed,
        )
        return table_answers.read_created(self._connection.call(self._stub.CreateGame, request))

    def claim_seat(
        self,
        game_id: str,
        seat: int,
        *,
        player_id: str = "",
        display_name: str = "",
        expected_version: int | None = None,
        request_id: str = "",
    ) -> Claimed:
        """Take an open seat, or replace the token of a person's seat.

        Who bears an invitation takes the seat that it is for. A platform takes an open seat for a
        player whom it names, or gets a new token for a seat when it names none. The holder of a
        seat replaces its own token, and plays again if a bot stood in. The token before is no
        longer good.

        Args:
            player_id: for whom a platform takes the seat; empty from everyone else.
            display_name: what the others are shown of whoever takes an open seat, up to 64
                characters.
            request_id: with fewer than 16 characters the repetition of a holder's own rotation is
                refused.

        Raises:
            MextrainError: ``SEAT_TAKEN`` when somebody was faster, ``PLAYER_SEATED`` when the
                player has another seat, ``SEAT_NOT_YOURS``, ``SEAT_NOT_HELD`` or
                ``SEAT_RESIGNED``, among others.
        """
        request = pb.ClaimSeatRequest(
            game_id=game_id,
            seat=seat,
            player_id=player_id,
            display_name=display_name,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        return table_answers.read_claimed(self._connection.call(self._stub.ClaimSeat, request))

    def resign_seat(
        self,
        game_id: str,
        seat: int,
        *,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> tuple[Game, Changed]:
        """Leave a seat for good; return the game after it and what happened.

        For the platform and the seat. The seat is played on as the policy says.

        Raises:
            MextrainError: ``SEAT_NOT_YOURS``, ``SEAT_NOT_HELD``, ``SEAT_RESIGNED`` or
                ``GAME_FINISHED``, among others.
        """
        request = pb.ResignSeatRequest(
            game_id=game_id,
            seat=seat,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        return table_answers.read_game_after(self._connection.call(self._stub.ResignSeat, request))

    def substitute_seat(
        self,
        game_id: str,
        seat: int,
        substitute: Substitute,
        *,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> Substituted:
        """Hand a seat to a bot or to another person, and back.

        Args:
            substitute: a ``Bot`` that stands in for a person, takes over a bot's seat or fills an
                open one; a ``Person`` who gets the seat for good, for platforms only; or
                ``Returning`` for whoever holds the seat.

        Raises:
            MextrainError: ``PERMISSION_DENIED``, ``SEAT_NOT_YOURS``, ``SEAT_NOT_HELD``,
                ``SEAT_RESIGNED``, ``PLAYER_SEATED`` or ``GAME_FINISHED``, among others.
            ValueError: there is no such level of a bot.
        """
        request = pb.SubstituteSeatRequest(
            game_id=game_id,
            seat=seat,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        match substitute:
            case Bot():
                request.bot.CopyFrom(write_bot(substitute))
            case Person():
                request.person.CopyFrom(write_person(substitute))
            case Returning():
                request.holder = True
        return table_answers.read_substituted(
            self._connection.call(self._stub.SubstituteSeat, request)
        )

    def add_entropy(
        self,
        game_id: str,
        seat: int,
        entropy: bytes,
        *,
        round_number: int = 0,
        request_id: str = "",
        expected_version: int | None = None,
    ) -> Contributed:
        """Add to the chance of the next deal, so that the service alone cannot choose it.

        For a seat, once for each deal, from when the round's commitment is shown until the deal.

        Args:
            seat: the caller's.
            entropy: 1 to 32 bytes that nobody can guess.
            round_number: the round that it is for, 1-based; 0 for whichever is next.

        Raises:
            MextrainError: ``ROUND_NOT_NEXT``, ``ENTROPY_ADDED``, ``SEAT_NOT_YOURS`` or
                ``SEAT_RESIGNED``, among others.
        """
        request = pb.AddEntropyRequest(
            game_id=game_id,
            seat=seat,
            entropy=entropy,
            round=round_number,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        return table_answers.read_contributed(self._connection.call(self._stub.AddEntropy, request))

    def deal_round(
        self, game_id: str, *, expected_version: int | None = None, request_id: str = ""
    ) -> tuple[Game, Changed]:
        """Deal the next round; return the game after it and what happened.

        For the platform, and for the seats where the policy says so.

        Raises:
            MextrainError: ``ROUND_IN_PROGRESS``, ``SEAT_OPEN`` or ``GAME_FINISHED``, among others.
        """
        request = pb.DealRoundRequest(
            game_id=game_id,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        return table_answers.read_game_after(self._connection.call(self._stub.DealRound, request))

    def play(
        self,
        game_id: str,
        moves: Sequence[Move],
        expected_version: int | None = None,
        *,
        seat: int | None = None,
        request_id: str = "",
    ) -> Changed:
        """Make moves of the caller's seat, all or none.

        Args:
            game_id: the game.
            moves: 1 to 64, in order.
            expected_version: the version that they were chosen at; None for whatever there is.
            seat: the seat that the caller means, 0-based, for one that holds several tokens; None
                for no such check.

        Raises:
            MextrainError: ``STALE_VERSION``, ``SEAT_NOT_YOURS``, or the reason for which the rules
                refuse a move.
        """
        request = pb.PlayMoveRequest(
            game_id=game_id,
            moves=[move_pb2.Move(notation=format_move(move)) for move in moves],
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
            seat=seat,
        )
        return from_proto.read_changed(self._connection.call(self._stub.PlayMove, request))

    def delete_game(
        self, game_id: str, *, expected_version: int | None = None, request_id: str = ""
    ) -> int:
        """Remove a game for good, and return the last version that it had; for its platform.

        Raises:
            MextrainError: ``GAME_NOT_FOUND`` or ``STALE_VERSION``, among others.
        """
        request = pb.DeleteGameRequest(
            game_id=game_id,
            request_id=request_id or _new_request_id(),
            expected_version=expected_version,
        )
        return self._connection.call(self._stub.DeleteGame, request).version

    def play_games(self, requests: Iterable[Sequence[Ask]]) -> Iterator[Heard]:
        """Act for many seats on one stream; yield what is heard on their channels.

        For a platform that has the tokens of the seats. Not opened again when it breaks: open the
        channels anew after the versions that were heard, and ask what was not answered again under
        the same ``request_id``.

        Args:
            requests: what to ask, each sequence of 1 to 1,000 as one message. They are taken as
                they come, on another thread; the stream ends when they do and all is answered.

        Raises:
            MextrainError: the stream failed.
        """
        return play_games(self._connection.stream(self._stub.PlayGames), requests)


def _new_request_id() -> str:
    return str(uuid.uuid4())
