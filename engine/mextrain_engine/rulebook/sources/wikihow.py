"""The third source: wikiHow, read in a Finnish translation. Data only."""

from mextrain_engine.rulebook.sources.model import Document, said

DOCUMENT = Document(
    "1C",
    "WH",
    "wikiHow (source 002, Finnish)",
    "wikihow",
    (
        said("1C.1", "L5", "All 91 tiles of a double-12 set, face down and mixed.", "S"),
        said(
            "1C.2",
            "L7, L9",
            "Up to 6 players: 12 tiles each, on edge; 7-8: 10; 9-10: 8. The rest is the boneyard.",
            "S/O",
        ),
        said(
            "1C.3",
            "L11-13",
            "Whoever has 12-12 starts the first game by laying it in the centre; next game 11-11, "
            "and so on to the 13th.",
            "S",
        ),
        said(
            "1C.4",
            "L14",
            "Nobody has it: players draw one each, clockwise, repeatedly until it is found.",
            "S/O",
        ),
        said(
            "1C.5",
            "L16-21",
            "Advice: plan the longest train; keep starters apart; keep loose tiles for the "
            "Mexican Train; slot doubles early into your train (1-1 inside it).",
            "S/O",
        ),
        said(
            "1C.6",
            "L23",
            "Clockwise from the starter, each lays his train: one line from the centre toward "
            "himself, adjacent ends matching, its first tile matching the hub. It may bend.",
            "S/O",
        ),
        said(
            "1C.7",
            "L25",
            "Cannot start: draws from the boneyard, hoping for a match; if it fits he plays it. A "
            "player without a train keeps taking tiles until he draws a starter or can play on a "
            "Mexican Train that is there. Read as one draw a turn; the text also permits until "
            "found.",
            "S/O/I",
        ),
        said(
            "1C.8",
            "L26",
            "Nobody may play on another's train or start the Mexican Train on his first turn; "
            "your first tile after the hub is your own train.",
            "S",
        ),
        said(
            "1C.9",
            "L28",
            "Afterwards anyone may at his turn start the Mexican Train with a tile matching the "
            "hub; it is marked as open to all.",
            "S/O",
        ),
        said(
            "1C.10",
            "L30",
            "Can play nowhere: must draw; a tile that fits is played at once; otherwise he passes.",
            "S/O",
        ),
        said(
            "1C.11",
            "L31",
            "Drawn tile does not fit: he marks the end of his train, so that all may add to it.",
            "S/O",
        ),
        said(
            "1C.12",
            "L32",
            "Your turn ends when you play a non-double, or cannot play and pass by placing a coin "
            "on your train. So after a double you keep playing.",
            "S",
        ),
        said(
            "1C.13",
            "L32",
            "Sole exception: a double as your last tile takes you out; the round is over, you "
            "score 0.",
            "S",
        ),
        said(
            "1C.14",
            "L33-34",
            "A turn ended with a double exposed: the next player must cover it if able, even on a "
            "personal unmarked train; else draws; else passes leaving a coin on his train, and "
            "the next is bound.",
            "S/O",
        ),
        said(
            "1C.15",
            "L34",
            "If a player leaves several doubles uncovered, the players after him cover each of "
            "them in turn, in the order played.",
            "S/O",
        ),
        said("1C.16", "L36", "Ends when someone goes out or nobody can play.", "S"),
        said("1C.17", "L38", "Remaining dots are penalty points; the out-player 0.", "S/O"),
        said("1C.18", "L40", "Full match: 13 games, 12-12 to 0-0; the lowest total wins.", "S/O"),
        said(
            "1C.19",
            "L44",
            "Some lay single tiles from the very start; more often everyone lays a whole train "
            "first.",
            "S",
        ),
        said("1C.20", "L45", "Some allow only one double a turn.", "S/O"),
        said(
            "1C.21",
            "L46",
            "\"Some play in a way that blocks another player's train alone\": perhaps others' "
            "trains are never playable.",
            "?",
        ),
        said(
            "1C.22",
            "L47",
            "Some require a player to mark his train when he cannot cover a double left to him, "
            "and forbid closing it until that double is covered.",
            "?",
        ),
        said(
            "1C.23",
            "L48",
            "Some score positively: the player going out gets the total of the others' remaining "
            "pips; several winners of a block share it.",
            "S",
        ),
        said(
            "1C.24",
            "Q&A",
            "Double-blank generally 50, some 25; doubles otherwise face value; blanks are not "
            "wild; a double left by another is covered before you start your own train; covering "
            "it does not open that train; you may delay starting your own train and play others "
            "that are available.",
            "S",
        ),
    ),
)
