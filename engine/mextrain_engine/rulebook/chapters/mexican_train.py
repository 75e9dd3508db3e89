"""The Mexican Train. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

SECTION = Section(
    "mexican-train",
    "The Mexican Train",
    (
        sentence(
            "mexican.start",
            "Any player may start the Mexican Train with a tile that matches the hub.",
            "1A.22 1B.6 1C.9 1D.6",
        ),
        sentence(
            "mexican.open",
            "It belongs to nobody and is always open to all.",
            "1A.24 1A.25 1B.6 1C.9 1D.1",
        ),
        sentence(
            "mexican.from.second-turn",
            "You may play on it from your second turn on.",
            "1A.22 1C.8 1C.9 PG",
            when=where(mexican_train_from="second_turn"),
        ),
        sentence(
            "mexican.from.first-turn",
            "You may play on it from your first turn on.",
            "1B.16 GI GF",
            when=where(mexican_train_from="first_turn"),
        ),
        sentence(
            "mexican.from.after-all-trains",
            "Nobody may play on it before every player has started a train.",
            "WARP",
            when=where(mexican_train_from="after_all_trains"),
        ),
        sentence(
            "mexican.one",
            "There is only one Mexican Train.",
            "1D.6 C40",
            when=where(mexican_train_limit="one"),
        ),
        sentence(
            "mexican.unlimited",
            "There may be any number of Mexican Trains.",
            "thegamesupply",
            when=where(mexican_train_limit="unlimited"),
        ),
        sentence(
            "mexican.not-own",
            "It is never your own train: starting it or playing on it leaves your marker and your "
            "own start as they were.",
            "C40",
        ),
    ),
)
