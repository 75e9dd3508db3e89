"""The best trail of a dense graph, found from parity instead of by walking.

Knows graphs; nothing of tiles, hands or trains.

A connected graph has a trail over all its edges when no nodes but the trail's two ends have an odd
degree. So a best trail is what stays when the cheapest edges are left out that make the rest even:
a minimum T-join, which pairs the odd nodes off along shortest paths. What stays may fall apart, or
lose the bonus of a node; then this way proves nothing, and the caller has to walk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

Edge = tuple[int, int]
_Path = tuple[int, frozenset[int]]
"""The cost of a path and its edges, by index."""

_ODD_LIMIT = 10
"""With more odd nodes pairing them costs more than a walk, and the graph is sparse anyway."""


def parity_trail(
    edges: Sequence[Edge], worth: Sequence[int], bonus: Mapping[int, int], start: int
) -> list[int] | None:
    """Return the edges of a trail of the most worth from ``start``, in order; None if unproven.

    Args:
        edges: pairs of different nodes; all can be reached from ``start``.
        worth: of each edge, positive.
        bonus: what visiting a node adds, for the nodes that add something.
        start: the node that the trail starts from.
    """
    nodes = {start, *(node for edge in edges for node in edge)}
    odd = frozenset(node for node in nodes if sum(node in edge for edge in edges) % 2)
    if len(odd) > _ODD_LIMIT:
        return None
    pair_off = _pairing(_shortest_paths(nodes, edges, worth))
    ends = sorted(odd) or [start]
    if start not in odd and odd:
        ends.append(start)
    cheapest = min(pair_off(odd ^ {start} ^ {end})[0] for end in ends)
    bound = sum(worth) + sum(bonus.get(node, 0) for node in nodes) - cheapest
    for end in ends:
        cost, left_out = pair_off(odd ^ {start} ^ {end})
        if cost == cheapest:
            kept = _connected(edges, set(range(len(edges))) - left_out, start)
            visited = {start, *(node for index in kept for node in edges[index])}
            gain = sum(worth[index] for index in kept)
            if gain + sum(bonus.get(node, 0) for node in visited) == bound:
                return _walk(edges, kept, start)
    return None


def _shortest_paths(
    nodes: set[int], edges: Sequence[Edge], worth: Sequence[int]
) -> Mapping[tuple[int, int], _Path]:
    """Return a cheapest path between any two nodes (Floyd and Warshall)."""
    paths: dict[tuple[int, int], _Path] = {}
    for index, (one, other) in enumerate(edges):
        paths[one, other] = paths[other, one] = (worth[index], frozenset({index}))
    for middle in nodes:
        for one in nodes:
            first = paths.get((one, middle))
            if first is None:
                continue
            for other in nodes:
                second = paths.get((middle, other))
                if second is None or one == other:
                    continue
                known = paths.get((one, other))
                if known is None or first[0] + second[0] < known[0]:
                    paths[one, other] = (first[0] + second[0], first[1] ^ second[1])
    return paths


def _pairing(
    paths: Mapping[tuple[int, int], _Path],
) -> Callable[[frozenset[int]], _Path]:
    """Return the function that pairs nodes off at the least cost, and gives the edges for it."""

    @cache
    def pair_off(nodes: frozenset[int]) -> _Path:
        if not nodes:
            return 0, frozenset()
        one = min(nodes)
        best: _Path | None = None
        for other in nodes - {one}:
            cost, used = paths[one, other]
            rest, more = pair_off(nodes - {one, other})
            if best is None or cost + rest < best[0]:
                best = cost + rest, used ^ more
        assert best is not None
        return best

    return pair_off


def _connected(edges: Sequence[Edge], left: set[int], start: int) -> set[int]:
    """Return the edges of ``left`` that hang together with ``start``."""
    reached, kept = {start}, set[int]()
    while grown := {index for index in left - kept if reached & set(edges[index])}:
        kept |= grown
        reached |= {node for index in grown for node in edges[index]}
    return kept


def _walk(edges: Sequence[Edge], kept: set[int], start: int) -> list[int]:
    """Return all these edges as one trail from ``start`` (Hierholzer)."""
    left = set(kept)
    stack: list[tuple[int, int]] = [(start, -1)]
    trail: list[int] = []
    while stack:
        node, arrived_by = stack[-1]
        index = min((index for index in left if node in edges[index]), default=-1)
        if index < 0:
            stack.pop()
            trail.append(arrived_by)
            continue
        left.remove(index)
        one, other = edges[index]
        stack.append((other if node == one else one, index))
    return trail[-2::-1]
