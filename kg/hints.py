"""What to do with a graph that was just built."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from kg.model import MatchKind

if TYPE_CHECKING:
    from collections.abc import Sized
    from pathlib import Path

    from kg.model import KnowledgeGraph

__all__ = ["suggest_next"]

_TRY = "SELECT ?title ?new { ?paper kg:introduces ?concept ; dcterms:title ?title . ?concept skos:prefLabel ?new }"


def suggest_next(kg: KnowledgeGraph, folder: Path, *, program: str = "kg") -> str:
    """Return what was built, what to open, and three commands to try, as a shell takes them."""
    report = kg.report
    skipped = f", {len(report.skipped)} of {report.read} records skipped (see report.json)" if report.skipped else ""
    concepts = sorted(kg.concepts.values(), key=lambda one: (-one.papers, one.id))
    name = concepts[0].label if concepts else next(iter(kg.papers.values())).label
    counts = (_count(kg.papers, "paper"), _count(concepts, "concept"), _count(kg.relations, "relation"))
    place = shlex.quote(str(folder))
    return (
        f"{', '.join(counts)}{skipped}.\n{_describe_matches(kg)}"
        f"Open {folder / 'graph.html'} in a browser. Then try:\n"
        f"  {program} stats {place}\n"
        f"  {program} show {place} {shlex.quote(name)}\n"
        f'  {program} query {place} "{_TRY}"'
    )


def _describe_matches(kg: KnowledgeGraph) -> str:
    """Return how many concepts are in vocabularies of others, if any were asked for."""
    if not kg.vocabularies:
        return ""
    exact = {one.concept for one in kg.matches if one.predicate is MatchKind.EXACT}
    close = {one.concept for one in kg.matches} - exact
    names = ", ".join(one.name for one in kg.vocabularies)
    counts = f"{len(exact)} exactly, {len(close)} closely"
    return f"Concepts that match a term of {names}: {counts} (see mappings.sssom.tsv).\n"


def _count(things: Sized, noun: str) -> str:
    """Return a number and a noun in its number."""
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
