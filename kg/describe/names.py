"""Why each of its names belongs to a concept, with a sentence that has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.describe.text import count, wrap
from kg.mentions import find_mentions
from kg.model import Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Concept, KnowledgeGraph

__all__ = ["describe_names"]

_NAMED = 20  # names that are explained


@dataclass(slots=True)
class _Use:
    """How papers use a name of a concept."""

    first: dict[str, Any]  # the mention that is shown
    papers: set[str] = field(default_factory=set)


def describe_names(kg: KnowledgeGraph, concept: Concept) -> Iterator[str]:
    """Yield the lines about the names of a concept that has several, those in most papers first."""
    uses: dict[tuple[str, str], _Use] = {}
    for row in find_mentions(kg.mentions, concept.id):
        use = uses.setdefault((row["surface"], row["reason"]), _Use(row))
        use.papers.add(row["paper"])
    if len({surface for surface, _ in uses}) < 2:
        return
    yield from ("", "why these names are one concept:")
    ranked = sorted(uses.items(), key=lambda pair: (-len(pair[1].papers), pair[0]))
    for (surface, reason), use in ranked[:_NAMED]:
        yield from wrap(f"{surface}, {count(len(use.papers), 'paper')}: {reason}", "  ")
        row = use.first
        text = kg.papers[row["paper"]].text(Section(row["section"]))
        yield from wrap(f"“{text[row['offset'] : row['offset'] + row['length']]}” [{row['paper']}]", "    ")
    if len(ranked) > _NAMED:
        yield f"  and {len(ranked) - _NAMED:,} more"
