"""Setting up: players, set, hands, boneyard. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "setup",
    "Setting up",
    (
        sentence(
            "setup.players",
            "{min_players} to {max_players} players can sit at the table.",
            options="min_players max_players",
        ),
        sentence(
            "setup.name",
            "The game is Mexican Train, a game of dominoes; some just call it Trains.",
        ),
        sentence(
            "setup.aim",
            "Get rid of your tiles: on your own train, on the Mexican Train and on the trains of "
            "others, before anybody else gets rid of theirs.",
        ),
        sentence(
            "setup.set",
            "The set holds every pair of values from blank up, once. Highest value: {max_pip}. "
            "Tiles in it: {set_tiles}.",
            options="max_pip_by_players",
        ),
        sentence(
            "setup.face-down",
            "The tiles are mixed face down. Only you see the faces of the tiles in your hand.",
        ),
        sentence(
            "setup.hand",
            "Tiles dealt to each player: {hand}.",
            options="hand_size_by_players",
        ),
        sentence(
            "setup.hand.clamped",
            "If the set is too small for that, everybody is dealt as many tiles as can be shared "
            "out evenly.",
            clamp_hand_size=True,
        ),
        sentence(
            "setup.hand.must-fit",
            "A table whose hands need more tiles than the set has cannot be opened.",
            clamp_hand_size=False,
            options="hand_size_by_players max_pip_by_players",
        ),
        sentence(
            "setup.boneyard",
            "The other tiles stay face down: the boneyard. Its size after the deal: {boneyard}.",
            given="boneyard",
            options="hand_size_by_players max_pip_by_players hub_source",
        ),
        sentence(
            "setup.no-boneyard",
            "Every tile is dealt, so there is no boneyard: a player who cannot play draws nothing "
            "and passes.",
            given="no-boneyard",
            options="hand_size_by_players max_pip_by_players",
        ),
        sentence(
            "setup.markers",
            "Each player has a marker for the own train. The Mexican Train needs none: it is "
            "always open.",
        ),
        sentence(
            "setup.layout",
            "Where the trains lie and which way they bend changes nothing, nor does a hub with "
            "too few slots.",
        ),
        sentence(
            "setup.two-players",
            "Two players play by the same rules; an open double goes back and forth between them.",
            given="two-players",
        ),
    ),
)
