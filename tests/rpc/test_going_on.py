"""One change does bounded work; what a table still has to do by itself goes on in further ones."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from mextrain.v1 import game_pb2, view_pb2

from mextrain_engine import CALL, Phase, RuleSet, legal_moves, new_game
from mextrain_engine.options import FirstTurnTrains, LastTileCall, MexicanTrainFrom
from mextrain_service.application.autoplay import (
    WORK_PER_CHANGE,
    Autoplay,
    Thought,
    choice_ahead,
    play_on,
)
from mextrain_service.application.bots import Thinking, bot_thinking, concluded
from mextrain_service.application.clocks import TAKEN_UP_AFTER_MS, due_ms
from mextrain_service.application.draft import Draft, beginning
from mextrain_service.application.model import (
    BotLevel,
    ClockKind,
    Dealt,
    GameId,
    HostedGame,
    Moved,
    OnTimeout,
    PlayerId,
    ResignedSeats,
    SeatChange,
    SeatHolder,
    SeatKind,
    TablePolicy,
    TurnClock,
)
from mextrain_service.application.outages import Moment
from mextrain_service.application.own_actions import goes_on
from mextrain_service.application.thinking import WORK_PER_SLICE, Slices
from mextrain_service.bots import SeatBots
from tests.rpc.games import gone_on, hosted, person, store
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, worker
from tests.rpc.timing import TURN_S, enforced, left_s, whole_turn

WORK_AT_ONCE = 2_500
"""The most that a bot does between two looks at how much a change has cost."""

SKIPPING = TablePolicy(resigned_seats=ResignedSeats.SKIP)
NOW_MS = 1_796_000_000_000


def bot(level: BotLevel) -> SeatHolder:
    return SeatHolder(SeatKind.BOT, PlayerId(""), bot_level=level)


def gone(seat: int) -> SeatHolder:
    return replace(person(seat), resigned=True)


def wide(seats: int, hand: int, max_pip: int = 18) -> RuleSet:
    """Return rules with a large set and hands of one size."""
    return RuleSet(
        min_players=seats,
        max_players=seats,
        max_pip_by_players=(max_pip,) * 13,
        hand_size_by_players=(hand,) * 13,
        round_count=max_pip + 1,
    )


def dealt(rules: RuleSet, holders: Sequence[SeatHolder], policy: TablePolicy) -> HostedGame:
    """Return a game whose first round was dealt, and at which nothing was done since."""
    table = Draft(hosted(new_game(rules, len(holders)), holders=holders, policy=policy))
    table.deal()
    return table.changed_game(Moment(NOW_MS))


def gone_on_by(game: HostedGame) -> list[tuple[Autoplay, Draft]]:
    """Go on with a table, change by change, as a worker does; return the changes."""
    changes: list[tuple[Autoplay, Draft]] = []
    ahead: Thought | None = None
    while goes_on(game):
        table = Draft(game)
        autoplay = Autoplay(table, SeatBots(), ahead)
        autoplay.play_on()
        if table.entries:
            changes.append((autoplay, table))
            game, ahead = table.changed_game(Moment(NOW_MS)), None
            continue
        assert ahead is None, "a choice that was made ahead is good for a move"
        choice = choice_ahead(game)
        assert choice is not None, "only a choice takes more than a change may cost"
        thinking = bot_thinking(
            SeatBots(), game.state, choice.seat, choice.level, game.secret, game.version
        )
        ahead = Thought(game.version, game.state, concluded(thinking))
    return changes


WORST = {
    "fourteen greedy bots": (wide(14, 13), [bot(BotLevel.GREEDY)] * 14, TablePolicy()),
    "two greedy bots with ninety tiles each": (
        wide(2, 90),
        [bot(BotLevel.GREEDY)] * 2,
        TablePolicy(),
    ),
    "everyone resigned and skipped": (wide(14, 5), [gone(seat) for seat in range(14)], SKIPPING),
    "two resigned and skipped": (wide(2, 15), [gone(seat) for seat in range(2)], SKIPPING),
    "four random bots": (wide(4, 40), [bot(BotLevel.RANDOM)] * 4, TablePolicy()),
    "forced moves": (
        wide(3, 2),
        [person(0), bot(BotLevel.PASS), bot(BotLevel.RANDOM)],
        TablePolicy(auto_forced_moves=True),
    ),
    "two planners": (wide(2, 9, 9), [bot(BotLevel.PLANNER)] * 2, TablePolicy()),
}


@pytest.mark.parametrize("name", WORST)
def test_change_costs_no_more_than_its_bound_at_the_worst_tables(name: str) -> None:
    rules, holders, policy = WORST[name]
    game = dealt(rules, holders, policy)
    changes = gone_on_by(game)
    assert changes
    for autoplay, _ in changes:
        assert autoplay.work <= WORK_PER_CHANGE + WORK_AT_ONCE
    last = changes[-1][1]
    whole = Draft(beginning(game))
    whole.repeat([Dealt(), *(entry for _, table in changes for entry in table.entries)])
    assert (last.version, last.state) == (whole.version, whole.state)
    assert name == "forced moves" or last.state.phase is Phase.AWAITING_DEAL


def test_rest_of_a_long_skip_chain_is_left_to_further_changes() -> None:
    game = dealt(wide(14, 5), [gone(seat) for seat in range(14)], SKIPPING)
    assert len(gone_on_by(game)) > 1


@pytest.mark.parametrize("level", [BotLevel.GREEDY, BotLevel.RANDOM])
def test_bots_reply_in_the_change_that_makes_it_their_turn(level: BotLevel) -> None:
    game = dealt(RuleSet(), [person(0), *[bot(level)] * 3], TablePolicy())
    while True:
        table = Draft(game)
        if game.state.round is not None and 0 == game.state.round.turn:
            table.move(0, legal_moves(game.state)[0])
        play_on(table, SeatBots())
        game = table.changed_game(Moment(NOW_MS))
        if game.state.phase is not Phase.PLAYING:
            break
        assert not goes_on(game)


def test_planner_never_thinks_within_a_change() -> None:
    game = dealt(RuleSet(), [bot(BotLevel.PLANNER), *[bot(BotLevel.RANDOM)] * 2], TablePolicy())
    while (choice := choice_ahead(game)) is None or choice.level is not BotLevel.PLANNER:
        table = Draft(game)
        play_on(table, SeatBots())
        game = table.changed_game(Moment(NOW_MS))
    table = Draft(game)
    autoplay = Autoplay(table, SeatBots())
    autoplay.play_on()
    assert not table.entries
    assert 0 == autoplay.work


def test_choice_that_was_made_ahead_is_good_for_the_very_same_game_only() -> None:
    game = dealt(RuleSet(), [bot(BotLevel.PLANNER)] * 2, TablePolicy())
    other = dealt(RuleSet(), [bot(BotLevel.PLANNER)] * 2, TablePolicy())
    choice = choice_ahead(game)
    assert choice is not None
    thinking = bot_thinking(SeatBots(), game.state, choice.seat, choice.level, game.secret, 1)
    move = concluded(thinking)
    assert Thought(game.version, game.state, move).fits(Draft(other))
    assert not Thought(game.version + 1, game.state, move).fits(Draft(game))
    assert not Thought(game.version, new_game(RuleSet(), 2), move).fits(Draft(game))


def test_turn_that_a_bot_finishes_for_a_person_goes_on_in_further_changes() -> None:
    policy = TablePolicy(
        clock=TurnClock(ClockKind.PER_TURN, time_ms=1_000, on_timeout=OnTimeout.BOT)
    )
    rules = replace(wide(2, 90), last_tile_call=LastTileCall.OFF)
    game = dealt(rules, [person(0), person(1)], policy)
    assert game.state.round is not None
    turn = game.state.round.turn
    assert not goes_on(game)
    table = Draft(game)
    table.change_seat(turn, SeatChange.TIMED_OUT)
    play_on(table, SeatBots())
    first = table.changed_game(Moment(NOW_MS + 1_000))
    assert goes_on(first), "an opening of some eighty tiles takes more than one change"
    assert NOW_MS + 1_000 + TAKEN_UP_AFTER_MS == due_ms(first)
    rest = gone_on_by(first)
    last = rest[-1][1]
    assert last.state.round is not None
    assert 1 - turn == last.state.round.turn
    played = [entry for each in (table, *(t for _, t in rest)) for entry in each.entries]
    assert {turn} == {entry.seat for entry in played if isinstance(entry, Moved)}


def test_bot_that_finishes_a_turn_for_a_person_announces_its_last_tile() -> None:
    clock = TurnClock(ClockKind.PER_TURN, time_ms=1_000, on_timeout=OnTimeout.BOT)
    rules = replace(wide(2, 3, 6), last_tile_call=LastTileCall.REQUIRED, last_tile_penalty=1)
    left_with_one = 0
    for number in range(200):
        secret = number.to_bytes(32, "big")
        begin = hosted(new_game(rules, 2), policy=TablePolicy(clock=clock), secret=secret)
        table = Draft(begin)
        table.deal()
        table = Draft(table.changed_game(Moment(NOW_MS)))
        assert table.state.round is not None
        turn = table.state.round.turn
        table.change_seat(turn, SeatChange.TIMED_OUT)
        play_on(table, SeatBots())
        if 1 == table.state.round.hands[turn].bit_count():
            left_with_one += 1
            assert Moved(turn, CALL) == table.entries[-1]
    assert left_with_one


def test_clock_begins_when_the_table_has_made_the_forced_move_of_the_turn() -> None:
    policy = TablePolicy(auto_forced_moves=True, clock=TurnClock(ClockKind.PER_TURN, 30_000))
    rules = replace(
        wide(2, 2),
        first_turn_trains=FirstTurnTrains.OWN_OR_MEXICAN,
        mexican_train_from=MexicanTrainFrom.FIRST_TURN,
    )
    for number in range(500):
        begin = hosted(new_game(rules, 2), policy=policy, secret=number.to_bytes(32, "big"))
        dealing = Draft(begin)
        dealing.deal()
        game = dealing.changed_game(Moment(NOW_MS))
        table = Draft(game)
        play_on(table, SeatBots())
        if table.entries and not table.turns_passed:
            break
    after = table.changed_game(Moment(NOW_MS + 1_500))
    assert game.clock is not None
    assert after.clock is not None
    assert game.clock.seat == after.clock.seat
    assert NOW_MS + 1_500 == after.clock.since_ms
    used = replace(game, clock=replace(game.clock, since_ms=NOW_MS - 7))
    table = Draft(used)
    play_on(table, SeatBots())
    after = table.changed_game(Moment(NOW_MS + 1_500))
    assert after.clock is not None
    assert NOW_MS - 7 == after.clock.since_ms, "what the person has used of the turn stays used"


async def test_thought_lets_other_tasks_go_on_after_each_slice() -> None:
    def thinking() -> Thinking:
        for _ in range(100):
            yield WORK_PER_SLICE // 10
        return concluded_move

    game = dealt(RuleSet(), [bot(BotLevel.RANDOM)] * 2, TablePolicy())
    choice = choice_ahead(game)
    assert choice is not None
    concluded_move = concluded(
        bot_thinking(SeatBots(), game.state, choice.seat, choice.level, game.secret, 1)
    )
    turns, slices = 0, Slices()
    both = asyncio.gather(slices.concluded(thinking()), slices.concluded(thinking()))
    while not both.done():
        turns += 1
        await asyncio.sleep(0)
    assert [concluded_move, concluded_move] == list(await both)
    assert turns >= 20


# Over the wire


async def versions(platform: Client, game_id: str) -> list[int]:
    """Return the versions that have an event, in order, each once."""
    told: dict[int, None] = {}
    token = ""
    while True:
        page = await platform.events(game_id, page_size=500, page_token=token)
        told.update((event.version, None) for event in page.events)
        token = page.next_page_token
        if not token:
            return list(told)


async def test_resignation_is_answered_before_all_that_the_table_then_skips(
    platform: Client, house: House
) -> None:
    game = dealt(wide(14, 5), [person(0), *(gone(seat) for seat in range(1, 14))], SKIPPING)
    seated = await store(house, platform, game)
    answer = await seated.seats[0].resign(seated.game_id, 0)
    after = await gone_on(platform, seated.game_id)
    assert 0 < answer.game.view.version < after.view.version
    assert 1 == len(after.results)


async def test_rest_is_made_once_and_told_to_whoever_watches(
    platform: Client, house: House
) -> None:
    game = dealt(wide(14, 5), [person(0), *(gone(seat) for seat in range(1, 14))], SKIPPING)
    begun = beginning(game)
    seated = await store(house, platform, begun)
    await platform.deal(seated.game_id)
    await platform.resign(seated.game_id, 0)
    after = await gone_on(platform, seated.game_id)
    assert list(range(1, after.view.version + 1)) == await versions(platform, seated.game_id)
    loaded = await house.store().load(GameId(seated.game_id))
    whole = Draft(beginning(loaded))
    whole.repeat((await house.store().settle(loaded.game_id)).entries or ())
    assert (loaded.version, loaded.state) == (whole.version, whole.state)


async def test_table_of_a_worker_that_died_is_taken_up_by_another(
    platform: Client, house: House
) -> None:
    holders = [bot(BotLevel.PLANNER)] * 4
    seated = await store(house, platform, hosted(new_game(RuleSet(), 4), holders=holders))
    async with worker(house) as dying:
        await dying.bearing(house.key.text).deal(seated.game_id)
    left = await house.store().load(GameId(seated.game_id))
    assert goes_on(left), "four planners take longer than the answer"
    assert [] == await enforced(house)
    house.clock.advance(TAKEN_UP_AFTER_MS / 1_000)
    assert [GameId(seated.game_id)] == [each.game_id for each in await enforced(house)]
    after = await gone_on(platform, seated.game_id)
    assert list(range(1, after.view.version + 1)) == await versions(platform, seated.game_id)


async def test_workers_that_go_on_at_once_make_each_change_once(
    platform: Client, house: House
) -> None:
    holders = [bot(BotLevel.GREEDY)] * 8
    seated = await store(house, platform, hosted(new_game(wide(8, 20), 8), holders=holders))
    async with worker(house) as other:
        await asyncio.gather(
            *(each.bearing(house.key.text).deal(seated.game_id) for each in (platform, other)),
            *(platform.stand_in(seated.game_id, seat) for seat in range(8)),
            return_exceptions=True,
        )
        after = await gone_on(platform, seated.game_id)
    assert list(range(1, after.view.version + 1)) == await versions(platform, seated.game_id)


def of_seat_0(game: game_pb2.Game) -> bool:
    return game.view.phase != view_pb2.PHASE_PLAYING or 0 == game.view.round.turn


async def test_person_who_moves_while_bots_are_thinking_is_told_that_it_is_not_their_turn(
    platform: Client, house: House
) -> None:
    policy = TablePolicy(clock=TurnClock(ClockKind.PER_TURN, time_ms=1_000 * TURN_S))
    holders = [person(0), *[bot(BotLevel.PLANNER)] * 3]
    seated = await store(house, platform, dealt(RuleSet(), holders, policy))
    await gone_on(platform, seated.game_id, of_seat_0)
    for _ in range(2):
        answer = await whole_turn(seated.seats[0], seated.game_id)
        assert 0 != answer.view.round.turn
        assert not answer.view.HasField("turn_deadline")
        refused = await refusal_of(seated.seats[0].play(seated.game_id, "draw"))
        assert "NOT_YOUR_TURN" == refused.reason
        house.clock.advance(5)
        game = await gone_on(platform, seated.game_id, of_seat_0)
        view = (await seated.seats[0].get_game(seated.game_id)).view
        assert 0 == game.view.round.turn
        assert 0 < left_s(view) <= TURN_S
