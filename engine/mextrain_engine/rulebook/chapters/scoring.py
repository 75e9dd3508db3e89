"""What a round costs or brings. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

_POSITIVE = "winner_takes_sum"

SECTION = Section(
    "scoring",
    "Scoring a round",
    (
        sentence(
            "score.pips",
            "You score the pips of the tiles left in your hand.",
            scoring="pips_low_wins",
        ),
        sentence(
            "score.out-zero",
            "A player who is out scores 0.",
            scoring="pips_low_wins",
        ),
        sentence(
            "score.winner-takes-sum",
            "A player who is out scores the pips left in all other hands; the others score 0.",
            scoring=_POSITIVE,
        ),
        sentence(
            "score.winner-takes-sum.shared",
            "Several players who are out share that sum evenly, rounded down.",
            scoring=_POSITIVE,
        ),
        sentence(
            "score.zero-sum",
            "A player who is out scores the pips left in all other hands, and the others lose "
            "theirs.",
            scoring="zero_sum",
        ),
        sentence(
            "score.doubles-face-value",
            "A double counts both its ends, like any tile; one that can never be played any more "
            "counts too.",
        ),
        sentence(
            "score.double-blank",
            "The double-blank left in a hand counts {double_blank}, whatever the round.",
            given="blank-costs",
            options="double_blank_value",
        ),
        sentence(
            "score.double-blank.free",
            "The double-blank left in a hand counts {double_blank}: it has no pips.",
            given="blank-free",
            options="double_blank_value",
        ),
        sentence(
            "score.blank-end",
            "Every blank end left in a hand counts {blank_end}.",
            given="blank-ends-cost",
            options="blank_end_value",
        ),
        sentence(
            "score.blank-end.free",
            "A blank end counts nothing.",
            blank_end_value=0,
        ),
        sentence(
            "score.blocked.all-count",
            "In a blocked round every hand counts; the lowest one gets no reward.",
            scoring="pips_low_wins",
            block_score="all_count",
        ),
        sentence(
            "score.blocked.nobody-scores",
            "In a blocked round nobody scores.",
            scoring=(_POSITIVE, "zero_sum"),
            block_score="all_count",
        ),
        sentence(
            "score.blocked.shared-pot",
            "In a blocked round the player with the fewest pips scores the pips of all other "
            "hands; several with equally few share them evenly, rounded down.",
            block_score="lowest_shares_pot",
        ),
        sentence(
            "score.multiplier",
            "When a player goes out on a double, the points of the others count {multiplier} "
            "times.",
            given="points-multiply",
            options="go_out_double_multiplier",
        ),
        sentence(
            "score.no-multiplier",
            "Going out on a double scores like going out on any tile.",
            go_out_double_multiplier=1,
        ),
    ),
)
