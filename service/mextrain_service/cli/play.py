"""``mextrain play``: a person against bots, in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, assert_never

import typer
from mextrain.v1.event_pb2 import Event
from mextrain.v1.game_pb2 import Bot, BotLevel, Game, Person, Seat, TablePolicy
from mextrain.v1.game_service_pb2 import ListLegalMovesResponse
from mextrain.v1.move_pb2 import Move
from mextrain.v1.round_pb2 import Round
from mextrain.v1.rule_options_pb2 import DOUBLE_CHAIN_ONE_PER_TURN
from mextrain.v1.rule_set_pb2 import RuleChapter
from mextrain.v1.train_pb2 import TrainReference
from mextrain.v1.view_pb2 import Phase
from rich.console import Console
from rich.text import Text

from mextrain_client import MextrainClient, MextrainError, format_move, format_tile
from mextrain_engine import format_tile as format_tile_id
from mextrain_service.bots import longest_train
from mextrain_service.cli.choices import (
    PLAYER_NAMES,
    Level,
    PlayersOption,
    PresetOption,
    SeedOption,
    fixed_rounds,
    rules_named,
)
from mextrain_service.cli.complaints import CliError
from mextrain_service.cli.connection import EndpointOption, KeyOption, OwnOption, reached
from mextrain_service.cli.drawing import (
    Hand,
    draw_table,
    print_chapters,
    score_sheet,
    standings,
    tell_all,
)
from mextrain_service.cli.drawing.story import YOU, train_in_words
from mextrain_service.cli.seat_input import Wish, read_line
from mextrain_service.cli.seat_view import read_tile

_SEAT = 0
_LEVELS = {level: BotLevel.Value(f"BOT_LEVEL_{level.name}") for level in Level}
_HELP = """\
  3              the move with that number; Enter alone: the only move there is
  12-5           that tile where it can go
  12-5@M         that tile on the Mexican Train; 12-5@Bea, 12-5@2, 12-5@me
  12-5 5-5 5-0   several moves at once, all of them or none
  draw   pass    what they say
  hint   why     what a bot would do; why other tiles cannot go
  score  rules   the score sheet; the rules of this table
  quit           leave the table"""


class _Left(Exception):  # noqa: N818 - leaving is no error
    """The person has left the table."""


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("play", help="Play against bots in the terminal.")(_play)


def _play(
    players: PlayersOption = 4,
    preset: PresetOption = "modern",
    seed: SeedOption = None,
    level: Annotated[
        Level, typer.Option("--level", "-l", help="How well the bots play.")
    ] = Level.GREEDY,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, max=50, help="Play so many rounds instead of a whole match."),
    ] = None,
    endpoint: EndpointOption = "",
    key: KeyOption = "",
    own: OwnOption = False,
) -> None:
    rules_named(preset, players)
    names = (YOU, *PLAYER_NAMES[: players - 1])
    with (
        reached(endpoint, key, own=own) as service,
        MextrainClient(service.endpoint, service.key) as platform,
    ):
        created = platform.create_game(
            [
                Seat(person=Person(player_id="you", display_name=YOU)),
                *(Seat(bot=Bot(level=_LEVELS[level], display_name=name)) for name in names[1:]),
            ],
            preset=preset,
            overrides=fixed_rounds(rounds),
            fixed_seed=seed,
            policy=TablePolicy(auto_call=True),
        )
        with MextrainClient(service.endpoint, created.seat_tokens[_SEAT].token) as own_seat:
            sitting = _Sitting(platform, own_seat, created.game.game_id, preset, names)
            try:
                sitting.play_match()
            except _Left:
                sitting.console.print("You leave the table.")


class _Sitting:
    """One person's match: shows, asks and sends until it is over."""

    def __init__(
        self,
        platform: MextrainClient,
        own_seat: MextrainClient,
        game_id: str,
        preset: str,
        names: Sequence[str],
    ) -> None:
        self.console = Console(highlight=False)
        self._platform = platform
        self._own_seat = own_seat
        self._game_id = game_id
        self._preset = preset
        self._names = names

    def play_match(self) -> None:
        """Play until the match is over.

        Raises:
            _Left: the person wants no more.
        """
        while True:
            game = self._own_seat.get_game(self._game_id).game
            match game.view.phase:
                case Phase.PHASE_AWAITING_DEAL:
                    self._deal(game)
                case Phase.PHASE_PLAYING:
                    self._take_turn(game)
                case _:
                    sheet = self._own_seat.get_score(self._game_id).score
                    self.console.print(score_sheet(sheet, self._names))
                    self.console.print(standings(sheet, self._names))
                    return

    def _deal(self, game: Game) -> None:
        number = len(game.results) + 1
        if number > 1:
            self._ask(f"Enter deals round {number} of {game.view.total_rounds}: ")
        self._tell(self._platform.deal_round(self._game_id).events)
        if number == 1:
            self.console.print(Text("Type a move's number or a tile, `hint` or `help`.", "italic"))

    def _take_turn(self, game: Game) -> None:
        legal = self._own_seat.list_legal_moves(self._game_id)
        if not legal.moves:
            raise CliError(f"The table waits for another seat: {legal.refusal.message}")
        self._show(game, legal)
        choices = [format_move(move) for move in legal.moves]
        while True:
            try:
                asked = read_line(self._ask("> "), choices, _SEAT, self._names)
                if isinstance(asked, Wish):
                    self._grant(asked, game, legal)
                    continue
                self._tell(self._own_seat.play_move(self._game_id, *asked).events)
            except CliError as complaint:
                self._refuse(f"{complaint.message} {complaint.advice}")
            except MextrainError as error:
                if error.retry_after is not None:
                    raise
                self._refuse(_in_words(error))
            else:
                return

    def _show(self, game: Game, legal: ListLegalMovesResponse) -> None:
        view = game.view
        title = f"Round {view.round.number} of {view.total_rounds} · {self._preset}"
        self.console.print()
        self.console.print(draw_table(view.round, self._names, view.totals, title=title))
        playable = [move.play_tile.tile for move in legal.moves if move.HasField("play_tile")]
        self.console.print(Hand(view.hand, playable))
        for line in self._numbered(legal.moves, view.round):
            self.console.print(line)

    def _numbered(self, moves: Sequence[Move], round_: Round) -> list[Text]:
        """Return the legal moves with their numbers, a line for each train."""
        lines: dict[str, Text] = {}
        for number, move in enumerate(moves, 1):
            if move.HasField("play_tile"):
                train = move.play_tile.train
                where = f"on {train_in_words(train, self._names)} ({_end(round_, train)})"
                what = format_tile(move.play_tile.tile)
            else:
                where, what = "or", format_move(move)
            line = lines.setdefault(where, Text(f"{where:>24}  "))
            line.append(f"{number:>2} ", "bold cyan").append(f"{what}  ")
        return list(lines.values())

    def _grant(self, wish: Wish, game: Game, legal: ListLegalMovesResponse) -> None:
        match wish:
            case Wish.HINT:
                self._hint(game)
            case Wish.WHY:
                self._explain_unplayable(legal)
            case Wish.SCORE:
                self._show_score()
            case Wish.RULES:
                print_chapters(self.console, self._rules(game))
            case Wish.HELP:
                self.console.print(_HELP)
            case Wish.QUIT:
                raise _Left
            case other:
                assert_never(other)

    def _hint(self, game: Game) -> None:
        view = game.view
        suggested = self._own_seat.suggest_move(self._game_id, BotLevel.BOT_LEVEL_PLANNER)
        if suggested.HasField("move"):
            self.console.print(f"A planning bot would choose {self._in_words(suggested.move)}.")
        one_double = game.rules.double_chain == DOUBLE_CHAIN_ONE_PER_TURN
        if view.round.first_turn and not one_double:
            hand, start = map(read_tile, view.hand), view.round.trains[_SEAT].pips[-1]
            train = longest_train(hand, start, max_positions=5_000)
            tiles = " ".join(map(format_tile_id, train.tiles))
            self.console.print(f"Your longest train from here: {tiles or 'none'}")

    def _rules(self, game: Game) -> Iterable[RuleChapter]:
        players = len(self._names)
        explained = self._platform.explain_rules(
            self._preset, overrides=game.rules, players=players
        )
        return explained.chapters

    def _show_score(self) -> None:
        sheet = self._own_seat.get_score(self._game_id).score
        if sheet.rounds:
            self.console.print(score_sheet(sheet, self._names))
        else:
            self.console.print("No round is over yet.")

    def _explain_unplayable(self, legal: ListLegalMovesResponse) -> None:
        for entry in legal.unplayable_tiles:
            self.console.print(f"{format_tile(entry.tile)}: {entry.refusal.message}")
        if not legal.unplayable_tiles:
            self.console.print("Every tile of yours can go somewhere.")

    def _in_words(self, move: Move) -> str:
        if move.HasField("play_tile"):
            laid = move.play_tile
            return f"{format_tile(laid.tile)} on {train_in_words(laid.train, self._names)}"
        return format_move(move)

    def _tell(self, happened: Iterable[Event]) -> None:
        for line in tell_all(happened, self._names):
            self.console.print(Text(line, "" if line.startswith(YOU) else "dim"))

    def _refuse(self, message: str) -> None:
        self.console.print(Text(message.strip(), "yellow"))

    def _ask(self, prompt: str) -> str:
        try:
            return self.console.input(Text(prompt, "bold"))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise _Left from None


def _end(round_: Round, train: TrainReference) -> int:
    """Return the number that a tile has to match on a train."""
    return next(each.pips[-1] for each in round_.trains if each.train == train)


def _in_words(error: MextrainError) -> str:
    """Return why a move was refused, with which of several it was."""
    which = error.facts.get("move", "")
    return f"{which}: {error.message}" if which else error.message
