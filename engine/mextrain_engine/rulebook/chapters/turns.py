"""Ordinary turns: one tile, where it may go, what one must do. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "turns",
    "Ordinary turns",
    (
        sentence(
            "turn.clockwise",
            "Turns go round clockwise.",
        ),
        sentence(
            "turn.one-tile",
            "A turn is one tile.",
            mexican_bonus_play=False,
        ),
        sentence(
            "turn.match",
            "A tile joins the end of a train with an equal value; the other end of it is the new "
            "end.",
        ),
        sentence(
            "turn.blanks-match-blanks",
            "A blank matches a blank and nothing else.",
            blanks_wild=False,
        ),
        sentence(
            "turn.blanks-wild",
            "A blank matches any value.",
            blanks_wild=True,
        ),
        sentence(
            "turn.own-train",
            "You may play on your own train, marked or not.",
        ),
        sentence(
            "turn.others-marked",
            "You may play on another player's train only while it is marked.",
            opponents_trains="when_marked",
            all_trains_public=False,
        ),
        sentence(
            "turn.others-never",
            "You may never play on another player's train, except to cover an open double that "
            "was left to you.",
            opponents_trains="never",
        ),
        sentence(
            "turn.others-always",
            "Every train is open to everybody, marked or not.",
            all_trains_public=True,
        ),
        sentence(
            "turn.own-first.none",
            "Your own train need not be started before you play elsewhere.",
            own_train_first="none",
        ),
        sentence(
            "turn.own-first.before-opponents",
            "You must have started your own train before you play on another player's.",
            own_train_first="before_opponents",
        ),
        sentence(
            "turn.own-first.before-any",
            "You must have started your own train before you play on any other.",
            own_train_first="before_any",
        ),
        sentence(
            "turn.must-play",
            "If you can play, you must: you may neither draw nor pass instead.",
            must_play_if_able=True,
        ),
        sentence(
            "turn.may-decline",
            "You may draw or pass although you could play.",
            must_play_if_able=False,
        ),
        sentence(
            "turn.free-choice",
            "Which of your tiles you play, and on which of the trains open to you, is up to you.",
        ),
        sentence(
            "turn.advice",
            "Plan your longest train, keep starters and loose tiles for the Mexican Train, and "
            "get rid of doubles early.",
        ),
        sentence(
            "turn.bonus-mexican",
            "A turn is one tile; another one may follow it on the Mexican Train.",
            mexican_bonus_play=True,
        ),
    ),
)
