"""How much there is in a graph, what it looks like as a whole, and what was skipped."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.describe.landscape import list_rows, list_survey
from kg.describe.text import count, wrap
from kg.model import ConceptType, Predicate, iter_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import KnowledgeGraph

__all__ = ["summarise"]

_TOP = 10  # concepts that a summary names
_SKIPS = 20  # skipped records that a summary names


def summarise(kg: KnowledgeGraph) -> str:
    """Return how much there is in a graph, what it looks like as a whole, and what was skipped."""
    return "\n".join(_iter_summary(kg)) + "\n"


def _iter_summary(kg: KnowledgeGraph) -> Iterator[str]:
    """Yield the lines of a summary."""
    report = kg.report
    yield f"{count(len(kg.papers), 'paper')}, {count(len(kg.concepts), 'concept')}, {len(kg.relations):,} relations"
    types = Counter(concept.type for concept in kg.concepts.values())
    yield from _list_counts("concepts", [(kind.value, types[kind]) for kind in ConceptType])
    predicates = Counter(predicate for _, predicate, _ in iter_ends(kg.relations))
    yield from _list_counts("relations", [(one.value, predicates[one]) for one in Predicate if predicates[one]])
    shared = [concept for concept in kg.concepts.values() if concept.papers > 1]
    shared.sort(key=lambda concept: (-concept.papers, concept.id))
    rows = [(f"{concept.papers:,}", f"{concept.label} ({concept.type})") for concept in shared[:_TOP]]
    yield from list_rows("in most papers:", rows, most=_TOP)
    yield from list_survey(kg)
    yield from ("", f"read {count(report.read, 'record')}, kept {report.kept:,}, skipped {len(report.skipped):,}")
    reasons = Counter(skip.reason for skip in report.skipped)
    for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_SKIPS]:
        first = min(skip for skip in report.skipped if skip.reason == reason)
        place = f"{first.file}, line {first.line}" if first.line else first.file
        where = f"first at {place}" if number > 1 else place
        yield from wrap(f"{number:,} x {reason} ({where})", "  ")
    if len(reasons) > _SKIPS:
        yield f"  and {len(reasons) - _SKIPS:,} other reasons; all are in report.json"


def _list_counts(what: str, rows: list[tuple[str, int]]) -> Iterator[str]:
    """Yield numbers in a line, if there are any."""
    if rows:
        yield from wrap(f"{what}: {', '.join(f'{number:,} {name}' for name, number in rows)}", "  ", "    ")
