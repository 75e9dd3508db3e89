"""Markers: when a train is opened to all and when it is closed again. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

SECTION = Section(
    "markers",
    "Markers",
    (
        sentence(
            "marker.unable",
            "A player who ends a turn without having been able to play gets a marker on the own "
            "train, unless it is there already.",
            "1A.28 1A.29 1B.3 1B.13 1C.11 1D.7 C11",
        ),
        sentence(
            "marker.open",
            "While a train is marked, every player may play at its end.",
            "1A.24 1B.3 1C.11 1D.7",
            when=where(opponents_trains="when_marked"),
        ),
        sentence(
            "marker.unstarted",
            "A train that has no tile yet is marked in the same way.",
            "1A.19 1B.12 C39",
            when=where(mark_when_unstarted=True),
        ),
        sentence(
            "marker.unstarted.no",
            "A train that has no tile yet is not marked.",
            "MT",
            when=where(mark_when_unstarted=False),
        ),
        sentence(
            "marker.unstarted.open",
            "Others may lay the first tile of a marked train that has none. It stays its owner's "
            "train, and marked.",
            "1A.20 C17 PG",
            when=where(
                mark_when_unstarted=True,
                unstarted_marked_train_open=True,
                opponents_trains="when_marked",
            ),
        ),
        sentence(
            "marker.unstarted.closed",
            "Nobody but its owner may lay the first tile of a train, marked or not.",
            "C17",
            when=where(unstarted_marked_train_open=False),
        ),
        sentence(
            "marker.cleared.own-train",
            "The marker comes off when its owner plays on the own train; a play elsewhere leaves "
            "it there.",
            "1A.29 1B.4 1B.12 1D.7 C35 C36 PG",
            when=where(marker_clear="own_train_play"),
        ),
        sentence(
            "marker.cleared.any-play",
            "The marker comes off when its owner plays anywhere.",
            "C36",
            when=where(marker_clear="any_play"),
        ),
        sentence(
            "marker.cleared.manual",
            "The marker comes off when its owner says so.",
            "JI RP",
            when=where(marker_clear="manual"),
        ),
        sentence(
            "marker.cleared.double-at-once",
            "A double on your own marked train takes the marker off at once; if you then fail to "
            "lay the tile that it asks for, your train is marked again.",
            "C28",
            when=where(
                marker_clear_on_double="immediate",
                double_followup="required",
                double_fail_marks=True,
            ),
        ),
        sentence(
            "marker.cleared.double-no-mark",
            "A double on your own marked train takes the marker off at once.",
            "C28",
            when=where(
                marker_clear_on_double="immediate",
                double_followup="required",
                double_fail_marks=False,
            ),
        ),
        sentence(
            "marker.cleared.double-free",
            "A double on your own marked train takes the marker off like any other tile.",
            "C28",
            when=where(marker_clear_on_double="immediate", double_followup=("optional", "none")),
        ),
        sentence(
            "marker.cleared.double-when-covered",
            "A double on your own marked train takes the marker off only when it is covered.",
            "DC C28",
            when=where(marker_clear_on_double="when_covered"),
        ),
        sentence(
            "marker.others-play",
            "When others play on a marked train, the marker moves to its new end and stays.",
            "1D.7 C37",
            when=where(opponents_trains="when_marked"),
        ),
        sentence(
            "marker.cover-elsewhere",
            "Covering a double on another train leaves your own marker where it is; covering one "
            "on your own train takes it off.",
            "C29",
            when=where(marker_clear="own_train_play"),
            given="doubles-bind",
        ),
        sentence(
            "marker.forgotten",
            "A player who forgets the marker draws {forgotten}.",
            "RP",
            given="markers-forgotten",
            options="forgot_marker_penalty",
        ),
        sentence(
            "marker.automatic",
            "Markers are placed and taken off for you; nobody can forget one.",
            "modern",
            when=where(forgot_marker_penalty=0),
        ),
    ),
)
