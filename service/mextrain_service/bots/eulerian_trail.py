"""The best trail of a dense graph, found from parity instead of by walking.

A connected graph has a trail over all its edges when no nodes but the trail's two ends have an odd
degree. So a best trail is what stays when the cheapest edges are left out that make the rest even:
a minimum T-join, which pairs the odd nodes off along shortest paths. What stays may fall apart, or
lose the bonus of a node; then this way proves nothing, and the caller has to walk.

Sets of nodes and of edges are masks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Edge = tuple[int, int]
_Path = tuple[int, int]
"""The cost of a path, and its edges as a mask."""

_NO_PATH = 1 << 60
"""The cost of a path that there is not; more than all edges together."""

ODD_LIMIT = 10
"""With more odd nodes pairing them costs more than a walk, and the graph is sparse anyway."""


def parity_trail(
    edges: Sequence[Edge], worth: Sequence[int], bonus: Mapping[int, int], start: int
) -> list[int] | None:
    """Return the edges of a trail of the most worth from ``start``, in order; None if unproven.

    Args:
        edges: pairs of different nodes, which are small numbers; all can be reached from ``start``.
        worth: of each edge, positive.
        bonus: what visiting a node adds, for the nodes that add something.
        start: the node that the trail starts from.
    """
    around = _edges_around(edges, start)
    odd = sum(1 << node for node, mask in enumerate(around) if mask.bit_count() & 1)
    if odd.bit_count() > ODD_LIMIT:
        return None
    pair_off = _pairing(_shortest_paths(len(around), edges, worth))
    ends = bits(odd) or [start]
    if odd and not odd >> start & 1:
        ends.append(start)
    left_out = {end: pair_off(odd ^ 1 << start ^ 1 << end) for end in ends}
    cheapest = min(cost for cost, _ in left_out.values())
    nodes = [node for node, mask in enumerate(around) if mask or node == start]
    bound = sum(worth) + sum(bonus.get(node, 0) for node in nodes) - cheapest
    everything = (1 << len(edges)) - 1
    for cost, missing in left_out.values():
        if cost == cheapest:
            kept, visited = _connected(edges, around, everything ^ missing, start)
            gain = sum(worth[index] for index in bits(kept))
            if gain + sum(bonus.get(node, 0) for node in visited) == bound:
                return _walk(edges, around, kept, start)
    return None


def bits(mask: int) -> list[int]:
    """Return the places of a mask's bits, ascending."""
    places = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        places.append(bit.bit_length() - 1)
    return places


def _edges_around(edges: Sequence[Edge], start: int) -> list[int]:
    """Return the edges at each node."""
    around = [0] * (1 + max(start, *map(max, edges)))
    for index, (one, other) in enumerate(edges):
        around[one] |= 1 << index
        around[other] |= 1 << index
    return around


def _shortest_paths(nodes: int, edges: Sequence[Edge], worth: Sequence[int]) -> list[list[_Path]]:
    """Return a cheapest path between any two nodes (Floyd and Warshall)."""
    paths = [[(_NO_PATH, 0)] * nodes for _ in range(nodes)]
    for index, (one, other) in enumerate(edges):
        paths[one][other] = paths[other][one] = (worth[index], 1 << index)
    for middle, second in enumerate(paths):
        reached = [(node, *path) for node, path in enumerate(second) if path[1]]
        for one, row in enumerate(paths):
            cost, used = row[middle]
            if not used:
                continue
            for other, more, path in reached:
                if cost + more < row[other][0] and one != other:
                    row[other] = (cost + more, used ^ path)
    return paths


def _pairing(paths: Sequence[Sequence[_Path]]) -> Callable[[int], _Path]:
    """Return the function that pairs nodes off at the least cost, and gives the edges for it."""
    known: dict[int, _Path] = {0: (0, 0)}

    def pair_off(nodes: int) -> _Path:
        found = known.get(nodes)
        if found is not None:
            return found
        lowest = nodes & -nodes
        others = left = nodes ^ lowest
        row = paths[lowest.bit_length() - 1]
        best = (_NO_PATH, 0)
        while left:
            other = left & -left
            left ^= other
            cost, used = row[other.bit_length() - 1]
            if cost < best[0]:
                rest, more = pair_off(others ^ other)
                if cost + rest < best[0]:
                    best = cost + rest, used ^ more
        known[nodes] = best
        return best

    return pair_off


def _connected(
    edges: Sequence[Edge], around: Sequence[int], left: int, start: int
) -> tuple[int, set[int]]:
    """Return the edges of ``left`` that hang together with ``start``, and their nodes."""
    kept, visited, waiting = 0, {start}, [start]
    while waiting:
        new = around[waiting.pop()] & left & ~kept
        kept |= new
        for index in bits(new):
            for node in edges[index]:
                if node not in visited:
                    visited.add(node)
                    waiting.append(node)
    return kept, visited


def _walk(edges: Sequence[Edge], around: Sequence[int], kept: int, start: int) -> list[int]:
    """Return all these edges as one trail from ``start`` (Hierholzer)."""
    left = kept
    stack: list[tuple[int, int]] = [(start, -1)]
    trail: list[int] = []
    while stack:
        node, arrived_by = stack[-1]
        fitting = around[node] & left
        if not fitting:
            stack.pop()
            trail.append(arrived_by)
            continue
        edge = fitting & -fitting
        left ^= edge
        index = edge.bit_length() - 1
        one, other = edges[index]
        stack.append((other if node == one else one, index))
    return trail[-2::-1]
