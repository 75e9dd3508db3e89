"""Corner cases of doubles: C19 to C34. Data only."""

from mextrain_engine.rulebook.sources.model import CornerCase

CASES: tuple[CornerCase, ...] = (
    CornerCase(
        "C19",
        "Which tile closes an open double?",
        "All texts: one laid on it.",
        "Only a matching tile on that double's train; a matching tile elsewhere never does.",
    ),
    CornerCase(
        "C20",
        "An open double on an unmarked train.",
        "WQ: playable by all for that tile only.",
        "Duty overrides access; the train stays unmarked.",
    ),
    CornerCase(
        "C21",
        "The player of a double can play elsewhere but not on the double.",
        "TC, WH, PG, GF: may. EH, GI, CD, MG strict: must cover or draw.",
        "An option: double_followup_where.",
    ),
    CornerCase(
        "C22",
        "A double, then another double: may he cover the first now?",
        "TC: any legal place. snitker: not on later doubles.",
        "Yes, any open end, his own open doubles included. The covering tile ends the turn; "
        "uncovered ones become the next player's duty.",
    ),
    CornerCase(
        "C23",
        "Several inherited open doubles.",
        "PG, snitker: as played. MG refinement: in reverse. OD: any. WH: each in turn.",
        "fifo by default. Who can cover only the second draws, marks, passes. One covering tile a "
        "turn, then the turn ends.",
    ),
    CornerCase(
        "C24",
        "May a player under an inherited duty lay a double?",
        "Tiles that cover are plain.",
        "Never; after drawing too he may only cover. A turn under a duty is at most one tile.",
    ),
    CornerCase(
        "C25",
        "The next player cannot cover and the boneyard is empty.",
        "TC, EH, PG: mark and pass.",
        "He marks his own train and the duty passes on, also back to the layer.",
    ),
    CornerCase(
        "C26",
        "A dead double: its value is used up in hands and boneyard.",
        "TC literal: nobody may play, the round blocks. WARP cancels the duty. AK: after a lap.",
        "An option. released: at once when every tile of the value lies on trains. blocks: nothing "
        "special happens. The hub can never be an open double.",
    ),
    CornerCase(
        "C27",
        "The layer of a double fails to follow up.",
        "TC, EH, OD: marks although he did play. DM: does not.",
        "Marks (double_fail_marks).",
    ),
    CornerCase(
        "C28",
        "A double on the own marked train.",
        "An own play takes the marker off; DC waits for the cover.",
        "At once; it comes back if he then fails to follow up.",
    ),
    CornerCase(
        "C29",
        "Covering an opponent's double while the own train is marked.",
        "WARP, MG: stays marked.",
        "Stays; covering on the own train clears; a cover by another changes no marker.",
    ),
    CornerCase(
        "C30",
        "Going out on a double.",
        "MG, WH, WP: ends at once. RP, WARP, DC: must follow up.",
        "Allowed; no second tile, no draw.",
    ),
    CornerCase(
        "C31",
        "Going out while doubles stay open.",
        "No source forbids it.",
        "Out, round over. Under an inherited duty the last tile must be a cover.",
    ),
    CornerCase(
        "C32",
        "The last double of a value with all others laid.",
        "MT: it can never be played.",
        "No rule; it counts in scoring.",
    ),
    CornerCase(
        "C33",
        "Does an open double on the Mexican Train bind too?",
        "All: any train.",
        "Yes.",
    ),
    CornerCase(
        "C34",
        "The extra turn of the masters base rules.",
        "Not said.",
        "A full turn: cannot-play rules apply, draw and marker.",
    ),
)
