"""The longest and the heaviest train that a hand can lay from a given end.

A hand is a graph: pip values are its nodes, tiles its edges, and a train is a trail, which uses
each edge once. The search walks the trails depth first. What keeps it short: a double is taken as
soon as its value is reached (that never hurts); positions are remembered by the tiles that can
still be reached; and a bound from parity says how much of them any trail must leave behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from mextrain_engine.tiles import HIGH, LOW, PIPS, TileId, double, is_double
from mextrain_service.bots.eulerian_trail import ODD_LIMIT, bits, parity_trail

EXACT_HAND_LIMIT = 20
"""Hands up to this many tiles are searched to the end in well under a second."""

_LENGTH_UNIT = 1 << 13
"""More than all points of any set together (3420 pips and 100), so length comes first."""

_WEIGHT_UNIT = 1 << 8
"""More tiles than any set has, so pips come first."""


_DENSE_FROM = 14
"""Plain tiles from which on proving a train by parity is tried; with fewer, walking is quicker."""

_WORK_PER_SEARCH = 20
_WORK_PER_REACH = 4
_WORK_OF_PARITY = 300
"""What the parts of a search take, in units of about a microsecond, measured on hands of 20. To
pair odd values off takes about twice as long with each one more."""


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """A train that a hand can lay.

    Attributes:
        start: the pip value that it starts from.
        tiles: its tiles in the order of laying; empty when none fits.
        pips: its chain, the start first: one entry more than tiles.
        weight: points of its tiles.
        exact: no better train exists; false when the search was cut short.
        work: what the search took, in units of about a microsecond.
    """

    start: int
    tiles: tuple[TileId, ...]
    pips: tuple[int, ...]
    weight: int
    exact: bool
    work: int = field(default=0, compare=False, repr=False)


def longest_train(
    hand: Iterable[int], start: int, *, double_blank: int = 0, max_positions: int | None = None
) -> TrainPlan:
    """Return the train with the most tiles; among those, one with the most points.

    >>> from mextrain_engine.tiles import parse_tile
    >>> hand = [parse_tile(text) for text in ("12-5", "5-5", "5-0", "12-11")]
    >>> longest_train(hand, 12).pips
    (12, 5, 5, 0)

    Args:
        hand: tiles, each once.
        start: the pip value to start from: the hub's, or a train's end.
        double_blank: points of the double-blank, 0 to 100.
        max_positions: positions to look at before the search is cut short; None searches to the
            end, which is quick up to ``EXACT_HAND_LIMIT`` tiles and may not be beyond.
    """
    return _search(hand, start, double_blank, max_positions, lambda points: _LENGTH_UNIT + points)


def heaviest_train(
    hand: Iterable[int], start: int, *, double_blank: int = 0, max_positions: int | None = None
) -> TrainPlan:
    """Return the train with the most points; among those, one with the most tiles.

    >>> from mextrain_engine.tiles import parse_tile
    >>> hand = [parse_tile(text) for text in ("12-2", "2-1", "1-0", "12-11")]
    >>> heaviest_train(hand, 12).pips
    (12, 11)

    Args:
        hand: tiles, each once.
        start: the pip value to start from: the hub's, or a train's end.
        double_blank: points of the double-blank, 0 to 100.
        max_positions: as for ``longest_train``.
    """
    return _search(
        hand, start, double_blank, max_positions, lambda points: _WEIGHT_UNIT * points + 1
    )


def _search(
    hand: Iterable[int],
    start: int,
    double_blank: int,
    max_positions: int | None,
    worth: Callable[[int], int],
) -> TrainPlan:
    tiles = tuple(TileId(tile_id) for tile_id in sorted(set(hand)))
    points = [double_blank if tile_id == double(0) else PIPS[tile_id] for tile_id in tiles]
    search = _TrailSearch(tiles, [worth(count) for count in points], max_positions)
    chosen = search.trail(start)
    pips = [start]
    for place in chosen:
        pips.append(HIGH[tiles[place]] + LOW[tiles[place]] - pips[-1])
    return TrainPlan(
        start=start,
        tiles=tuple(tiles[place] for place in chosen),
        pips=tuple(pips),
        weight=sum(points[place] for place in chosen),
        exact=not search.cut_short,
        work=search.work,
    )


class _TrailSearch:
    """One search over one hand. Masks are over places in the hand, not over tiles."""

    def __init__(
        self, tiles: Sequence[TileId], worth: Sequence[int], max_positions: int | None
    ) -> None:
        self._worth = worth
        self._budget = max_positions
        self._positions = 0
        self._ends = [(HIGH[tile_id], LOW[tile_id]) for tile_id in tiles]
        pips = range(max((HIGH[tile_id] for tile_id in tiles), default=0) + 1)
        self._plain = [0 for _ in pips]
        self._double = [0 for _ in pips]
        for place, tile_id in enumerate(tiles):
            if is_double(tile_id):
                self._double[HIGH[tile_id]] = 1 << place
            else:
                self._plain[HIGH[tile_id]] |= 1 << place
                self._plain[LOW[tile_id]] |= 1 << place
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self.cut_short = False
        self.work = _WORK_PER_SEARCH

    def trail(self, start: int) -> list[int]:
        """Return the places of the best trail from a value, in order."""
        if start >= len(self._plain):
            return []
        left = (1 << len(self._ends)) - 1
        chosen = self._dense_trail(left, start)
        if chosen is not None:
            return self._with_doubles(chosen, start)
        chosen = []
        pip = start
        while True:
            own_double = self._double[pip] & left
            if own_double:
                chosen.append(own_double.bit_length() - 1)
                left ^= own_double
            left, _ = self._reach(left, pip)
            _, place = self._best(left, pip)
            if place < 0:
                return chosen
            chosen.append(place)
            left ^= 1 << place
            high, low = self._ends[place]
            pip = high + low - pip

    def _dense_trail(self, left: int, start: int) -> list[int] | None:
        """Return the best trail less its doubles, if the tiles are many and parity proves it."""
        reached, _ = self._reach(left, start)
        plain = [place for place in bits(reached) if self._ends[place][0] != self._ends[place][1]]
        if len(plain) < _DENSE_FROM:
            return None
        odd = sum((around & reached).bit_count() & 1 for around in self._plain)
        self.work += _WORK_OF_PARITY + (1 << min(odd, ODD_LIMIT))
        trail = parity_trail(
            [self._ends[place] for place in plain],
            [self._worth[place] for place in plain],
            {
                pip: self._worth[mask.bit_length() - 1]
                for pip, mask in enumerate(self._double)
                if mask
            },
            start,
        )
        return None if trail is None else [plain[index] for index in trail]

    def _with_doubles(self, plain: Sequence[int], start: int) -> list[int]:
        """Return a trail with the double of each value put in where the value is first reached."""
        pip, places, seen = start, [], set()
        for place in (-1, *plain):
            if place >= 0:
                places.append(place)
                high, low = self._ends[place]
                pip = high + low - pip
            if pip not in seen and self._double[pip]:
                places.append(self._double[pip].bit_length() - 1)
            seen.add(pip)
        return places

    def _best(self, left: int, pip: int) -> tuple[int, int]:
        """Return the best worth that ``left`` gives from ``pip``, and the place of its first tile.

        ``left`` holds only what can be reached, and the double of ``pip`` is not in it.
        """
        if not left:
            return 0, -1
        found = self._known.get((left, pip))
        if found is not None:
            return found
        self._positions += 1
        best, best_place = 0, -1
        for bound, gain, place, rest, far in self._branches(left, pip):
            if bound <= best:
                break
            if best_place >= 0 and self._budget is not None and self._positions > self._budget:
                self.cut_short = True
                break
            total = gain + self._best(rest, far)[0]
            if total > best:
                best, best_place = total, place
        self._known[left, pip] = best, best_place
        return best, best_place

    def _branches(self, left: int, pip: int) -> list[tuple[int, int, int, int, int]]:
        """Return (bound, gain, place, rest, far end) for each tile that fits, best bound first."""
        branches = []
        fitting = self._plain[pip] & left
        while fitting:
            bit = fitting & -fitting
            fitting ^= bit
            place = bit.bit_length() - 1
            high, low = self._ends[place]
            far = high + low - pip
            gain = self._worth[place]
            rest = left ^ bit
            own_double = self._double[far] & rest
            if own_double:
                gain += self._worth[own_double.bit_length() - 1]
                rest ^= own_double
            rest, bound = self._reach(rest, far)
            branches.append((gain + bound, gain, place, rest, far))
        branches.sort(key=lambda branch: (-branch[0], branch[2]))
        return branches

    def _reach(self, left: int, pip: int) -> tuple[int, int]:
        """Return what of ``left`` can be reached from ``pip``, and a bound on a trail's worth.

        A trail leaves an even number of its tiles' ends at each value but its own two ends, so
        each value with an odd number loses a tile; a tile can be the loss of two values.
        """
        reached = seen = 0
        total = odd_loss = dearest = here = 0
        waiting = [pip]
        seen = 1 << pip
        while waiting:
            value = waiting.pop()
            around = self._plain[value] & left
            new = (around | self._double[value] & left) & ~reached
            reached |= new
            while new:
                bit = new & -new
                new ^= bit
                place = bit.bit_length() - 1
                total += self._worth[place]
                high, low = self._ends[place]
                far = high + low - value
                if not seen >> far & 1:
                    seen |= 1 << far
                    waiting.append(far)
            odd = around.bit_count() & 1
            if not around or not (odd or value == pip):
                continue
            loss = min(self._worth[place] for place in bits(around))
            if value == pip:
                here = 0 if odd else loss
            else:
                odd_loss += loss
                dearest = max(dearest, loss)
        self.work += _WORK_PER_REACH + reached.bit_count()
        # The trail's far end may be odd: it is spared, at the price of its near end being odd too.
        spared = max(0, dearest - here)
        return reached, total - (odd_loss - spared + 1) // 2
