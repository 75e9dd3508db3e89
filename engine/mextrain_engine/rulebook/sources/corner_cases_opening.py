"""Corner cases of the start of a round, of drawing and of first turns: C1 to C18. Data only."""

from mextrain_engine.rulebook.sources.model import CornerCase

CASES: tuple[CornerCase, ...] = (
    CornerCase(
        "C1",
        "The hub is in no hand and the boneyard runs out.",
        "All undealt tiles are in the boneyard, so the double must turn up.",
        "Cannot happen; an internal error if it did.",
    ),
    CornerCase(
        "C2",
        "Search draws unbalance hands; who draws first?",
        "TC: in turn. PG, GI, KB: everyone equally per lap. First drawer: HC random.",
        "Drawn tiles are kept. Seat order from the left of the previous round's starter; in round "
        "1 from seat 0.",
    ),
    CornerCase("C3", "Does laying the hub use the first turn?", "All texts: no.", "No."),
    CornerCase(
        "C4",
        "Four players, double-six, seven each: the boneyard is empty.",
        "",
        "Allowed; every draw degrades to mark and pass.",
    ),
    CornerCase(
        "C5",
        "Two players.",
        "No source has a special rule; an open double goes back and forth.",
        "No special case.",
    ),
    CornerCase(
        "C6",
        "The hand is too large for the set.",
        "Double-six with 15 is impossible even for two.",
        "Refused at creation, or clamped to an even share on request.",
    ),
    CornerCase(
        "C7",
        "One draw a turn or one for each failure?",
        'TC, EH: "draw one" at each inability. WARP: once a turn. DM: one per obligation.',
        "per_obligation for the source presets; once_per_turn offered.",
    ),
    CornerCase(
        "C8",
        "May a drawn tile that fits be kept?",
        'TC, PG: "may play". WH, OD, WARP: must.',
        "An option; keeping it counts as not playing, so the marker goes up.",
    ),
    CornerCase(
        "C9",
        "May a player decline a legal play or draw voluntarily?",
        "PG, MT, WARP: no. DC: may pass.",
        "No. The choice among legal trains and tiles is free.",
    ),
    CornerCase(
        "C10",
        "Must the drawn tile go to a certain train?",
        "No source restricts it; with an open double it must cover it.",
        "Any train that is legal now.",
    ),
    CornerCase(
        "C11",
        "Boneyard empty and no play.",
        "MG, TC, PG: pass and marker; an existing one stays.",
        "Pass and marker.",
    ),
    CornerCase(
        "C12",
        "May an opening train contain doubles?",
        "WH shows 1-1 inside a train; TC's doubles rule starts at turn two; DC forbids only "
        "ending on one.",
        "Yes; an inner double is covered by its neighbour.",
    ),
    CornerCase(
        "C13",
        "Is a double at the end of a first-turn train open?",
        "TC, HC: no. PG, OD: when all first turns are over. MT, WQ: at once. DC: not allowed.",
        "An option. deferred: opened in order of laying when the first lap ends; several follow "
        "open_double_order.",
    ),
    CornerCase(
        "C14",
        "On the first turn, must the layer of a double follow up?",
        "OD, TC: no.",
        "No with multi_tile. With single_tile the ordinary rules apply from the first tile.",
    ),
    CornerCase(
        "C15",
        "Must he lay everything he can on the first turn?",
        'TC: "as many as they wish". EH: "as able".',
        "Any number from one; if he holds a starter he lays at least one.",
    ),
    CornerCase(
        "C16",
        "After drawing a starter on turn one, may he go on with more tiles?",
        "WH reads both ways.",
        "An option: wikihow true, ehow false.",
    ),
    CornerCase(
        "C17",
        "May others start a train for a player who could not?",
        "TC, PG, C8: yes.",
        "Yes; it is still his train, still marked.",
    ),
    CornerCase(
        "C18",
        "Going out on turn one.",
        "The remaining players finish their first turn; several may then be out.",
        "Several winners of a round, all with 0 and a zero round. Only those after him still "
        "play. Deferred doubles never open.",
    ),
)
