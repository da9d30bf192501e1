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

__all__ = ["NameUse", "describe_names", "find_names"]

_NAMED = 20  # names that are explained


@dataclass(slots=True)
class NameUse:
    """A name of a concept, why it is one, and how papers use it."""

    name: str
    reason: str
    first: dict[str, Any]  # the mention that is shown
    papers: set[str] = field(default_factory=set)

    def quote(self, kg: KnowledgeGraph) -> str:
        """Return the sentence that is shown."""
        text = kg.papers[self.first["paper"]].text(Section(self.first["section"]))
        return text[self.first["offset"] : self.first["offset"] + self.first["length"]]


def find_names(kg: KnowledgeGraph, concept: Concept) -> list[NameUse]:
    """Return the names of a concept, those in most papers first; none if it has only one."""
    uses: dict[tuple[str, str], NameUse] = {}
    for row in find_mentions(kg.mentions, concept.id):
        name, reason = row["surface"], row["reason"]
        uses.setdefault((name, reason), NameUse(name, reason, row)).papers.add(row["paper"])
    if len({name for name, _ in uses}) < 2:
        return []
    return sorted(uses.values(), key=lambda use: (-len(use.papers), use.name, use.reason))


def describe_names(kg: KnowledgeGraph, concept: Concept) -> Iterator[str]:
    """Yield the lines about the names of a concept that has several, those in most papers first."""
    uses = find_names(kg, concept)
    if not uses:
        return
    yield from ("", "why these names are one concept:")
    for use in uses[:_NAMED]:
        yield from wrap(f"{use.name}, {count(len(use.papers), 'paper')}: {use.reason}", "  ")
        yield from wrap(f"“{use.quote(kg)}” [{use.first['paper']}]", "    ")
    if len(uses) > _NAMED:
        yield f"  and {len(uses) - _NAMED:,} more"
