"""The decisions on what the corner cases leave open. Data only."""

from mextrain_engine.rulebook.sources.model import Decision

DECISIONS: tuple[Decision, ...] = (
    Decision(
        "D1",
        "may_keep holds on an ordinary turn only, a first turn without a duty included; a drawn "
        "tile that covers a duty or follows up a double must be played.",
    ),
    Decision(
        "D2",
        "draw_all_equal finishes its lap, so hands stay equal, unless the boneyard runs dry in it.",
    ),
    Decision(
        "D3",
        "An immediate double laid by a seat that went out on its first turn binds the seats that "
        "finish their first turns. A first turn spent on a duty is spent: the chance of several "
        "tiles is gone.",
    ),
    Decision(
        "D4",
        "one_per_turn counts in the opening too. Under double_only the release of a double that "
        "is dead as it is laid lifts the layer's follow-up too; under any_available the follow-up "
        "is owed as ever.",
    ),
    Decision(
        "D5",
        "Several seats out in one round under positive scoring share the sum, floor division.",
    ),
    Decision("D6", "rotate: seat 0 starts round 1, then the next seat clockwise each round."),
    Decision(
        "D7",
        "wikiHow's immediate comes from its Q&A and overrides L26 for the covering tile.",
    ),
    Decision(
        "D8",
        'ehow: "another 2" is read as on that double (C19); any_available stays a valid override.',
    ),
    Decision(
        "D9",
        "Tips L46 and L47 of wikiHow are unresolved; each plausible reading is an option: "
        "opponents_trains never (others' trains are never playable, an inherited duty excepted), "
        "own_train_after_failed_duty closed_until_covered (a seat that could not cover marks its "
        "train and may not play on it until that double is covered).",
    ),
    Decision(
        "D10",
        "The open series of masters: the number of rounds is given when the game is created, 1 to "
        "50, default 13; single is 1.",
    ),
)
