"""``mextrain play``: a person against bots, in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, assert_never

import typer
from rich.console import Console
from rich.text import Text

from mextrain_engine import Move, MoveKind, Phase, format_move, format_tile
from mextrain_engine.options import DoubleChain
from mextrain_engine.rulebook import describe
from mextrain_service.bots import longest_train
from mextrain_service.cli.choices import (
    PLAYER_NAMES,
    Level,
    PlayersOption,
    PresetOption,
    SeedOption,
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
from mextrain_service.client import (
    Bot,
    Game,
    LegalMoves,
    MextrainClient,
    MextrainError,
    Person,
    Policy,
    TableFact,
)

_SEAT = 0
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
            [Person("you", YOU), *(Bot(level.value, name) for name in names[1:])],
            preset=preset,
            overrides={} if rounds is None else {"rounds": "fixed", "round_count": rounds},
            fixed_seed=seed,
            policy=Policy(auto_call=True),
        )
        with MextrainClient(service.endpoint, created.seat_tokens[_SEAT]) as own_seat:
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
            game = self._own_seat.get_game(self._game_id)
            match game.table.view.phase:
                case Phase.AWAITING_DEAL:
                    self._deal(game)
                case Phase.PLAYING:
                    self._take_turn(game)
                case Phase.FINISHED:
                    sheet = self._own_seat.score(self._game_id)
                    self.console.print(score_sheet(sheet, self._names))
                    self.console.print(standings(sheet, self._names))
                    return
                case other:
                    assert_never(other)

    def _deal(self, game: Game) -> None:
        number = len(game.results) + 1
        if number > 1:
            self._ask(f"Enter deals round {number} of {game.table.view.total_rounds}: ")
        _, changed = self._platform.deal_round(self._game_id)
        self._tell(changed.events)
        if number == 1:
            self.console.print(Text("Type a move's number or a tile, `hint` or `help`.", "italic"))

    def _take_turn(self, game: Game) -> None:
        legal = self._own_seat.legal_moves(self._game_id)
        if not legal.moves:
            why = legal.refusal.message if legal.refusal else "there is nothing to do"
            raise CliError(f"The table waits for another seat: {why}")
        self._show(game, legal)
        while True:
            try:
                asked = read_line(self._ask("> "), legal.moves, _SEAT, self._names)
                if isinstance(asked, Wish):
                    self._grant(asked, game, legal)
                    continue
                self._tell(self._own_seat.play(self._game_id, asked).events)
            except CliError as complaint:
                self._refuse(f"{complaint.message} {complaint.advice}")
            except MextrainError as error:
                if error.retry_after is not None:
                    raise
                self._refuse(_in_words(error))
            else:
                return

    def _show(self, game: Game, legal: LegalMoves) -> None:
        view = game.table.view
        assert view.round is not None
        title = f"Round {view.round.number} of {view.total_rounds} · {self._preset}"
        self.console.print()
        self.console.print(draw_table(view.round, self._names, game.table.totals, title=title))
        playable = [move.tile for move in legal.moves if move.kind is MoveKind.PLAY]
        self.console.print(Hand(view.hand, playable))
        for line in self._numbered(legal.moves, [train.pips[-1] for train in view.round.trains]):
            self.console.print(line)

    def _numbered(self, moves: Sequence[Move], ends: Sequence[int]) -> list[Text]:
        """Return the legal moves with their numbers, a line for each train."""
        lines: dict[str, Text] = {}
        for number, move in enumerate(moves, 1):
            if move.kind is MoveKind.PLAY:
                where = f"on {train_in_words(move.train, self._names)} ({ends[move.train]})"
                what = format_tile(move.tile)
            else:
                where, what = "or", format_move(move)
            line = lines.setdefault(where, Text(f"{where:>24}  "))
            line.append(f"{number:>2} ", "bold cyan").append(f"{what}  ")
        return list(lines.values())

    def _grant(self, wish: Wish, game: Game, legal: LegalMoves) -> None:
        match wish:
            case Wish.HINT:
                self._hint(game)
            case Wish.WHY:
                self._explain_unplayable(legal)
            case Wish.SCORE:
                self._show_score()
            case Wish.RULES:
                print_chapters(self.console, describe(game.rules, len(self._names)))
            case Wish.HELP:
                self.console.print(_HELP)
            case Wish.QUIT:
                raise _Left
            case other:
                assert_never(other)

    def _hint(self, game: Game) -> None:
        view = game.table.view
        move = self._own_seat.suggest_move(self._game_id, "planner").move
        if move is not None:
            self.console.print(f"A planning bot would choose {self._in_words(move)}.")
        one_double = game.rules.double_chain is DoubleChain.ONE_PER_TURN
        if view.round is not None and view.round.first_turn and not one_double:
            train = longest_train(view.hand, view.round.trains[_SEAT].pips[-1], max_positions=5_000)
            tiles = " ".join(map(format_tile, train.tiles))
            self.console.print(f"Your longest train from here: {tiles or 'none'}")

    def _show_score(self) -> None:
        sheet = self._own_seat.score(self._game_id)
        if sheet.rounds:
            self.console.print(score_sheet(sheet, self._names))
        else:
            self.console.print("No round is over yet.")

    def _explain_unplayable(self, legal: LegalMoves) -> None:
        for entry in legal.unplayable:
            self.console.print(f"{format_tile(entry.tile)}: {entry.refusal.message}")
        if not legal.unplayable:
            self.console.print("Every tile of yours can go somewhere.")

    def _in_words(self, move: Move) -> str:
        if move.kind is MoveKind.PLAY:
            return f"{format_tile(move.tile)} on {train_in_words(move.train, self._names)}"
        return format_move(move)

    def _tell(self, happened: Sequence[TableFact]) -> None:
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


def _in_words(error: MextrainError) -> str:
    """Return why a move was refused, with which of several it was."""
    which = error.facts.get("move", "")
    return f"{which}: {error.message}" if which else error.message
