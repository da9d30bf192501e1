"""What a pile of papers looks like as a whole: its communities, what is central, new, rising and falling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Community", "Landscape", "Trend", "Uptake", "check_communities"]


@dataclass(frozen=True, slots=True)
class Community:
    """Papers that are about the same things, and the concepts that are theirs."""

    number: int  # from 1, the largest community first
    name: str  # made of the labels of `telling`
    telling: tuple[str, ...]  # concepts that tell it from the rest, most telling first
    central: tuple[str, ...]  # its concepts of highest centrality within it, highest first
    papers: tuple[str, ...]  # node ids, sorted; at least two
    concepts: tuple[str, ...]  # node ids, sorted

    def __post_init__(self) -> None:
        if self.number < 1:
            raise GraphError(f"community {self.name!r} has the number {self.number!r}; they are counted from 1")
        if len(self.papers) < 2:
            raise GraphError(f"community {self.number} has {len(self.papers)} papers; one paper alone is in none")


@dataclass(frozen=True, slots=True)
class Trend:
    """How a concept comes up or goes out of use from year to year."""

    concept: str  # node id
    growth: float  # factor of the odds that a paper is about it, from one year to the next
    z: float  # standard score of the test for trend; negative for one that falls
    papers: tuple[tuple[int, int], ...]  # year, and how many papers of it; without years that have none


@dataclass(frozen=True, slots=True)
class Uptake:
    """A concept that a paper introduces and that others take up."""

    concept: str  # node id
    paper: str  # the one that introduces it
    takers: tuple[str, ...]  # the others that mention it, by year and id


@dataclass(frozen=True, slots=True)
class Landscape:
    """What a pile of papers looks like as a whole; node ids stand for papers and concepts."""

    communities: tuple[Community, ...] = ()  # by number
    alone: tuple[str, ...] = ()  # papers that are in none, sorted
    central: tuple[str, ...] = ()  # concepts by falling centrality; those without are left out
    new: tuple[str, ...] = ()  # introduced by one paper and in no other, sorted
    uptakes: tuple[Uptake, ...] = ()  # those that most papers take up first
    rising: tuple[Trend, ...] = ()  # surest first
    falling: tuple[Trend, ...] = ()  # surest first


def check_communities(
    communities: Iterable[Community], papers: Mapping[str, object], concepts: Mapping[str, object]
) -> None:
    """Refuse a node that is not in the graph or in two communities.

    Raises
    ------
    GraphError
        At the first that is wrong.
    """
    seen: dict[str, int] = {}
    for community in communities:
        for nodes, known in ((community.papers, papers), (community.concepts, concepts)):
            for node in nodes:
                if node not in known:
                    raise GraphError(f"community {community.number} holds {node!r}, which is not in the graph")
                if node in seen:
                    raise GraphError(f"{node!r} is in the communities {seen[node]} and {community.number}")
                seen[node] = community.number
