"""One decision more, and what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.build import rebuild

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Concept, Decision, KnowledgeGraph

__all__ = ["compare", "decide"]


def decide(kg: KnowledgeGraph, decision: Decision) -> KnowledgeGraph:
    """Return the graph of the same papers with one decision more, which counts after all others.

    Raises
    ------
    GraphError
        If the mentions of the graph are gone.
    """
    return rebuild(kg, (*kg.decisions, decision))


def compare(old: KnowledgeGraph, new: KnowledgeGraph) -> str:
    """Return what is different in the second of two graphs of the same papers, a concept a line.

    Concepts that are gone begin with "-", new ones with "+", others that changed with "~".
    """
    lines = [*_iter_concepts(old, new), *_iter_counts(old, new)]
    return "\n".join(lines or ["nothing changes"]) + "\n"


def _iter_concepts(old: KnowledgeGraph, new: KnowledgeGraph) -> Iterator[str]:
    """Yield the concepts that are not the same."""
    heirs = {node: one for one in new.concepts.values() for node in one.replaces}
    for node in sorted({*old.concepts, *new.concepts}):
        before, after = old.concepts.get(node), new.concepts.get(node)
        if before and not after:
            heir = f" -> {heirs[node].id}" if node in heirs else ""
            yield f"- {_describe(before)}{heir}"
        elif after and not before:
            yield f"+ {_describe(after)}"
        elif before and after and _describe(before) != _describe(after):
            yield f"~ {_describe(before)} -> {_describe(after)}"


def _iter_counts(old: KnowledgeGraph, new: KnowledgeGraph) -> Iterator[str]:
    """Yield the numbers that are not the same."""
    for what in ("concepts", "relations"):
        before, after = (len(getattr(one, what)) for one in (old, new))
        if before != after:
            yield f"{what}: {before:,} -> {after:,}"


def _describe(concept: Concept) -> str:
    """Return what a person sees of a concept."""
    names = f"; {', '.join(concept.alt_labels)}" if concept.alt_labels else ""
    return f"{concept.id} ({concept.label}{names}; {concept.type}; papers: {concept.papers})"
