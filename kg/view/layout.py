"""Where nodes stand on the page: papers as flowers, joined by the concepts that they share.

Papers and the concepts that several papers mention are laid out by force (Fruchterman and
Reingold [1]_, igraph's grid variant). A concept that one paper alone mentions is a petal:
it stands on a ring around its paper, where it costs no force and crosses no edge. Each paper
keeps the room that its petals and its caption need.

References
----------
.. [1] T. Fruchterman and E. Reingold. Graph drawing by force-directed placement.
   Software: Practice and Experience, 1991.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["around", "by_force", "find_petals", "fit", "lay_out", "push", "room"]

_SEED = 2026
_PETAL = 26.0  # room for a petal along its ring
_FIRST_RING = 46.0  # radius
_NEXT_RING = 28.0
_ONE_RING = 16  # petals up to which a wider ring looks better than a second one
_CAPTION = 56.0  # room around a paper's petals
_SHARED = 36.0  # room of a concept in the force layout
_WIDE = 1.3  # screens are wider than high

_Point = tuple[float, float]


def lay_out(papers: int, concepts: int, edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where each node stands, in whole units of which a screen shows about a thousand.

    Parameters
    ----------
    papers, concepts : int
        How many there are; nodes are numbered from 0, papers first.
    edges : sequence of (int, int)
        Pairs of nodes, in an order that does not change from run to run.

    Returns
    -------
    list of (int, int)
        x and y by number of node. The same input gives the same places, whatever other code
        has drawn from the global random numbers.

    Examples
    --------
    >>> len(lay_out(2, 1, [(0, 2), (1, 2)]))
    3
    >>> lay_out(0, 0, [])
    []
    """
    petals = find_petals(papers, papers + concepts, edges)
    lone = {petal for ring in petals.values() for petal in ring}
    nodes = [node for node in range(papers + concepts) if node not in lone]
    rooms = {node: room(len(petals[node])) if node < papers else _SHARED for node in nodes}
    inner = [(one, other) for one, other in edges if one in rooms and other in rooms]
    places = _spread(by_force(nodes, inner, rooms), rooms)
    for paper, ring in petals.items():
        places.update(around(places[paper], ring))
    return [(round(x), round(y)) for x, y in (places[node] for node in range(papers + concepts))]


def find_petals(papers: int, count: int, edges: Sequence[tuple[int, int]]) -> Mapping[int, list[int]]:
    """Return, by paper, the concepts that it alone mentions."""
    owners: dict[int, set[int]] = defaultdict(set)
    for one, other in edges:
        low, high = min(one, other), max(one, other)
        if low < papers <= high:
            owners[high].add(low)
    petals: dict[int, list[int]] = defaultdict(list)
    for concept in range(papers, count):
        if len(owners[concept]) == 1:
            petals[min(owners[concept])].append(concept)
    return petals


def _rings(petals: int) -> list[tuple[float, int]]:
    """Return radius and number of petals by ring, from within, with even gaps on all."""
    if petals <= _ONE_RING:
        return [(max(_FIRST_RING, petals * _PETAL / math.tau), petals)] if petals else []
    radii: list[float] = []
    while sum(radii) * math.tau / _PETAL < petals:
        radii.append(_FIRST_RING + _NEXT_RING * len(radii))
    counts = [int(petals * radius / sum(radii)) for radius in radii]
    counts[-1] += petals - sum(counts)
    return list(zip(radii, counts, strict=True))


def room(petals: int) -> float:
    """Return the radius that a paper with its petals and caption needs."""
    return _CAPTION + max((radius for radius, _ in _rings(petals)), default=0.0)


