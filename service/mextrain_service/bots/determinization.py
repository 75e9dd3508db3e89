"""Tables that a seat may imagine: whole states that look to it just like the one it sees.

Builds states out of views and the public rules; it is never handed a state, and could not ask one.

Rivals' hands and the boneyard are dealt anew from the tiles that the seat does not see, each hand
as large as it is seen to be. What a marker tells is used softly: whoever could not play at home is
dealt what fits there only when nothing else is left. What no view tells is filled in as it almost
always is: nobody is barred from its own train, and the turn has laid a double if it owes for one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise

from mextrain_engine import MEXICAN, Owed, Phase, Round, RuleSet, State, View, mask_of
from mextrain_engine.options import OwnTrainAfterFailedDuty
from mextrain_engine.state import NOT_BARRED
from mextrain_engine.tiles import TILES_WITH, double, full_set, tile, tiles_in
from mextrain_engine.views import RoundView

_NOBODY = -1


def imagined(view: View, rules: RuleSet, chance: random.Random) -> State:
    """Return a state whose view from the same seat is the given one.

    Args:
        view: what a seat sees of a live round.
        rules: the rules of the table.
        chance: what the hidden tiles are dealt by.

    Raises:
        ValueError: the view is a spectator's, or no round is live.
    """
    round_ = view.round
    if round_ is None or view.seat is None or round_.turn is None:
        raise ValueError("only a seat of a live round can imagine its table")
    seen = _laid(round_)
    hidden: list[int] = list(tiles_in(unseen(view, rules)))
    chance.shuffle(hidden)
    hands = _hands(view, round_, view.seat, hidden)
    return State(
        rules=rules,
        seats=view.seats,
        phase=Phase.PLAYING,
        results=view.results,
        round=_round(round_, round_.turn, hands, bytes(hidden), rules)._replace(seen=seen),
    )


def unseen(view: View, rules: RuleSet) -> int:
    """Return the tiles that the seat does not see, as a mask: rivals' hands and the boneyard."""
    assert view.round is not None
    whole = full_set(rules.max_pip(view.seats))
    return whole & ~_laid(view.round) & ~mask_of(view.hand)


def _hands(view: View, round_: RoundView, own: int, hidden: list[int]) -> tuple[int, ...]:
    """Return a hand for each seat, taken out of ``hidden``; what stays there is the boneyard."""
    hands = [0] * view.seats
    hands[own] = mask_of(view.hand)
    rivals = [seat for seat in range(view.seats) if seat != own]
    # Whoever is to avoid some tiles chooses first, while there are others.
    for seat in sorted(rivals, key=lambda rival: not round_.trains[rival].marked):
        avoided = _avoided(round_, seat)
        if avoided:
            hidden.sort(key=lambda tile_id: avoided >> tile_id & 1)
        count = round_.hand_counts[seat]
        hands[seat] = mask_of(hidden[:count])
        del hidden[:count]
    return tuple(hands)


def _avoided(round_: RoundView, seat: int) -> int:
    """Return the tiles that the seat most likely has not, for it has not played them."""
    if not round_.trains[seat].marked:
        return 0
    avoided = TILES_WITH[round_.trains[seat].pips[-1]]
    for train in round_.open_doubles:
        avoided |= TILES_WITH[round_.trains[train].pips[-1]]
    return avoided


def _round(
    round_: RoundView, turn: int, hands: tuple[int, ...], boneyard: bytes, rules: RuleSet
) -> Round:
    seats = range(len(hands))
    barred = rules.own_train_after_failed_duty is OwnTrainAfterFailedDuty.CLOSED_UNTIL_COVERED
    covers = round_.owed in {Owed.COVER, Owed.MAY_COVER}
    return Round(
        number=round_.number,
        hub=round_.hub,
        starter=round_.starter,
        hands=hands,
        boneyard=boneyard,
        trains=tuple(bytes(train.pips) for train in round_.trains),
        markers=_mask(seat for seat in seats if round_.trains[seat].marked),
        open_doubles=round_.open_doubles,
        deferred=tuple(train.train for train in round_.trains if train.deferred_double),
        begun=_mask(_begun(round_, turn, len(hands))),
        out=_mask(seat for seat in seats if not hands[seat]),
        turn=turn,
        laid=round_.laid,
        doubles=int(round_.owed is not Owed.NOTHING),
        drawn=round_.drawn,
        owed=round_.owed,
        owed_train=_last_double(round_) if covers else MEXICAN,
        called=_mask(round_.called),
        uncalled=_NOBODY if round_.call_due is None else round_.call_due,
        barred=(NOT_BARRED,) * len(hands) if barred else (),
        seen=0,
    )


def _last_double(round_: RoundView) -> int:
    """Return the train whose double the turn owes a cover: the latest that waits for one."""
    if round_.open_doubles:
        return round_.open_doubles[-1]
    return next((train.train for train in round_.trains if train.deferred_double), MEXICAN)


def _begun(round_: RoundView, turn: int, seats: int) -> Iterable[int]:
    """Return the seats whose first turn is over: all, or those from the starter to the turn."""
    if not round_.first_turn:
        return range(seats)
    return ((round_.starter + k) % seats for k in range((turn - round_.starter) % seats))


def _laid(round_: RoundView) -> int:
    def tiles() -> Iterator[int]:
        yield double(round_.hub)
        for train in round_.trains:
            yield from (tile(near, far) for near, far in pairwise(train.pips))

    return mask_of(tiles())


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
