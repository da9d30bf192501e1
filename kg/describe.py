"""What a graph knows about a node, and about itself, as text for a person.

Lines are at most `WIDTH` wide, save for a word that is longer.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.model import Concept, ConceptType, Predicate
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kg.model import Evidence, KnowledgeGraph, Paper, Relation

__all__ = ["WIDTH", "describe", "find_nodes", "summarise"]

WIDTH = 88  # characters
_TOP = 10  # concepts that a summary names
_SKIPS = 20  # skipped records that a summary names

# What is said before the papers of a concept, before the concepts of a paper, and where a
# relation between concepts is read from its end.
_OF_CONCEPT = {
    Predicate.INTRODUCES: "introduced by",
    Predicate.USES_METHOD: "used by",
    Predicate.USES_DATASET: "used by",
    Predicate.ADDRESSES_TASK: "addressed by",
    Predicate.REPORTS_METRIC: "reported by",
    Predicate.COMPARES_WITH: "compared with by",
    Predicate.MENTIONS: "mentioned by",
}
_OF_PAPER = {
    Predicate.INTRODUCES: "introduces",
    Predicate.USES_METHOD: "uses the methods",
    Predicate.USES_DATASET: "uses the datasets",
    Predicate.ADDRESSES_TASK: "addresses the tasks",
    Predicate.REPORTS_METRIC: "reports the metrics",
    Predicate.COMPARES_WITH: "compares with",
    Predicate.MENTIONS: "mentions",
}
_OUT = {
    Predicate.BROADER: "is a kind of",
    Predicate.USED_FOR: "is used for",
    Predicate.PART_OF: "is part of",
    Predicate.COMPARED_WITH: "is compared with",
    Predicate.EVALUATED_ON: "is evaluated on",
    Predicate.TRAINED_ON: "is trained on",
    Predicate.BENCHMARK_FOR: "is a benchmark for",
}
_IN = {
    Predicate.BROADER: "has the kinds",
    Predicate.USED_FOR: "is done with",
    Predicate.PART_OF: "has the parts",
    Predicate.COMPARED_WITH: "is compared with",
    Predicate.EVALUATED_ON: "is used to evaluate",
    Predicate.TRAINED_ON: "is used to train",
    Predicate.BENCHMARK_FOR: "has the benchmarks",
}


def find_nodes(kg: KnowledgeGraph, name: str) -> list[str]:
    """Return the ids of the nodes that a name may mean, likeliest first.

    A node is known by its id, with or without ``paper:`` or ``concept:``, and by its label,
    alternative labels, title or DOI. Case and spaces never matter. Names that are equal are
    returned if there are any; else those that are equal but for plurals, hyphens and British
    spelling; else those that start with `name`; else those that hold it.

    Returns
    -------
    list of str
        Concepts before papers, those in most papers first, then by id. The node whose id is
        `name` stands alone.
    """
    if name in kg.papers or name in kg.concepts:
        return [name]
    wanted = _fold(name)
    if not wanted:
        return []
    folded = fold_name(name)
    names = {node: list(_iter_names(kg, node)) for node in (*kg.concepts, *kg.papers)}
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


def describe(kg: KnowledgeGraph, node: str) -> str:
    """Return all that a graph knows about a paper or a concept, with the sentences.

    Raises
    ------
    GraphError
        If there is no such node.
    """
    if node in kg.concepts:
        lines = _describe_concept(kg, kg.concepts[node])
    elif node in kg.papers:
        lines = _describe_paper(kg, kg.papers[node])
    else:
        raise GraphError(f"there is no node {node!r}; give the id of a paper or a concept")
    return "\n".join(lines) + "\n"


def summarise(kg: KnowledgeGraph) -> str:
    """Return how much there is in a graph, what is shared and new, and what was skipped."""
    return "\n".join(_iter_summary(kg)) + "\n"


def _describe_concept(kg: KnowledgeGraph, concept: Concept) -> Iterator[str]:
    """Yield the lines about a concept."""
    yield from _wrap(f"{concept.label} ({concept.type})")
    yield from _wrap(concept.id, "  ")
    if concept.alt_labels:
        yield from _wrap(f"also called: {'; '.join(concept.alt_labels)}", "  ")
    yield f"  in {_count(concept.papers, 'paper')}"
    near = [one for one in kg.relations if concept.id in (one.subject, one.object)]
    for heading, found in _group(_OF_CONCEPT, near):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: _paper_order(kg.papers[one.subject])):
            yield from _wrap(_cite(kg.papers[relation.subject]), "  ")
            yield from _quote(relation.evidence[0])
    outward = [(relation, relation.object) for relation in near if relation.subject == concept.id]
    yield from _describe_relations(kg, _OUT, outward)
    inward = [(relation, relation.subject) for relation in near if relation.object == concept.id]
    yield from _describe_relations(kg, _IN, inward)


def _describe_relations(
    kg: KnowledgeGraph, headings: Mapping[Predicate, str], relations: list[tuple[Relation, str]]
) -> Iterator[str]:
    """Yield the lines about relations between concepts, each given with its other end."""
    others = {relation: other for relation, other in relations if other in kg.concepts}
    for heading, found in _group(headings, others):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: (-one.support, others[one])):
            other = kg.concepts[others[relation]]
            yield from _wrap(f"{other.label} ({other.type})", "  ")
            yield from _quote(relation.evidence[0])


def _describe_paper(kg: KnowledgeGraph, paper: Paper) -> Iterator[str]:
    """Yield the lines about a paper."""
    yield from _wrap(paper.label)
    yield from _wrap(paper.id, "  ")
    if facts := ", ".join([*paper.authors, paper.venue, str(paper.year or "")]).strip(", "):
        yield from _wrap(facts, "  ")
    yield from (line for text in (paper.url, paper.doi and f"doi:{paper.doi}") if text for line in _wrap(text, "  "))
    own = [one for one in kg.relations if one.subject == paper.id]
    for heading, found in _group(_OF_PAPER, own):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: kg.concepts[one.object].label.casefold()):
            concept = kg.concepts[relation.object]
            yield from _wrap(f"{concept.label} ({concept.type}): {_clip(relation.evidence[0])}", "  ", "      ")
    related = [
        one for one in kg.relations if one.predicate is Predicate.RELATED_TO and paper.id in (one.subject, one.object)
    ]
    if related:
        yield from ("", "related papers, by what they share:")
    for relation in sorted(related, key=lambda one: (-one.score, one.subject, one.object)):
        other = relation.object if relation.subject == paper.id else relation.subject
        yield from _wrap(f"{_cite(kg.papers[other])}, {relation.score:.2f}", "  ")
        labels = (kg.concepts[one].label for one in relation.via if one in kg.concepts)
        yield from _wrap("; ".join(labels), "    ")


def _iter_summary(kg: KnowledgeGraph) -> Iterator[str]:
    """Yield the lines of a summary."""
    report = kg.report
    yield f"{_count(len(kg.papers), 'paper')}, {_count(len(kg.concepts), 'concept')}, {len(kg.relations):,} relations"
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
        yield from ("", f"introduced here, {_count(len(new), 'concept')}:")
        yield from _wrap("; ".join(sorted((kg.concepts[one].label for one in new), key=str.casefold)), "  ")
    yield from ("", f"read {_count(report.read, 'record')}, kept {report.kept:,}, skipped {len(report.skipped):,}")
    reasons = Counter(skip.reason for skip in report.skipped)
    for reason, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_SKIPS]:
        first = min(skip for skip in report.skipped if skip.reason == reason)
        place = f"{first.file}, line {first.line}" if first.line else first.file
        where = f"first at {place}" if count > 1 else place
        yield from _wrap(f"{count:,} x {reason} ({where})", "  ")
    if len(reasons) > _SKIPS:
        yield f"  and {len(reasons) - _SKIPS:,} other reasons; all are in report.json"


def _list_counts(heading: str, rows: list[tuple[str, int]]) -> Iterator[str]:
    """Yield a heading and numbers in a column, if there are any."""
    if rows:
        yield from ("", f"{heading}:")
    width = max((len(f"{count:,}") for _, count in rows), default=0)
    for name, count in rows:
        yield from _wrap(f"{count:>{width},}  {name}", "  ", " " * (width + 4))


def _group(headings: Mapping[Predicate, str], relations: Iterable[Relation]) -> Iterator[tuple[str, list[Relation]]]:
    """Yield the relations under each heading, in the order of the headings."""
    groups: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.predicate in headings:
            groups[headings[relation.predicate]].append(relation)
    yield from ((heading, groups[heading]) for heading in dict.fromkeys(headings.values()) if heading in groups)


def _iter_names(kg: KnowledgeGraph, node: str) -> Iterator[str]:
    """Yield what a node may be called."""
    yield node
    yield node.partition(":")[2]
    if node in kg.concepts:
        yield kg.concepts[node].label
        yield from kg.concepts[node].alt_labels
    else:
        paper = kg.papers[node]
        yield from (name for name in (paper.label, paper.title, paper.doi) if name)


def _count_papers(kg: KnowledgeGraph, node: str) -> int:
    """Return how many papers mention a concept; 0 for a paper."""
    return kg.concepts[node].papers if node in kg.concepts else 0


def _paper_order(paper: Paper) -> tuple[int, str, str]:
    """Return a key that puts the newest paper first, and one without year last."""
    return -(paper.year or 0), paper.label.casefold(), paper.id


def _cite(paper: Paper) -> str:
    """Return a paper in a line."""
    return f"{paper.label} ({paper.year}) [{paper.id}]" if paper.year else f"{paper.label} [{paper.id}]"


def _quote(evidence: Evidence) -> Iterator[str]:
    """Yield a sentence in quotes."""
    yield from _wrap(f"“{evidence.sentence}”", "    ")


def _clip(evidence: Evidence, reach: int = 40) -> str:
    """Return the words around a name in its sentence, and the name between ‹ and ›."""
    sentence, start, end = evidence.sentence, evidence.start, evidence.end
    before, after = sentence[:start], sentence[end:]
    if len(before) > reach:
        before = "… " + before[-reach:].partition(" ")[2]
    if len(after) > reach:
        after = after[:reach].rpartition(" ")[0] + " …"
    return f"{before}‹{sentence[start:end]}›{after}"


def _count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _fold(name: str) -> str:
    """Return a name without regard to case and spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _wrap(text: str, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return a text in lines of at most `WIDTH`, without control characters."""
    text = "".join(char if char.isprintable() else " " for char in text)
    further = indent + "  " if hanging is None else hanging
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )
