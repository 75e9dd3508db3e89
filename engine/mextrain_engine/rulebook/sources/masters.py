"""The second source: Masters Traditional Games, read in an Indonesian translation. Data only."""

from mextrain_engine.rulebook.sources.model import Document, said

DOCUMENT = Document(
    "1B",
    "MG",
    "Masters Traditional Games (source 001, Indonesian)",
    "masters",
    (
        said("1B.1", "L2", "A strategic game; aim: get rid of all tiles first.", "S"),
        said(
            "1B.2",
            "",
            "Double-12 set, hub with eight slots, a marker for each player and one for the "
            "Mexican Train. Hands: up to 4 players 15, 5-6 12, 7-8 10. The highest double in any "
            "hand goes in the hub; the player to the left of the one who laid it starts, "
            "clockwise.",
            "O",
        ),
        said(
            "1B.3",
            "L4",
            "A player who cannot play, after drawing, puts his marker on the last tile of his "
            "train, which becomes available to the others.",
            "S/O",
        ),
        said("1B.4", "L5", "Playing on your own marked train removes the marker.", "S"),
        said(
            "1B.5",
            "L6",
            "Playing a double gives another turn at once. No duty to cover in the basic rules.",
            "S",
        ),
        said(
            "1B.6",
            "L8-11",
            "Three kinds of available train: the own; the Mexican Train, which any player may "
            "start with a tile matching the centre double; another's only if marked.",
            "S",
        ),
        said(
            "1B.7",
            "L13",
            "First to empty the hand; the game stops at once even if the last tile is a double.",
            "S",
        ),
        said("1B.8", "L14", "Winner 0; others the dots left.", "S"),
        said("1B.9", "L15", "Usually a series of games; the lowest total wins the match.", "S"),
        said(
            "1B.10",
            "L17",
            "No double in any hand: players take from the boneyard until someone finds a double, "
            "laid in the centre at once.",
            "S/O",
        ),
        said(
            "1B.11",
            "L18",
            "With 8 players no hub slot is left: the Mexican Train is started away from the "
            "centre (layout only).",
            "S",
        ),
        said(
            "1B.12",
            "L19",
            "Cannot start on the first turn: he marks his train, without a draw. When he later "
            "can start, he lays one tile and removes the marker; the chance of several tiles "
            "exists only on the first turn.",
            "S",
        ),
        said(
            "1B.13",
            "L20",
            "Cannot play and the boneyard is empty: pass and see that a marker is on the train.",
            "S/O",
        ),
        said(
            "1B.14",
            "L21",
            "A player goes out on his first turn: the others still take their first turn; only "
            "then play stops and is scored.",
            "S",
        ),
        said(
            "1B.15",
            "L23",
            "Variation: a match of 13 games starting with 12-12, then 11-11, down to 0-0.",
            "S",
        ),
        said(
            "1B.16",
            "L24",
            "Variation: no special first turn, one tile only, as on other turns.",
            "S",
        ),
        said(
            "1B.17",
            "L26",
            "Extra rules for doubles exist; not recommended to beginners, children or lovers of "
            "simpler play.",
            "S",
        ),
        said(
            "1B.18",
            "L27",
            'Variation "satisfy": a double at the end of any train must be covered in the next '
            "turn, even on an unmarked train of another; all other trains are disregarded; who "
            "cannot, directly or after drawing, marks the own train and the turn goes on. The "
            "strict reading binds the player of the double first.",
            "S/O",
        ),
        said(
            "1B.19",
            "L28",
            "Variation: the player of a double is not obliged to play on that double at once: the "
            "extra tile may go elsewhere and the next player inherits the duty. The literal "
            "reading, an optional extra turn, stays available.",
            "O/I",
        ),
        said(
            "1B.20",
            "",
            "Of that variation: two or more doubles laid by one player are covered in reverse "
            "order.",
            "O",
        ),
    ),
)
