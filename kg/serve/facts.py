"""What a page tells about a paper or a concept: headings, and under each what stands there with its sentence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from kg.describe import IN, MATCHED, OF_CONCEPT, OF_PAPER, OUT, find_names
from kg.describe.text import count
from kg.errors import GraphError
from kg.model import Predicate
from kg.serve.site import find_stamp, to_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.model import Concept, Evidence, Paper, Relation
    from kg.serve.site import Snapshot

__all__ = ["Entry", "Group", "Link", "list_concept", "list_paper", "to_link", "to_web"]

_MOST = 200  # entries below a heading


@dataclass(frozen=True, slots=True)
class Link:
    """A node that a page leads to."""

    path: str
    label: str
    note: str = ""  # a type, or a year


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands below a heading: a name or a link, and the sentence that speaks for it in three parts."""

    link: Link | None = None
    text: str = ""
    before: str = ""
    marked: str = ""
    after: str = ""
    source: Link | None = None  # the paper of the sentence
    via: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A heading and what stands below it; `more` entries are left out."""

    heading: str
    entries: tuple[Entry, ...]
    more: int = 0


def list_concept(snapshot: Snapshot, concept: Concept) -> list[Group]:
    """Return what is told about a concept, in the order of ``kg show``."""
    kg, near = snapshot.kg, snapshot.relations.get(concept.id, [])
    links = [(one, one.subject) for one in near if one.subject in kg.papers]
    links.sort(key=lambda pair: _paper_order(kg.papers[pair[1]]))
    groups = _group(snapshot, OF_CONCEPT, links, has_source=False)
    for headings, ends in (
        (OUT, [(one, one.object) for one in near if one.subject == concept.id]),
        (IN, [(one, one.subject) for one in near if one.object == concept.id]),
    ):
        between = [pair for pair in ends if pair[1] in kg.concepts]
        between.sort(key=lambda pair: (-pair[0].support, pair[1]))
        groups += _group(snapshot, headings, between)
    matches = [
        Entry(text=f"{MATCHED[one.predicate]}: {one.label} <{one.iri}> in {one.source}")
        for one in kg.matches
        if one.concept == concept.id
    ]
    names = _list_names(snapshot, concept)
    groups += [_cut(heading, rows) for heading, rows in (("in vocabularies", matches),) if rows]
    return groups + [_cut(heading, rows) for heading, rows in (("why these names are one concept", names),) if rows]


def _list_names(snapshot: Snapshot, concept: Concept) -> list[Entry]:
    """Return why each name is the concept's; nothing while the mentions on disk are not those of this graph."""
    try:
        names = find_names(snapshot.kg, concept)
        entries = [
            Entry(
                text=f"{use.name}, in {count(len(use.papers), 'paper')}: {use.reason}",
                before=use.quote(snapshot.kg),
                source=to_link(snapshot, use.first["paper"]),
            )
            for use in names
        ]
    except (GraphError, OSError, ValueError, KeyError):  # the folder is just being replaced
        return []
    return entries if find_stamp(snapshot.folder) == snapshot.stamp else []


def list_paper(snapshot: Snapshot, paper: Paper) -> list[Group]:
    """Return what is told about a paper, in the order of ``kg show``."""
    kg, near = snapshot.kg, snapshot.relations.get(paper.id, [])
    links = [(one, one.object) for one in near if one.object in kg.concepts]
    links.sort(key=lambda pair: (kg.concepts[pair[1]].label.casefold(), pair[1]))
    groups = _group(snapshot, OF_PAPER, links, has_source=False)
    related = [one for one in near if one.predicate is Predicate.RELATED_TO]
    related.sort(key=lambda one: (-one.score, one.subject, one.object))
    entries = [_to_related(snapshot, one, paper.id) for one in related]
    return groups + ([_cut("related papers, by what they share", entries)] if entries else [])


def to_link(snapshot: Snapshot, node: str) -> Link:
    """Return the link to a node."""
    kg = snapshot.kg
    if node in kg.concepts:
        return Link(to_path(node), kg.concepts[node].label, str(kg.concepts[node].type))
    return Link(to_path(node), kg.papers[node].label, str(kg.papers[node].year or ""))


def to_web(paper: Paper) -> list[tuple[str, str]]:
    """Return the addresses of a paper on the web, each as text and as a link; "" if it is none to follow."""
    found = [(paper.url, paper.url if _is_web(paper.url) else "")] if paper.url else []
    if paper.doi:
        found.append((f"doi:{paper.doi}", f"https://doi.org/{quote(paper.doi, safe='/', errors='replace')}"))
    return found


def _is_web(address: str) -> bool:
    """Tell whether an address is one that a browser may follow."""
    try:
        return urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return False


def _group(
    snapshot: Snapshot,
    headings: Mapping[Predicate, str],
    pairs: Iterable[tuple[Relation, str]],
    *,
    has_source: bool = True,
) -> list[Group]:
    """Return relations, each given with its other end, below their headings."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for relation, other in pairs:
        if relation.predicate in headings:
            groups[headings[relation.predicate]].append(_to_entry(snapshot, relation, other, has_source=has_source))
    return [_cut(heading, groups[heading]) for heading in dict.fromkeys(headings.values()) if heading in groups]


def _to_entry(snapshot: Snapshot, relation: Relation, other: str, *, has_source: bool) -> Entry:
    """Return a relation with the sentence that speaks for it."""
    one: Evidence = relation.evidence[0]
    before, marked, after = one.sentence[: one.start], one.sentence[one.start : one.end], one.sentence[one.end :]
    source = to_link(snapshot, one.paper) if has_source else None
    return Entry(to_link(snapshot, other), "", before, marked, after, source)


def _to_related(snapshot: Snapshot, relation: Relation, paper: str) -> Entry:
    """Return a related paper with what joins it."""
    other = relation.object if relation.subject == paper else relation.subject
    via = tuple(to_link(snapshot, one) for one in relation.via if one in snapshot.kg.concepts)
    return Entry(to_link(snapshot, other), f"{relation.score:.2f}", via=via)


def _cut(heading: str, entries: list[Entry]) -> Group:
    """Return a heading with as many entries as a page shows."""
    return Group(heading, tuple(entries[:_MOST]), max(0, len(entries) - _MOST))


def _paper_order(paper: Paper) -> tuple[int, str, str]:
    """Return a key that puts the newest paper first, and one without year last."""
    return -(paper.year or 0), paper.label.casefold(), paper.id
