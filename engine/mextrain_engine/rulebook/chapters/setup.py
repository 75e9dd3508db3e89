"""Setting up: players, set, hands, boneyard. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

SECTION = Section(
    "setup",
    "Setting up",
    (
        sentence(
            "setup.players",
            "{min_players} to {max_players} players can sit at the table.",
            "1A.1 1B.2 1C.2 1D.3",
            options="min_players max_players",
        ),
        sentence(
            "setup.name",
            "The game is Mexican Train, a game of dominoes; some just call it Trains.",
            "1A.2 1B.1",
            informational=True,
        ),
        sentence(
            "setup.aim",
            "Get rid of your tiles: on your own train, on the Mexican Train and on the trains of "
            "others, before anybody else gets rid of theirs.",
            "1A.6 1B.1 1D.1",
            informational=True,
        ),
        sentence(
            "setup.set",
            "The set holds every pair of values from blank up, once. Highest value: {max_pip}. "
            "Tiles in it: {set_tiles}.",
            "1A.3 1A.8 1B.2 1C.1",
            options="max_pip_by_players",
        ),
        sentence(
            "setup.face-down",
            "The tiles are mixed face down. Only you see the faces of the tiles in your hand.",
            "1A.7 1C.1 1C.2 1D.2",
        ),
        sentence(
            "setup.hand",
            "Tiles dealt to each player: {hand}.",
            "1A.3 1A.8 1B.2 1C.2 1D.3",
            options="hand_size_by_players",
        ),
        sentence(
            "setup.hand.clamped",
            "If the set is too small for that, everybody is dealt as many tiles as can be shared "
            "out evenly.",
            "C6",
            when=where(clamp_hand_size=True),
        ),
        sentence(
            "setup.hand.must-fit",
            "A table whose hands need more tiles than the set has cannot be opened.",
            "C6",
            when=where(clamp_hand_size=False),
            options="hand_size_by_players max_pip_by_players",
        ),
        sentence(
            "setup.boneyard",
            "The other tiles stay face down: the boneyard. Its size after the deal: {boneyard}.",
            "1A.9 1C.2 1D.2",
            given="boneyard",
            options="hand_size_by_players max_pip_by_players hub_source",
        ),
        sentence(
            "setup.no-boneyard",
            "Every tile is dealt, so there is no boneyard: a player who cannot play draws nothing "
            "and passes.",
            "1A.3 C4",
            given="no-boneyard",
            options="hand_size_by_players max_pip_by_players",
        ),
        sentence(
            "setup.markers",
            "Each player has a marker for the own train. The Mexican Train needs none: it is "
            "always open.",
            "1A.4 1B.2 1D.2 1C.9",
            informational=True,
        ),
        sentence(
            "setup.layout",
            "Where the trains lie and which way they bend changes nothing, nor does a hub with "
            "too few slots.",
            "1A.5 1B.11 1C.6 C41",
            informational=True,
        ),
        sentence(
            "setup.two-players",
            "Two players play by the same rules; an open double goes back and forth between them.",
            "C5",
            given="two-players",
        ),
    ),
)