def around(centre: _Point, petals: Sequence[int]) -> dict[int, _Point]:
    """Return places on rings around a paper."""
    places: dict[int, _Point] = {}
    rest = iter(petals)
    for radius, count in _rings(len(petals)):
        for place in range(count):  # none straight above or below, where its label would be in the way
            angle = math.tau * (place + 0.5) / count - math.pi / 2
            places[next(rest)] = (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
    return places


def by_force(
    nodes: Sequence[int], edges: Sequence[tuple[int, int]], room: Mapping[int, float], *, rounds: int = 600
) -> dict[int, _Point]:
    """Return places by force, on an area that fits the room that nodes need."""
    import igraph

    if not nodes:
        return {}
    short = {node: at for at, node in enumerate(nodes)}
    hub = len(nodes)  # pulls at every node a little, so that separate parts stay near
    links = [(short[one], short[other]) for one, other in edges] + [(at, hub) for at in range(hub)]
    degree = [0] * (hub + 1)
    for one, other in links[: len(edges)]:
        degree[one] += 1
        degree[other] += 1
    weights = [1 / math.sqrt(max(degree[one], degree[other], 1)) for one, other in links[: len(edges)]]
    weights += [0.12] * hub
    start = [(math.cos(2.4 * at) * math.sqrt(at), math.sin(2.4 * at) * math.sqrt(at)) for at in range(hub)]
    igraph.set_random_number_generator(random.Random(_SEED))  # noqa: S311
    layout = igraph.Graph(n=hub + 1, edges=links).layout_fruchterman_reingold(
        weights=weights, seed=[*start, (0.0, 0.0)], niter=rounds, grid="grid" if hub > 600 else "nogrid"
    )
    igraph.set_random_number_generator(random)  # igraph's own default
    area = sum(one * one for one in room.values()) * math.pi
    return fit(dict(zip(nodes, layout.coords, strict=False)), area)


def fit(places: Mapping[int, Sequence[float]], area: float) -> dict[int, _Point]:
    """Return places moved to the middle and stretched to fill an area of a screen's shape."""
    middle = [sum(place[axis] for place in places.values()) / len(places) for axis in (0, 1)]
    spans = [
        max(place[axis] for place in places.values()) - min(place[axis] for place in places.values()) for axis in (0, 1)
    ]
    high = math.sqrt(area / _WIDE)
    scales = [_WIDE * high / max(spans[0], 1e-9), high / max(spans[1], 1e-9)]
    both = math.sqrt(scales[0] * scales[1])
    # Half way between the layout's own shape and the screen's, which bends it less.
    scale_x, scale_y = (math.sqrt(one * both) if one < 1e6 else 1.0 for one in scales)
    return {
        node: ((place[0] - middle[0]) * scale_x, (place[1] - middle[1]) * scale_y) for node, place in places.items()
    }


def _spread(places: dict[int, _Point], room: Mapping[int, float]) -> dict[int, _Point]:
    """Return places pushed apart until no node stands in another's room."""
    nodes = list(places)
    xs, ys = ([places[node][axis] for node in nodes] for axis in (0, 1))
    rooms = [room[node] for node in nodes]
    for _ in range(200 if len(nodes) < 600 else 25):
        if not push(xs, ys, rooms):
            break
    return dict(zip(nodes, zip(xs, ys, strict=True), strict=True))


def push(xs: list[float], ys: list[float], rooms: Sequence[float]) -> bool:
    """Move each overlapping pair apart, in place; return whether there was one."""
    order = sorted(range(len(xs)), key=lambda at: (xs[at], at))
    widest = max(rooms, default=0.0)
    moved = False
    for rank, one in enumerate(order):
        for other in order[rank + 1 : rank + 400]:
            if xs[other] - xs[one] > rooms[one] + widest:
                break
            need = rooms[one] + rooms[other]
            wide, high = xs[other] - xs[one], ys[other] - ys[one]
            if abs(high) >= need or wide * wide + high * high >= need * need * 0.998:
                continue
            moved = True
            gap = math.hypot(wide, high)
            if gap < 1e-6:  # the same place: part them by their numbers
                wide, high, gap = math.cos(one + other), math.sin(one + other), 1.0
                step = need / 2
            else:
                step = (need - gap) / 2
            share = rooms[other] / need  # the smaller moves further
            xs[one] -= wide / gap * step * 2 * share
            ys[one] -= high / gap * step * 2 * share
            xs[other] += wide / gap * step * 2 * (1 - share)
            ys[other] += high / gap * step * 2 * (1 - share)
    return moved
