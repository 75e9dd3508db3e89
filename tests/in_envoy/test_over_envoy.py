"""What holds over the first transport holds over this one: the same tests, the other worker.

It is one worker for all of them; what needs one of its own, with another store, with limits or with
a log of its own, is left to the first transport, and `test_calls` has what is Envoy's.
"""

from __future__ import annotations

from types import ModuleType

from _pytest.fixtures import FixtureFunctionDefinition

from tests.rpc import (
    test_access,
    test_access_matrix,
    test_automatic_deals,
    test_bad_input,
    test_channel_telling,
    test_channels,
    test_clocks,
    test_credentials,
    test_entropy,
    test_feed,
    test_history,
    test_lists,
    test_methods,
    test_non_interference,
    test_operators,
    test_player_tokens,
    test_refused_moves,
    test_repetition,
    test_seats,
    test_spectators,
    test_watching,
    test_watching_ends,
)

_MODULES = (
    test_access,
    test_access_matrix,
    test_automatic_deals,
    test_bad_input,
    test_channel_telling,
    test_channels,
    test_clocks,
    test_credentials,
    test_entropy,
    test_feed,
    test_history,
    test_lists,
    test_methods,
    test_non_interference,
    test_operators,
    test_player_tokens,
    test_refused_moves,
    test_repetition,
    test_seats,
    test_spectators,
    test_watching,
    test_watching_ends,
)

_NEED_A_WORKER_OF_THEIR_OWN = {
    "test_cursor_of_a_feed_that_was_divided_anew_resets_the_watcher",
    "test_each_ask_counts_against_the_rates_of_its_game_and_seat",
    "test_every_key_of_a_feed_has_a_time_to_live",
    "test_fixed_seed_is_refused_when_the_server_does_not_allow_it",
    "test_hands_are_refused_to_other_operators_and_that_is_written_down_too",
    "test_hands_are_shown_to_whoever_may_see_them_and_it_is_written_down_first",
    "test_hidden_tiles_change_no_byte_of_any_answer",
    "test_hints_are_heard_again_after_their_connection_was_lost",
    "test_lost_hint_only_delays",
    "test_news_of_a_worker_that_died_after_its_commit_is_told_by_another",
    "test_stopping_worker_answers_what_was_asked_and_says_that_it_stops",
    "test_store_that_stays_away_ends_the_stream_with_a_time_to_come_back",
    "test_suggestion_is_the_same_when_only_the_secret_of_the_game_differs",
    "test_watcher_that_takes_nothing_is_dropped_and_told_where_to_resume",
    "test_what_a_worker_commits_it_tells_without_reading_it_again",
    "test_worker_takes_no_more_streams_than_it_has_room_for",
    "test_worker_that_stops_ends_every_stream_of_a_game_that_others_have_left",
    "test_worker_that_stops_sends_its_watchers_elsewhere",
    "test_worker_that_stops_sends_the_listeners_of_a_feed_elsewhere",
    "test_write_whose_answer_was_lost_is_answered_from_its_receipt",
    "test_write_without_request_id_whose_answer_was_lost_may_have_happened",
    "test_writer_that_is_always_beaten_gives_up_and_may_come_again",
}


def test_tests_that_are_left_out_are_there() -> None:
    there = {name for module in _MODULES for name in vars(module)}
    assert there >= _NEED_A_WORKER_OF_THEIR_OWN


def _given(module: ModuleType) -> dict[str, object]:
    """Return the fixtures of a module."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FixtureFunctionDefinition)
    }


def _tests(module: ModuleType) -> dict[str, object]:
    """Return the tests of a module, under names that no other module has."""
    area = module.__name__.rpartition("test_")[2]
    return {
        name.replace("test_", f"test_{area}_", 1): value
        for name, value in vars(module).items()
        if name.startswith("test_") and name not in _NEED_A_WORKER_OF_THEIR_OWN
    }


for _module in _MODULES:
    for _name, _value in _given(_module).items():
        assert globals().setdefault(_name, _value) is _value, f"two of {_name}"
    globals().update(_tests(_module))
