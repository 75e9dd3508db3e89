"""What a round costs or brings. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

_POSITIVE = "winner_takes_sum"

SECTION = Section(
    "scoring",
    "Scoring a round",
    (
        sentence(
            "score.pips",
            "You score the pips of the tiles left in your hand.",
            "1A.37 1B.8 1C.17 1D.11 PG",
            when=where(scoring="pips_low_wins"),
        ),
        sentence(
            "score.out-zero",
            "A player who is out scores 0.",
            "1A.37 1B.8 1C.13 1C.17 C18",
            when=where(scoring="pips_low_wins"),
        ),
        sentence(
            "score.winner-takes-sum",
            "A player who is out scores the pips left in all other hands; the others score 0.",
            "1C.23",
            when=where(scoring=_POSITIVE),
        ),
        sentence(
            "score.winner-takes-sum.shared",
            "Several players who are out share that sum evenly, rounded down.",
            "D5",
            when=where(scoring=_POSITIVE),
        ),
        sentence(
            "score.zero-sum",
            "A player who is out scores the pips left in all other hands, and the others lose "
            "theirs.",
            "KB",
            when=where(scoring="zero_sum"),
        ),
        sentence(
            "score.doubles-face-value",
            "A double counts both its ends, like any tile; one that can never be played any more "
            "counts too.",
            "1C.24 C32",
        ),
        sentence(
            "score.double-blank",
            "The double-blank left in a hand counts {double_blank}, whatever the round.",
            "1A.37 1C.24 C47",
            given="blank-costs",
            options="double_blank_value",
        ),
        sentence(
            "score.double-blank.free",
            "The double-blank left in a hand counts {double_blank}: it has no pips.",
            "1B.8 PG",
            given="blank-free",
            options="double_blank_value",
        ),
        sentence(
            "score.blank-end",
            "Every blank end left in a hand counts {blank_end}.",
            "JI",
            given="blank-ends-cost",
            options="blank_end_value",
        ),
        sentence(
            "score.blank-end.free",
            "A blank end counts nothing.",
            "1A.37 1C.24",
            when=where(blank_end_value=0),
        ),
        sentence(
            "score.blocked.all-count",
            "In a blocked round every hand counts; the lowest one gets no reward.",
            "1A.36 C43",
            when=where(scoring="pips_low_wins", block_score="all_count"),
        ),
        sentence(
            "score.blocked.nobody-scores",
            "In a blocked round nobody scores.",
            "C43",
            when=where(scoring=(_POSITIVE, "zero_sum"), block_score="all_count"),
        ),
        sentence(
            "score.blocked.shared-pot",
            "In a blocked round the player with the fewest pips scores the pips of all other "
            "hands; several with equally few share them evenly, rounded down.",
            "1C.23 C45",
            when=where(block_score="lowest_shares_pot"),
        ),
        sentence(
            "score.multiplier",
            "When a player goes out on a double, the points of the others count {multiplier} "
            "times.",
            "rondeetbelle",
            given="points-multiply",
            options="go_out_double_multiplier",
        ),
        sentence(
            "score.no-multiplier",
            "Going out on a double scores like going out on any tile.",
            "1B.7",
            when=where(go_out_double_multiplier=1),
        ),
    ),
)
