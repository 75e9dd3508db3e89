"""Markers: when a train is opened to all and when it is closed again. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "markers",
    "Markers",
    (
        sentence(
            "marker.unable",
            "A player who ends a turn without having been able to play gets a marker on the own "
            "train, unless it is there already.",
        ),
        sentence(
            "marker.open",
            "While a train is marked, every player may play at its end.",
            opponents_trains="when_marked",
        ),
        sentence(
            "marker.unstarted",
            "A train that has no tile yet is marked in the same way.",
            mark_when_unstarted=True,
        ),
        sentence(
            "marker.unstarted.no",
            "A train that has no tile yet is not marked.",
            mark_when_unstarted=False,
        ),
        sentence(
            "marker.unstarted.open",
            "Others may lay the first tile of a marked train that has none. It stays its owner's "
            "train, and marked.",
            mark_when_unstarted=True,
            unstarted_marked_train_open=True,
            opponents_trains="when_marked",
        ),
        sentence(
            "marker.unstarted.closed",
            "Nobody but its owner may lay the first tile of a train, marked or not.",
            unstarted_marked_train_open=False,
        ),
        sentence(
            "marker.cleared.own-train",
            "The marker comes off when its owner plays on the own train; a play elsewhere leaves "
            "it there.",
            marker_clear="own_train_play",
        ),
        sentence(
            "marker.cleared.any-play",
            "The marker comes off when its owner plays anywhere.",
            marker_clear="any_play",
        ),
        sentence(
            "marker.cleared.manual",
            "The marker comes off when its owner says so.",
            marker_clear="manual",
        ),
        sentence(
            "marker.cleared.double-at-once",
            "A double on your own marked train takes the marker off at once; if you then fail to "
            "lay the tile that it asks for, your train is marked again.",
            marker_clear_on_double="immediate",
            double_followup="required",
            double_fail_marks=True,
        ),
        sentence(
            "marker.cleared.double-no-mark",
            "A double on your own marked train takes the marker off at once.",
            marker_clear_on_double="immediate",
            double_followup="required",
            double_fail_marks=False,
        ),
        sentence(
            "marker.cleared.double-free",
            "A double on your own marked train takes the marker off like any other tile.",
            marker_clear_on_double="immediate",
            double_followup=("optional", "none"),
        ),
        sentence(
            "marker.cleared.double-when-covered",
            "A double on your own marked train takes the marker off only when it is covered.",
            marker_clear_on_double="when_covered",
        ),
        sentence(
            "marker.others-play",
            "When others play on a marked train, the marker moves to its new end and stays.",
            opponents_trains="when_marked",
        ),
        sentence(
            "marker.cover-elsewhere",
            "Covering a double on another train leaves your own marker where it is; covering one "
            "on your own train takes it off.",
            marker_clear="own_train_play",
            given="doubles-bind",
        ),
        sentence(
            "marker.forgotten",
            "A player who forgets the marker draws {forgotten}.",
            given="markers-forgotten",
            options="forgot_marker_penalty",
        ),
        sentence(
            "marker.automatic",
            "Markers are placed and taken off for you; nobody can forget one.",
            forgot_marker_penalty=0,
        ),
    ),
)
