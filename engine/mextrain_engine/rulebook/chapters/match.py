"""The match: how many rounds, who wins, how ties are broken. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

_LOW_WINS = "pips_low_wins"

_MOST_WINS = ("winner_takes_sum", "zero_sum")

SECTION = Section(
    "match",
    "The match",
    (
        sentence(
            "match.full-descent",
            "The match has one round for each double, down to the double-blank. Rounds: {rounds}.",
            rounds="full_descent",
            options="first_hub_value max_pip_by_players",
        ),
        sentence(
            "match.single",
            "The match is a single round.",
            rounds="single",
        ),
        sentence(
            "match.fixed",
            "The match is a series of rounds, whose number is set when the table is made. "
            "Rounds: {rounds}.",
            rounds="fixed",
            options="round_count",
        ),
        sentence(
            "match.fewest-win",
            "The points of all rounds are added up. The fewest points win.",
            scoring=_LOW_WINS,
        ),
        sentence(
            "match.most-win",
            "The points of all rounds are added up. The most points win.",
            scoring=_MOST_WINS,
        ),
        sentence(
            "match.tie.zero-rounds",
            "Between equal totals, more rounds with 0 points win: rounds that the player ended "
            "by going out. A blocked round never counts as one, even with a hand worth 0.",
            tie_break="zero_rounds_then_low_round",
        ),
        sentence(
            "match.tie.low-round",
            "If that is equal too, the lowest score in a single round other than 0 wins; after "
            "that the place is shared.",
            tie_break="zero_rounds_then_low_round",
        ),
        sentence(
            "match.tie.shared",
            "Equal totals share the place.",
            tie_break="shared",
        ),
        sentence(
            "match.tie.extra-round",
            "Players with equal totals play one more round.",
            tie_break="extra_round",
        ),
    ),
)
