"""The Mexican Train. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "mexican-train",
    "The Mexican Train",
    (
        sentence(
            "mexican.start",
            "Any player may start the Mexican Train with a tile that matches the hub.",
        ),
        sentence(
            "mexican.open",
            "It belongs to nobody and is always open to all.",
        ),
        sentence(
            "mexican.from.second-turn",
            "You may play on it from your second turn on.",
            mexican_train_from="second_turn",
        ),
        sentence(
            "mexican.from.first-turn",
            "You may play on it from your first turn on.",
            mexican_train_from="first_turn",
        ),
        sentence(
            "mexican.from.after-all-trains",
            "Nobody may play on it before every player has started a train.",
            mexican_train_from="after_all_trains",
        ),
        sentence(
            "mexican.one",
            "There is only one Mexican Train.",
            mexican_train_limit="one",
        ),
        sentence(
            "mexican.unlimited",
            "There may be any number of Mexican Trains.",
            mexican_train_limit="unlimited",
        ),
        sentence(
            "mexican.not-own",
            "It is never your own train: starting it or playing on it leaves your marker and your "
            "own start as they were.",
        ),
    ),
)
