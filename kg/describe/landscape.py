"""What the papers of a graph look like as a whole, in lines for a person and as values for a program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.describe.text import count, wrap
from kg.landscape import survey
from kg.model import ConceptType, Predicate, iter_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kg.model import Community, KnowledgeGraph, Landscape, Trend

__all__ = ["list_rows", "list_survey", "to_statistics"]

_COMMUNITIES = 20  # that are listed
_CENTRAL = 15
_NEW = 40
_TOP = 10  # of what is taken up, rises or falls


def list_survey(kg: KnowledgeGraph) -> Iterator[str]:
    """Yield lines about what is central, the communities, what is new, and what rises and falls."""
    found = survey(kg)
    if found.central:
        yield from ("", "central:")
        yield from wrap("; ".join(_label(kg, found.central[:_CENTRAL])), "  ")
    yield from _list_communities(kg, found)
    if found.new:
        many = len(found.new) > _NEW
        yield from (
            "",
            f"introduced here and in no other paper, {count(len(found.new), 'concept')}{'' if many else ':'}",
        )
        labels = sorted(_label(kg, found.new), key=str.casefold)
        yield from () if many else wrap("; ".join(labels), "  ")
    rows = [(f"{len(one.takers):,}", _name(kg, one.concept)) for one in found.uptakes]
    yield from list_rows("introduced here and taken up, by papers that did:", rows, most=_TOP)
    for what, trends in (("rising", found.rising), ("falling", found.falling)):
        yield from list_rows(
            f"{what} (odds from one year to the next; papers):", [_trend_row(kg, one) for one in trends], most=_TOP
        )


def list_rows(heading: str, rows: Sequence[tuple[str, str]], *, most: int) -> Iterator[str]:
    """Yield a heading, some rows with their numbers in a column, and how many more there are; nothing for no rows."""
    if rows:
        yield from ("", heading)
    width = max((len(number) for number, _ in rows[:most]), default=0)
    for number, name in rows[:most]:
        yield from wrap(f"{number:>{width}}  {name}", "  ", " " * (width + 4))
    if len(rows) > most:
        yield f"  {'':>{width}}  and {len(rows) - most:,} more"


def to_statistics(kg: KnowledgeGraph) -> dict[str, object]:
    """Return what `summarise` tells, whole and as values that JSON can hold.

    Concepts are given by id and label, papers by id.
    """
    found, report = survey(kg), kg.report
    types = Counter(concept.type for concept in kg.concepts.values())
    predicates = Counter(predicate for _, predicate, _ in iter_ends(kg.relations))
    shared = [one for one in kg.concepts.values() if one.papers > 1]
    centrality = kg.centrality or dict.fromkeys(found.central)
    return {
        "papers": len(kg.papers),
        "concepts": {kind.value: types[kind] for kind in ConceptType},
        "relations": {one.value: predicates[one] for one in Predicate if predicates[one]},
        "records": {"read": report.read, "kept": report.kept, "skipped": len(report.skipped)},
        "shared": [
            _to_value(kg, one.id) | {"papers": one.papers}
            for one in sorted(shared, key=lambda one: (-one.papers, one.id))
        ],
        "central": [_to_value(kg, one) | {"centrality": centrality[one]} for one in found.central],
        "communities": [_community_value(kg, one) for one in found.communities],
        "alone": list(found.alone),
        "new": [_to_value(kg, one) for one in found.new],
        "taken_up": [
            _to_value(kg, one.concept) | {"introduced_by": one.paper, "taken_up_by": list(one.takers)}
            for one in found.uptakes
        ],
        "rising": [_trend_value(kg, one) for one in found.rising],
        "falling": [_trend_value(kg, one) for one in found.falling],
    }


def _list_communities(kg: KnowledgeGraph, found: Landscape) -> Iterator[str]:
    """Yield the largest communities, each with what is central in it beside its name."""
    listed = found.communities[:_COMMUNITIES]
    if listed:
        alone = f", and {count(len(found.alone), 'paper')} in none" if found.alone else ""
        noun = "community" if len(found.communities) == 1 else "communities"
        yield from ("", f"{len(found.communities):,} {noun}, by papers{alone}:")
    width = max((len(f"{len(one.papers):,}") for one in listed), default=0)
    for one in listed:
        yield from wrap(f"{len(one.papers):>{width},}  {one.name}", "  ", " " * (width + 4))
        central = [node for node in one.central if node not in one.telling]
        yield from wrap("; ".join(_label(kg, central)), " " * (width + 6)) if central else ()
    if rest := found.communities[_COMMUNITIES:]:
        yield f"  {'':>{width}}  and {len(rest):,} more, of at most {count(len(rest[0].papers), 'paper')}"


def _trend_row(kg: KnowledgeGraph, trend: Trend) -> tuple[str, str]:
    """Return how a concept grows, and its name."""
    papers = sum(number for _, number in trend.papers)
    return f"× {trend.growth:.2f}  {papers:>6,}", _name(kg, trend.concept)


def _trend_value(kg: KnowledgeGraph, trend: Trend) -> dict[str, object]:
    """Return a trend for JSON."""
    years = {str(year): number for year, number in trend.papers}
    return _to_value(kg, trend.concept) | {"growth": trend.growth, "z": trend.z, "papers": years}


def _community_value(kg: KnowledgeGraph, community: Community) -> dict[str, object]:
    """Return a community for JSON."""
    return {
        "number": community.number,
        "name": community.name,
        "telling": [_to_value(kg, one) for one in community.telling],
        "central": [_to_value(kg, one) for one in community.central],
        "papers": list(community.papers),
        "concepts": list(community.concepts),
    }


def _to_value(kg: KnowledgeGraph, concept: str) -> dict[str, object]:
    """Return a concept for JSON."""
    return {"concept": concept, "label": kg.concepts[concept].label}


def _label(kg: KnowledgeGraph, concepts: Iterable[str]) -> list[str]:
    """Return the labels of concepts."""
    return [kg.concepts[one].label for one in concepts]


def _name(kg: KnowledgeGraph, concept: str) -> str:
    """Return the label of a concept with its type."""
    return f"{kg.concepts[concept].label} ({kg.concepts[concept].type})"
