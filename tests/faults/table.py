"""One table: its seats play random legal moves, change hands and are watched; all is taken down."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_pb2, move_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.rule_options_pb2 import ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import RuleSet

from mextrain_client import format_move
from mextrain_engine import PRESETS
from tests.faults.asking import Answered, Asker, GaveUpError, RefusedError
from tests.faults.history import ABSENT, Acknowledgement, History, Read, Sight, Stream
from tests.faults.reading import digest_of, read_facts
from tests.faults.watching import Watcher

TURN_S: Final = 30
"""What a turn may last: longer than any fault, so that none may ever be ended for its time."""

_READ_AFTER: Final = 0.3
_WITHOUT_VERSION: Final = 0.4
_SEAT_CHANGES: Final = 0.04
_MAY_DO_NOTHING: Final = frozenset({"create", "stand in", "return"})
"""Nothing has happened yet in a game that is made; the others may be so already."""

_VAIN_TRIES: Final = 25
_DAMAGED: Final = frozenset({"INTERNAL", "HISTORY_GONE"})
_SUPERSEDED: Final = frozenset({"TOKEN_SUPERSEDED", "TOKEN_INVALID", "PERMISSION_DENIED"})


@dataclass(slots=True)
class Desk:
    """What all tables of a run have in common.

    Attributes:
        asker: calls the workers.
        history: takes down what is seen.
        platform_key: of the platform that makes the games.
        is_over: whether tables stop where they stand.
        think_s: the mean time from one step of a table to the next, in seconds.
        tables: all that were made.
    """

    asker: Asker
    history: History
    platform_key: str
    is_over: Callable[[], bool]
    think_s: float
    tables: list[Table] = field(default_factory=list)


class Table:
    """A game and those who take part in it.

    Attributes:
        game_id: its name; empty before it is made.
        watchers: those who watch it.
    """

    def __init__(self, desk: Desk, seed: str) -> None:
        self.game_id = ""
        self.watchers: list[Watcher] = []
        self._desk = desk
        self._chance = random.Random(seed)
        self._tokens: list[str] = []
        self._spectator = ""
        self._view = view_pb2.View()
        self._resigned = False
        self._stands_in: int | None = None

    async def create(self) -> None:
        """Make the game and get its watchers ready.

        Raises:
            RefusedError, GaveUpError: it cannot be made.
        """
        request = pb.CreateGameRequest(
            preset=self._chance.choice(sorted(PRESETS)),
            overrides=RuleSet(rounds=ROUNDS_FIXED, round_count=self._chance.randint(1, 2)),
            seats=[_person(f"player-{seat}") for seat in range(self._chance.randint(2, 4))],
            policy=game_pb2.TablePolicy(
                spectators=True,
                clock=game_pb2.TurnClock(
                    per_turn=Duration(seconds=TURN_S), on_timeout=game_pb2.ON_TIMEOUT_BOT
                ),
            ),
            request_id=self._id(),
        )
        request.seats[-1].CopyFrom(game_pb2.Seat(open=game_pb2.OpenSeat()))
        sent_s = time.monotonic()
        answers = await self._desk.asker.ask("CreateGame", request, self._desk.platform_key)
        created: pb.CreateGameResponse = answers[0].answer
        self.game_id = created.game.game_id
        self._desk.tables.append(self)
        self._take(answers, "create", request.request_id, sent_s, created.game.view)
        self._tokens = [access.token for access in created.seat_tokens]
        self._spectator = created.spectator_token.token
        self._tokens.append(created.invitations[0].token)
        self.watchers = self._seat_watchers()

    async def play(self) -> None:
        """Play until the match is over, the time is up, or nothing goes on any more."""
        vain = 0
        while not self._desk.is_over() and vain < _VAIN_TRIES:
            await asyncio.sleep(self._chance.expovariate(1 / self._desk.think_s))
            try:
                await self._step()
                vain = 0
                if self._view.phase == view_pb2.PHASE_FINISHED:
                    return
            except RefusedError as refused:
                vain += 5 if refused.reason in _DAMAGED else 1
                if refused.reason in _DAMAGED:
                    self._desk.history.damaged.append((self.game_id, refused.reason))
                await self._recover(refused.reason)
            except GaveUpError:
                return

    def _seat_watchers(self) -> list[Watcher]:
        asker, key = self._desk.asker, self._desk.platform_key
        watcher_of = [
            Watcher(asker, self._stream("public"), lambda: self._spectator),
            Watcher(asker, self._stream("seat 0"), lambda: self._tokens[0]),
            Watcher(asker, self._stream("seat 1"), lambda: self._tokens[1], key),
        ]
        self._desk.history.streams += [each.stream for each in watcher_of]
        return watcher_of

    def _stream(self, viewer: str) -> Stream:
        return Stream(self.game_id, viewer)

    async def _step(self) -> None:
        """Do one thing.

        Raises:
            RefusedError: it is refused.
            GaveUpError: it is not answered.
        """
        open_seat = len(self._tokens) - 1
        if not self._view.version:
            await self._claim(open_seat, player_id="latecomer")
        elif self._view.phase == view_pb2.PHASE_AWAITING_DEAL:
            request = pb.DealRoundRequest(game_id=self.game_id)
            await self._write("DealRound", request, self._desk.platform_key, "deal")
        elif self._chance.random() < _SEAT_CHANGES:
            await self._change_seats()
        else:
            await self._move(self._view.round.turn)

    async def _move(self, seat: int) -> None:
        token = self._tokens[seat]
        listing = pb.ListLegalMovesRequest(game_id=self.game_id)
        legal = await self._desk.asker.read("ListLegalMoves", listing, token)
        if not legal.moves:
            raise RefusedError("NOT_YOUR_TURN")
        text = format_move(self._chance.choice(legal.moves))
        request = pb.PlayMoveRequest(game_id=self.game_id, moves=[move_pb2.Move(notation=text)])
        self._desk.history.asked[self.game_id, f"{seat} {text}"] += 1
        await self._write("PlayMove", request, token, f"{seat} {text}", legal.version)

    async def _change_seats(self) -> None:
        """Let a bot stand in, the person return, a token be replaced, or a person leave."""
        seat = self._chance.randrange(len(self._tokens))
        if self._stands_in is not None:
            seat, self._stands_in = self._stands_in, None
            await self._substitute(seat, "return", holder=True)
        elif self._chance.random() < 0.4:
            self._stands_in = seat
            await self._substitute(seat, "stand in", bot=game_pb2.Bot())
        elif self._chance.random() < 0.4:
            person = game_pb2.Person(player_id=f"other-{self._chance.random()}")
            answer = await self._substitute(seat, "reassign", person=person)
            self._tokens[seat] = answer.seat_token.token
        elif len(self._tokens) > 2 and not self._resigned and self._chance.random() < 0.3:
            self._resigned = True
            request = pb.ResignSeatRequest(game_id=self.game_id, seat=seat)
            await self._write("ResignSeat", request, self._desk.platform_key, "resign")
        else:
            await self._claim(seat)

    async def _substitute(self, seat: int, asked: str, **who: Any) -> Any:
        request = pb.SubstituteSeatRequest(game_id=self.game_id, seat=seat, **who)
        return await self._write("SubstituteSeat", request, self._desk.platform_key, asked)

    async def _claim(self, seat: int, player_id: str = "") -> None:
        """Take an open seat for a player, or replace the token of a person's seat."""
        request = pb.ClaimSeatRequest(game_id=self.game_id, seat=seat, player_id=player_id)
        key, asked = self._desk.platform_key, f"claim {seat}"
        answer = await self._write("ClaimSeat", request, key, asked)
        self._tokens[seat] = answer.seat_token.token

    async def _write(
        self, method: str, request: Any, credential: str, asked: str, version: int | None = None
    ) -> Any:
        """Make a write under an id of its own, and take down its answers and what is read then."""
        request.request_id = self._id()
        if self._chance.random() >= _WITHOUT_VERSION:
            request.expected_version = self._view.version if version is None else version
        if asked == "deal":
            self._desk.history.asked[self.game_id, asked] += 1
        sent_s = time.monotonic()
        answers = await self._desk.asker.ask(method, request, credential)
        answer = answers[0].answer
        view = answer.view if hasattr(answer, "view") else answer.game.view
        ack = self._take(answers, asked, request.request_id, sent_s, view)
        if self._chance.random() < _READ_AFTER:
            await self._read_after(ack)
        return answer

    def _take(
        self, answers: list[Answered], asked: str, request_id: str, sent_s: float, view: Any
    ) -> Acknowledgement:
        acks = [
            Acknowledgement(
                self.game_id,
                request_id,
                asked,
                each.worker,
                sent_s,
                each.answered_s,
                _version_of(each.answer),
                read_facts(each.answer.events) if hasattr(each.answer, "events") else (),
                may_do_nothing=asked in _MAY_DO_NOTHING,
            )
            for each in answers
        ]
        self._desk.history.acknowledgements += acks
        self._see(view, acks[0].answered_s)
        return acks[0]

    def _see(self, view: view_pb2.View, seen_s: float) -> None:
        self._view = view
        viewer = f"seat {view.seat}" if view.HasField("seat") else "public"
        sight = Sight(self.game_id, viewer, view.version, digest_of(view), seen_s)
        self._desk.history.sights.append(sight)

    async def _read_after(self, ack: Acknowledgement) -> None:
        """Read the game, or what happened, through another worker, once."""
        asker, key = self._desk.asker, self._desk.platform_key
        worker = (ack.worker + 1) % asker.workers
        if self._chance.random() < 0.5 or not ack.facts:
            got = await asker.look("GetGame", pb.GetGameRequest(game_id=self.game_id), key, worker)
            if isinstance(got, Answered):
                self._note_read(Read(ack, worker, got.answer.game.view.version))
        else:
            request = pb.ListEventsRequest(
                game_id=self.game_id, after_version=ack.facts[0].version - 1, page_size=500
            )
            got = await asker.look("ListEvents", request, key, worker)
            if isinstance(got, Answered):
                facts = read_facts(got.answer.events)
                self._note_read(Read(ack, worker, got.answer.version, facts))
        if isinstance(got, RefusedError) and got.reason == "GAME_NOT_FOUND":
            self._note_read(Read(ack, worker, ABSENT))

    def _note_read(self, read: Read) -> None:
        self._desk.history.reads.append(read)

    async def _recover(self, reason: str) -> None:
        """Look at the table again after a refusal, and get a token anew if it is no longer good."""
        key = self._desk.platform_key
        try:
            request = pb.GetGameRequest(game_id=self.game_id)
            game = (await self._desk.asker.read("GetGame", request, key)).game
            self._see(game.view, time.monotonic())
            turn = game.view.round.turn if game.view.HasField("round") else 0
            seat = game.seats[turn]
            if reason in _SUPERSEDED and seat.HasField("person") and not seat.resigned:
                await self._claim(turn)
            if seat.stand_in:
                self._stands_in = turn
        except (RefusedError, GaveUpError):
            return

    def _id(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128)))


def _person(player_id: str) -> game_pb2.Seat:
    return game_pb2.Seat(person=game_pb2.Person(player_id=player_id))


def _version_of(answer: Any) -> int:
    return int((answer.view if hasattr(answer, "view") else answer.game.view).version)
