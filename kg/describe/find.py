"""Which nodes a name may mean."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from kg.model import Predicate, iter_ends
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from kg.model import KnowledgeGraph

__all__ = ["find_nodes", "find_papers"]


def find_nodes(kg: KnowledgeGraph, name: str, *, among: Collection[str] | None = None) -> list[str]:
    """Return the ids of the nodes that a name may mean, likeliest first.

    A node is known by its id, with or without ``paper:`` or ``concept:``, and by its label,
    alternative labels, title or DOI. Case and spaces never matter. Names that are equal are
    returned if there are any; else those that are equal but for plurals, hyphens and British
    spelling; else those that start with `name`; else those that hold it.

    Parameters
    ----------
    kg : KnowledgeGraph
    name : str
    among : collection of str, optional
        The nodes that may be meant, such as ``kg.papers``; all by default.

    Returns
    -------
    list of str
        Concepts before papers, those in most papers first, then by id. The node whose id is
        `name` stands alone.
    """
    among = {**kg.concepts, **kg.papers} if among is None else among
    if name in among:
        return [name]
    wanted = _fold(name)
    if not wanted:
        return []
    folded = fold_name(name)
    names = {node: list(_iter_names(kg, node)) for node in among}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda one: _fold(one) == wanted,
        lambda one: fold_name(one) == folded,
        lambda one: _fold(one).startswith(wanted),
        lambda one: wanted in _fold(one),
    )
    for is_meant in tests:
        if found := [node for node, known in names.items() if any(map(is_meant, known))]:
            return sorted(found, key=lambda node: (node in kg.papers, -_count_papers(kg, node), node))
    return []


def find_papers(kg: KnowledgeGraph, name: str) -> list[str]:
    """Return the ids of the papers that a name may mean, likeliest first.

    Papers that `find_nodes` finds; where there are none, those that introduce what it finds, as a
    paper is often known by that.
    """
    if found := find_nodes(kg, name, among=kg.papers):
        return found
    new = [ends for ends in iter_ends(kg.relations) if ends[1] is Predicate.INTRODUCES]
    meant = find_nodes(kg, name, among={concept for _, _, concept in new})[:1]
    return sorted(paper for paper, _, concept in new if concept in meant)


def _iter_names(kg: KnowledgeGraph, node: str) -> Iterator[str]:
    """Yield what a node may be called."""
    yield node
    yield node.partition(":")[2]
    if node in kg.concepts:
        yield kg.concepts[node].label
        yield from kg.concepts[node].alt_labels
        yield from kg.concepts[node].replaces
    else:
        paper = kg.papers[node]
        yield from (name for name in (paper.label, paper.title, paper.doi) if name)


def _count_papers(kg: KnowledgeGraph, node: str) -> int:
    """Return how many papers mention a concept; 0 for a paper."""
    return kg.concepts[node].papers if node in kg.concepts else 0


def _fold(name: str) -> str:
    """Return a name without regard to case and spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
