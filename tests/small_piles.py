"""Piles of papers without texts: who mentions what, for tests that count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kg.model import (
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Report,
    Section,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["pile_up", "say_that"]

Triple = tuple[str, Predicate, str]


def say_that(paper: str, predicate: Predicate, concept: str, sentence: str = "") -> Relation:
    """Return a relation whose sentence ends in the concept's label."""
    label = concept.removeprefix("concept:")
    text = f"{sentence} {label}".strip()
    evidence = Evidence("paper:1", Section.ABSTRACT, 0, len(text) - len(label), len(text), text, "type", 0.9)
    return Relation(paper, predicate, concept, 0.9, (evidence,))


def pile_up(
    mentions: Mapping[str, Iterable[str]],
    *,
    years: Mapping[str, int] | None = None,
    venues: Mapping[str, str] | None = None,
    types: Mapping[str, ConceptType] | None = None,
    more: Sequence[Relation] = (),
) -> KnowledgeGraph:
    """Return the graph of papers by name, each with the labels of the concepts that it mentions."""
    papers = [
        Paper(id=name, title=name, abstract="-", year=(years or {}).get(name), venue=(venues or {}).get(name, ""))
        for name in mentions
    ]
    relations = [
        say_that(f"paper:{name}", Predicate.MENTIONS, f"concept:{label}")
        for name, labels in mentions.items()
        for label in labels
    ]
    told = {(one.subject, one.object) for one in more}
    relations = [*(one for one in relations if (one.subject, one.object) not in told), *more]
    ids = {end for one in relations for end in (one.subject, one.object) if end.startswith("concept:")}
    size = {node: len({one.subject for one in relations if one.object == node}) for node in ids}
    labels = {node: node.removeprefix("concept:") for node in ids}
    kinds = types or {}
    return KnowledgeGraph(
        papers={one.id: one for one in papers},
        concepts={
            node: Concept(node, labels[node], kinds.get(labels[node], ConceptType.METHOD), papers=size[node])
            for node in ids
        },
        relations=tuple(relations),
        mentions=MentionFile(Path("none")),
        report=Report(),
    )
