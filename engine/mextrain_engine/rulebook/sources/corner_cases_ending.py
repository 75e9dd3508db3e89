"""Corner cases of markers, of the end of a round and of scoring: C35 to C48. Data only."""

from mextrain_engine.rulebook.sources.model import CornerCase

CASES: tuple[CornerCase, ...] = (
    CornerCase("C35", "May the owner play on his marked train?", "Yes everywhere.", "Yes."),
    CornerCase(
        "C36",
        "The owner plays elsewhere while marked.",
        "WARP, GI, PG: stays. any_play clears.",
        "Stays.",
    ),
    CornerCase(
        "C37",
        "Others play on a marked train.",
        "The marker moves to the new end.",
        "Stays: a flag on the train, not on a tile.",
    ),
    CornerCase(
        "C38",
        "A marker for a failed duty although the own train was playable?",
        "TC, WH, MG, EH: yes.",
        "Yes.",
    ),
    CornerCase("C39", "A first-turn pass without a draw.", "TC, MG: marked.", "Marked."),
    CornerCase(
        "C40",
        "Does a Mexican Train started by someone else count as one's own?",
        "",
        "No; there is one, lazily started, whose end is the hub's value until then.",
    ),
    CornerCase("C41", "Eight players and no slot left at the hub.", "Layout only.", "Ignored."),
    CornerCase(
        "C42",
        "When is a round blocked?",
        "TC, WH: nobody has a legal play. Others count a full lap of passes. Judging the position "
        "as it stands ends too early: a pass opens a train.",
        "When the boneyard is empty and no seat, taken as the mover under the current duties, has "
        "a play with every train counted as open. A kept tile that fits somewhere is a play.",
    ),
    CornerCase(
        "C43",
        "Does anybody win a blocked round?",
        "TC, WARP: every hand counts.",
        "Nobody has a free zero; only a player who went out has a zero round for the tie-break.",
    ),
    CornerCase("C44", "MG and EH are silent on blocks.", "", "C42 applies to every preset."),
    CornerCase(
        "C45",
        "Positive scoring with a block.",
        "WH: winners share.",
        "The lowest hands split the pot of the others, floor division, the remainder dropped.",
    ),
    CornerCase(
        "C46",
        "Details of the tie-break.",
        "",
        "Count of zero rounds; then the smallest score of a single round other than 0; then "
        "shared.",
    ),
    CornerCase(
        "C47",
        "The double-blank in the last round.",
        "It is the hub then, in no hand.",
        "It has its value while in a hand, whatever the round.",
    ),
    CornerCase(
        "C48",
        "The last-tile call.",
        "EH: tap, no penalty. WARP, JP, RP: caught means drawing.",
        "Due only if the turn ends with exactly one tile; a penalty draws what the boneyard "
        "gives; the duty ceases on drawing again.",
    ),
)
