"""How much there is in a graph, what is shared and new, and what was skipped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.describe.text import count, wrap
from kg.model import ConceptType, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph

__all__ = ["summarise"]

_TOP = 10  # concepts that a summary names
_SKIPS = 20  # skipped records that a summary names


def summarise(kg: KnowledgeGraph) -> str:
    """Return how much there is in a graph, what is shared and new, and what was skipped."""
    return "\n".join(_iter_summary(kg)) + "\n"


def _iter_summary(kg: KnowledgeGraph) -> Iterator[str]:
    """Yield the lines of a summary."""
    report = kg.report
    yield f"{count(len(kg.papers), 'paper')}, {count(len(kg.concepts), 'concept')}, {len(kg.relations):,} relations"
    types = Counter(concept.type for concept in kg.concepts.values())
    yield from _list_counts("concepts by type", [(kind.value, types[kind]) for kind in ConceptType])
    predicates = Counter(relation.predicate for relation in kg.relations)
    yield from _list_counts("relations by kind", [(one.value, predicates[one]) for one in Predicate if predicates[one]])
    shared = [concept for concept in kg.concepts.values() if concept.papers > 1]
    shared.sort(key=lambda concept: (-concept.papers, concept.id))
    rows = [(f"{concept.label} ({concept.type})", concept.papers) for concept in shared[:_TOP]]
    yield from _list_counts("in most papers", rows)
    new = sorted({one.object for one in kg.relations if one.predicate is Predicate.INTRODUCES})
    if new:
        yield from ("", f"introduced here, {count(len(new), 'concept')}:")
        yield from wrap("; ".join(sorted((kg.concepts[one].label for one in new), key=str.casefold)), "  ")
    yield from ("", f"read {count(report.read, 'record')}, kept {report.kept:,}, skipped {len(report.skipped):,}")
    reasons = Counter(skip.reason for skip in report.skipped)
    for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_SKIPS]:
        first = min(skip for skip in report.skipped if skip.reason == reason)
        place = f"{first.file}, line {first.line}" if first.line else first.file
        where = f"first at {place}" if number > 1 else place
        yield from wrap(f"{number:,} x {reason} ({where})", "  ")
    if len(reasons) > _SKIPS:
        yield f"  and {len(reasons) - _SKIPS:,} other reasons; all are in report.json"


def _list_counts(heading: str, rows: list[tuple[str, int]]) -> Iterator[str]:
    """Yield a heading and numbers in a column, if there are any."""
    if rows:
        yield from ("", f"{heading}:")
    width = max((len(f"{number:,}") for _, number in rows), default=0)
    for name, number in rows:
        yield from wrap(f"{number:>{width},}  {name}", "  ", " " * (width + 4))
