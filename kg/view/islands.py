"""Where nodes of a large graph stand: an island for each community, in which like stands by like.

A few concepts that everything mentions would pull all of a large graph into one ball. So each
community is laid out by itself, by force on the graph of its own papers and the concepts
that they share, and its nodes then take the seats of a sunflower, which has the same room for
each: the nearer to the middle by force, the nearer to the middle, at about the same angle.
Islands stand by force too, near those with which they share most, and are pushed apart.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.view.layout import around, by_force, find_petals, fit, push, room

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Island", "lay_out_islands"]

_GOLDEN = math.pi * (3 - math.sqrt(5))
_SHORE = 60.0  # from the outermost node to the edge of an island
_STRAIT = 70.0  # half of what is free between islands
_AT_ONCE = 24  # seats of about the same distance from the middle, which are told apart by angle
_APART = 12  # concepts of an island that stand apart
_ROUNDS = 120  # of the force layout of an island, which says only what is near
_LINKS = 6  # islands that an island is drawn to

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Island:
    """A round place where the nodes of one group stand."""

    x: int
    y: int
    radius: int


def lay_out_islands(
    papers: int, concepts: int, edges: Sequence[tuple[int, int]], groups: Sequence[Sequence[int]]
) -> tuple[list[tuple[int, int]], list[Island]]:
    """Return where each node stands, and the island of each group.

    Parameters
    ----------
    papers, concepts : int
        How many there are; nodes are numbered from 0, papers first.
    edges : sequence of (int, int)
        Pairs of nodes, in an order that does not change from run to run.
    groups : sequence of sequence of int
        Nodes that belong together; none is in two. Concepts that are in none go where most
        of their papers are, and papers that are in none make an island by themselves, the last.

    Returns
    -------
    list of (int, int), list of Island
        x and y by number of node, and islands by number of group. The last island may be of
        papers without a group.
    """
    near = _find_near(papers, edges)
    home = _find_homes(papers, papers + concepts, near, groups)
    petals = find_petals(papers, papers + concepts, edges)
    lone = {petal for ring in petals.values() for petal in ring}
    count = max(home.values(), default=-1) + 1
    members: list[list[int]] = [[] for _ in range(count)]
    for node in sorted(home):
        if node not in lone:
            members[home[node]].append(node)
    inside: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    across: Counter[tuple[int, int]] = Counter()
    for one, other in edges:
        if one in lone or other in lone:
            continue
        first, second = sorted((home[one], home[other]))
        if first == second:
            inside[first].append((one, other))
        else:
            across[first, second] += 1
    seats = []
    for some, links in zip(members, inside, strict=True):
        telling = sorted((node for node in some if node >= papers), key=lambda node: (-len(near.get(node, ())), node))
        seats.append(_part(_seat(some, links, petals, papers), telling[:_APART]))
    radii = [max((math.hypot(*seat) for seat in seated.values()), default=0.0) + _SHORE for seated in seats]
    centres = _place_islands(radii, across)
    places: dict[int, _Point] = {}
    for seated, (x, y) in zip(seats, centres, strict=True):
        places |= {node: (x + seat[0], y + seat[1]) for node, seat in seated.items()}
    for paper, ring in petals.items():
        places |= around(places[paper], ring)
    islands = [Island(round(x), round(y), round(radius)) for (x, y), radius in zip(centres, radii, strict=True)]
    return [(round(x), round(y)) for x, y in (places[node] for node in range(papers + concepts))], islands


def _find_near(papers: int, edges: Sequence[tuple[int, int]]) -> Mapping[int, list[int]]:
    """Return the papers of each concept."""
    near: dict[int, set[int]] = defaultdict(set)
    for one, other in edges:
        low, high = min(one, other), max(one, other)
        if low < papers <= high:
            near[high].add(low)
    return {concept: sorted(some) for concept, some in near.items()}


def _find_homes(
    papers: int, count: int, near: Mapping[int, Sequence[int]], groups: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Return the number of the group of each node."""
    home = {node: number for number, group in enumerate(groups) for node in group}
    strays = [paper for paper in range(papers) if paper not in home]
    home |= dict.fromkeys(strays, len(groups))
    for concept in range(papers, count):
        if concept not in home:
            votes = Counter(home[paper] for paper in near.get(concept, ()))
            home[concept] = min(votes, key=lambda group: (-votes[group], group), default=len(groups))
    return home


def _seat(
    nodes: Sequence[int], edges: Sequence[tuple[int, int]], petals: Mapping[int, Sequence[int]], papers: int
) -> dict[int, _Point]:
    """Return where the nodes of an island stand around its middle."""
    if not nodes:
        return {}
    drawn = by_force(nodes, edges, dict.fromkeys(nodes, 1.0), rounds=_ROUNDS)
    wide = sorted(room(len(petals.get(node, ()))) for node in nodes if node < papers)
    gap = wide[int(0.8 * len(wide))] if wide else room(0)
    order = sorted(nodes, key=lambda node: (math.hypot(*drawn[node]), node))
    places: dict[int, _Point] = {}
    for start in range(0, len(order), _AT_ONCE):
        some = order[start : start + _AT_ONCE]
        spots = [_sunflower(at, gap) for at in range(start, start + len(some))]
        by_angle = sorted(some, key=lambda node: (math.atan2(drawn[node][1], drawn[node][0]), node))
        places |= dict(zip(by_angle, sorted(spots, key=lambda spot: math.atan2(spot[1], spot[0])), strict=True))
    return places


def _part(seats: dict[int, _Point], telling: Sequence[int]) -> dict[int, _Point]:
    """Return seats with some nodes far from each other, each near where it was: their names need room."""
    reach = 0.85 * max((math.hypot(*seat) for seat in seats.values()), default=0.0)
    spots = [_sunflower(at + 0.5, reach / math.sqrt(len(telling))) for at in range(len(telling))]
    seats, taken = dict(seats), set[int]()
    for node in telling:
        spot = min(spots, key=lambda spot: (math.dist(spot, seats[node]), spot))
        spots.remove(spot)
        other = min((one for one in seats if one not in taken), key=lambda one: (math.dist(seats[one], spot), one))
        seats[node], seats[other] = seats[other], seats[node]
        taken.add(node)
    return seats


def _sunflower(at: float, gap: float) -> _Point:
    """Return a seat: seats are about 1.5 gaps apart."""
    radius = gap * math.sqrt(at)
    return radius * math.cos(at * _GOLDEN), radius * math.sin(at * _GOLDEN)


def _place_islands(radii: Sequence[float], across: Mapping[tuple[int, int], int]) -> list[_Point]:
    """Return the middles of islands, near those with which they share much for their size."""
    strength: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for (one, other), count in across.items():
        share = count / (radii[one] * radii[other])
        strength[one].append((share, other))
        strength[other].append((share, one))
    links = {
        (min(one, other), max(one, other))
        for one, some in strength.items()
        for _, other in sorted(some, key=lambda pair: (-pair[0], pair[1]))[:_LINKS]
    }
    nodes = list(range(len(radii)))
    area = math.pi * sum((radius + _STRAIT) ** 2 for radius in radii)
    drawn = fit(by_force(nodes, sorted(links), dict.fromkeys(nodes, 1.0)), area) if nodes else {}
    xs, ys = ([drawn[node][axis] * 0.8 for node in nodes] for axis in (0, 1))
    for _ in range(400):
        if not push(xs, ys, [radius + _STRAIT for radius in radii]):
            break
    return list(zip(xs, ys, strict=True))
