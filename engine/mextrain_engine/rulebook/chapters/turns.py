"""Ordinary turns: one tile, where it may go, what one must do. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

SECTION = Section(
    "turns",
    "Ordinary turns",
    (
        sentence(
            "turn.clockwise",
            "Turns go round clockwise.",
            "1A.23 1B.2 1D.6",
        ),
        sentence(
            "turn.one-tile",
            "A turn is one tile.",
            "1A.23 1D.6 1C.12 PG",
            when=where(mexican_bonus_play=False),
        ),
        sentence(
            "turn.match",
            "A tile joins the end of a train with an equal value; the other end of it is the new "
            "end.",
            "1A.17 1A.26 1C.6",
        ),
        sentence(
            "turn.blanks-match-blanks",
            "A blank matches a blank and nothing else.",
            "1C.24",
            when=where(blanks_wild=False),
        ),
        sentence(
            "turn.blanks-wild",
            "A blank matches any value.",
            "WP",
            when=where(blanks_wild=True),
        ),
        sentence(
            "turn.own-train",
            "You may play on your own train, marked or not.",
            "1A.24 1B.6 1D.1 1D.6 C35",
        ),
        sentence(
            "turn.others-marked",
            "You may play on another player's train only while it is marked.",
            "1A.24 1B.6 1C.11 1D.7 PG",
            when=where(opponents_trains="when_marked", all_trains_public=False),
        ),
        sentence(
            "turn.others-never",
            "You may never play on another player's train, except to cover an open double that "
            "was left to you.",
            "1C.21 D9",
            when=where(opponents_trains="never"),
        ),
        sentence(
            "turn.others-always",
            "Every train is open to everybody, marked or not.",
            "DM",
            when=where(all_trains_public=True),
        ),
        sentence(
            "turn.own-first.none",
            "Your own train need not be started before you play elsewhere.",
            "1C.24",
            when=where(own_train_first="none"),
        ),
        sentence(
            "turn.own-first.before-opponents",
            "You must have started your own train before you play on another player's.",
            "WARP",
            when=where(own_train_first="before_opponents"),
        ),
        sentence(
            "turn.own-first.before-any",
            "You must have started your own train before you play on any other.",
            "1C.8",
            when=where(own_train_first="before_any"),
        ),
        sentence(
            "turn.must-play",
            "If you can play, you must: you may neither draw nor pass instead.",
            "1D.6 C9 PG",
            when=where(must_play_if_able=True),
        ),
        sentence(
            "turn.may-decline",
            "You may draw or pass although you could play.",
            "DC",
            when=where(must_play_if_able=False),
        ),
        sentence(
            "turn.free-choice",
            "Which of your tiles you play, and on which of the trains open to you, is up to you.",
            "C9 C10",
        ),
        sentence(
            "turn.advice",
            "Plan your longest train, keep starters and loose tiles for the Mexican Train, and "
            "get rid of doubles early.",
            "1C.5",
            informational=True,
        ),
        sentence(
            "turn.bonus-mexican",
            "A turn is one tile; another one may follow it on the Mexican Train.",
            "HC",
            when=where(mexican_bonus_play=True),
        ),
    ),
)
