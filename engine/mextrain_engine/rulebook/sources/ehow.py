"""The fourth source: eHow, read in a Norwegian translation. Data only."""

from mextrain_engine.rulebook.sources.model import Document, said

DOCUMENT = Document(
    "1D",
    "EH",
    "eHow (source 003, Norwegian)",
    "ehow",
    (
        said(
            "1D.1",
            "L1",
            "Aim: get rid of all tiles, on your own train, others' trains and the extra train.",
            "S",
        ),
        said("1D.2", "L2", "All tiles face down are the boneyard; each picks a marker.", "S"),
        said("1D.3", "L2", "Hands: up to 4 players 15; 5-6 12; 7-8 10; 9-10 8.", "S"),
        said("1D.4", "L2", "The player with the highest double lays it in the centre.", "S"),
        said(
            "1D.5",
            "L2",
            "Then each starts his own train with a tile matching it; on the first turn only, as "
            "many consecutive matching tiles as able.",
            "S",
        ),
        said(
            "1D.6",
            "L4",
            "Clockwise; each turn one tile, on the own train; players may also start one "
            "collective train from the centre, only one a game.",
            "S",
        ),
        said(
            "1D.7",
            "L4",
            "Cannot play: draw one; if unplayable, a marker on the own train: until its owner "
            "plays on it all others may add to it; then the marker is removed.",
            "S/O",
        ),
        said(
            "1D.8",
            "L5",
            "A double stops normal play; laid sideways; its number must be played before play "
            "resumes.",
            "S",
        ),
        said(
            "1D.9",
            "L5",
            "The player of the double must cover that double; if unable even after one draw, his "
            "own train is marked and the next player must cover; failing after a draw, she marks "
            "her own train; and so on until covered.",
            "S",
        ),
        said(
            "1D.10",
            "L6",
            "A player down to one tile must tap it on the table at once. No penalty named.",
            "S",
        ),
        said(
            "1D.11",
            "L6",
            "When someone plays the last tile the game is over. Nothing on scoring, blocks or a "
            "first turn that goes out.",
            "S",
        ),
    ),
)
