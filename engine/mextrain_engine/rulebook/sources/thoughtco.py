"""The first source: ThoughtCo, read in a Chinese translation. Data only."""

from mextrain_engine.rulebook.sources.model import Document, said

DOCUMENT = Document(
    "1A",
    "TC",
    "ThoughtCo (source 000, Chinese)",
    "thoughtco",
    (
        said("1A.1", "L1, L4", "2 to 14 players; best with 4 to 8.", "S"),
        said("1A.2", "L2", 'Also called "Trains"; mainly played in the USA.', "S"),
        said(
            "1A.3",
            "L6, L13",
            "A double-six set serves at most four players, seven tiles each; with four the whole "
            "set is dealt and the boneyard is empty.",
            "S",
        ),
        said("1A.4", "L7", "One marker for each player and one extra (the Mexican Train's).", "S"),
        said("1A.5", "L8", 'A centre "station" is optional.', "S"),
        said("1A.6", "L10", "Aim: be first to lay all tiles.", "S"),
        said(
            "1A.7",
            "L12",
            "Shuffle face down; tiles stand on edge, their faces seen by the owner only.",
            "S",
        ),
        said(
            "1A.8",
            "L15-20",
            "Hands: 2-3 players double-9, 15 each; 4: double-12, 15; 5-6: double-12, 12; 7-8: "
            "double-12, 11; 9-12: double-15, 11; 13-14: double-18, 11.",
            "S",
        ),
        said("1A.9", "L21", "The rest, face down, is the boneyard.", "S"),
        said(
            "1A.10",
            "L23",
            "The holder of the double-12 (of the highest double of the set) starts round 1 by "
            "laying it in the centre.",
            "S/O",
        ),
        said("1A.11", "L24", "Each later round is opened by the next lower double.", "S/O"),
        said(
            "1A.12",
            "L24",
            "The 13th and last round opens with the double-blank; for other sets the count is the "
            "highest value plus one.",
            "S/I",
        ),
        said(
            "1A.13",
            "L25",
            "If nobody holds it, players take turns drawing from the boneyard until it appears; "
            "whoever draws it starts the round. Other tiles drawn are kept.",
            "S/O/I",
        ),
        said(
            "1A.14",
            "L27",
            "The starter lays a single line from the hub toward himself; the inner end equals the "
            "hub's number. Laying the hub does not use up his first turn.",
            "S",
        ),
        said("1A.15", "L28", "Others do the same in clockwise order.", "S"),
        said(
            "1A.16",
            "L29",
            "On the first turn only, a player may lay as many tiles as he wishes, so long as the "
            "line stays valid.",
            "S",
        ),
        said("1A.17", "L30", "Valid train: adjacent ends match.", "S"),
        said(
            "1A.18",
            "L30",
            "If a player can lay all his tiles on the first turn, the round ends after every "
            "player has had one turn.",
            "S/O",
        ),
        said(
            "1A.19",
            "L31",
            "A player who cannot start puts a marker where his first tile would go; he does not "
            "draw.",
            "S",
        ),
        said(
            "1A.20",
            "L31",
            "From the second turn on any player may play in a marked spot: others may start an "
            "unstarted marked train.",
            "S",
        ),
        said(
            "1A.21",
            "L31",
            "On the first turn the only choices are to start your own train or to pass.",
            "S",
        ),
        said(
            "1A.22",
            "L33",
            "From the second turn any player may start the Mexican Train, its inner end matching "
            "the hub.",
            "S",
        ),
        said(
            "1A.23",
            "L35",
            "Play goes on clockwise, one tile a turn unless that tile is a double.",
            "S",
        ),
        said(
            "1A.24",
            "L36",
            "The tile may go on the own train, on another player's train if it is marked (its "
            "owner could not play on his previous move), or on the Mexican Train.",
            "S",
        ),
        said("1A.25", "L36", "The Mexican Train (or Caboose) is always open to all.", "S/O"),
        said("1A.26", "L37", "Every tile must continue a valid train.", "S"),
        said("1A.27", "L38", "Who cannot place must draw one, and may play it if legal.", "S"),
        said("1A.28", "L38", "Still cannot: marker on the end of his train, next player.", "S"),
        said(
            "1A.29",
            "L38",
            "Boneyard empty: just mark. A play of the owner on the marked train closes it.",
            "S/O",
        ),
        said(
            "1A.30",
            "L40",
            "From the second turn, a player laying a double must play a second tile, in any legal "
            "position.",
            "S",
        ),
        said("1A.31", "L41", "If the second is also a double, a third follows, and so on.", "S"),
        said(
            "1A.32",
            "L42",
            "Cannot play the second or third: draw one if any; if that cannot be played or none "
            "exists, marker on own train, turn passes.",
            "S",
        ),
        said(
            "1A.33",
            "L43",
            'A turn that ends with an open double obliges the next player to "satisfy" it: to play '
            "a tile onto that double.",
            "S/O",
        ),
        said("1A.34", "L43", "This holds even if the move would otherwise be illegal.", "S/O"),
        said(
            "1A.35",
            "L43",
            "If he cannot, he draws one; failing that, he marks his own train and play moves on; "
            "the obligation stays for the players after him. Several open doubles: not addressed.",
            "S/O",
        ),
        said(
            "1A.36",
            "L45",
            "The round ends when a player places his final tile or nobody has a legal play. A "
            "last tile that is a double ends it too.",
            "S/I",
        ),
        said(
            "1A.37",
            "L47",
            "The player going out scores 0; others add the pips left in hand; the double-blank "
            "counts 50.",
            "S",
        ),
        said("1A.38", "L49", "After all rounds the fewest points win.", "S"),
        said(
            "1A.39",
            "L50",
            "Tie: most zero-point rounds; still tied: lowest total in a single round other than "
            "zero.",
            "S/O",
        ),
    ),
)
