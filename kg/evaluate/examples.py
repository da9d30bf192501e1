"""A graph against worked examples: what a reader would put into it, paper by paper.

The examples are a JSON object with ``papers`` and ``links``. An entry of ``papers`` names its
paper by ``id``, or by its place ``n`` in the file that the graph was built from, and lists
items that any careful reader would want (``must``), others that are acceptable (``nice``),
and phrases that are no concepts (``must_not``). An item has accepted ``names``, ``types`` and
``relations``. A link is two papers and the concepts of which they should share one.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.clean import clean_paper
from kg.errors import InputError
from kg.model import Paper, Predicate
from kg.names import fold_name
from kg.read import read_papers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from kg.model import Concept, KnowledgeGraph

__all__ = ["ExampleScores", "evaluate_graph"]

_ENOUGH = 40  # letters and digits by which a text is recognised


@dataclass(frozen=True, slots=True)
class ExampleScores:
    """How a graph stands to worked examples; shares in [0, 1]."""

    papers: int  # that the examples cover and the graph has
    recall: float  # share of must items that the paper is joined to
    precision: float  # share of the paper's concepts that are must or nice
    type_accuracy: float  # of the must items found, share with an accepted type
    relation_accuracy: float  # of those with a certain relation, share that has it
    forbidden: int  # concepts whose label is in must_not
    links: str  # wanted links that are there, of all
    concepts_per_paper: float
    faults: tuple[str, ...]  # each miss and each concept too many


def evaluate_graph(kg: KnowledgeGraph, examples: Path, papers: Path | str) -> ExampleScores:
    """Score a graph against worked examples.

    Parameters
    ----------
    kg : KnowledgeGraph
    examples : Path
        As the module says.
    papers : path
        The file that the graph was built from, for the order of its papers.

    Raises
    ------
    InputError
        If a file can't be read, or the examples name a paper that is not among `papers`.
    """
    try:
        wanted = json.loads(examples.read_text(encoding="utf-8"))
        entries = [(str(entry.get("id") or entry["n"]), entry) for entry in wanted["papers"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{examples.name}: no worked examples ({error!r})") from error
    read = (clean_paper(one) for one in read_papers([papers]) if isinstance(one, Paper))
    nodes = _find_nodes(kg, read, {name for name, _ in entries}, examples.name)
    roles: dict[str, dict[str, set[Predicate]]] = defaultdict(lambda: defaultdict(set))
    for one in kg.relations:
        if one.object in kg.concepts and one.subject in kg.papers:
            roles[one.subject][one.object].add(one.predicate)
    names = {node: {fold_name(label) for label in (one.label, *one.alt_labels)} for node, one in kg.concepts.items()}
    count: Counter[str] = Counter()
    faults: list[str] = []
    for name, entry in entries:
        count["wanted"] += len(entry["must"])
        if node := nodes.get(name):
            faults += [f"{name}: {fault}" for fault in _score(entry, roles[node], names, kg.concepts, count)]
        else:
            faults.append(f"{name}: the graph has no such paper")
    shared = list(_find_links(wanted.get("links", ()), nodes, roles, names))
    return _to_scores(count, shared, faults)


def _find_nodes(kg: KnowledgeGraph, papers: Iterable[Paper], wanted: set[str], file: str) -> dict[str, str]:
    """Return the node ids of the wanted papers, which are named by id or place."""
    by_text = {_to_key(text): node for node, one in kg.papers.items() for text in (one.title, one.abstract) if text}
    found: dict[str, str] = {}
    known: set[str] = set()
    for place, paper in enumerate(papers, 1):
        for name in {str(place), paper.id.removeprefix("paper:")} & wanted:
            known.add(name)
            node = by_text.get(_to_key(paper.abstract)) or by_text.get(_to_key(paper.title))
            if node:
                found[name] = node
    if wanted - known:
        raise InputError(f"{file}: paper {min(wanted - known)!r} is not among the papers")
    return found


def _score(
    entry: Mapping[str, Any],
    here: Mapping[str, set[Predicate]],
    names: Mapping[str, set[str]],
    concepts: Mapping[str, Concept],
    count: Counter[str],
) -> Iterator[str]:
    """Count what an entry of the examples finds in a paper, and yield what is wrong."""
    count.update(papers=1, concepts=len(here))
    acceptable: set[str] = set()
    for item in (*entry["must"], *entry["nice"]):
        acceptable |= {fold_name(name) for name in item["names"]}
    for item in entry["must"]:
        accepted = {fold_name(name) for name in item["names"]}
        hits = [node for node in here if names[node] & accepted]
        if not hits:
            yield f"missing {item['names'][0]!r}"
            continue
        types = {str(concepts[node].type) for node in hits}
        is_typed = bool(types & set(item["types"]))
        count.update(got=1, typed=is_typed)
        if not is_typed:
            yield f"{item['names'][0]!r} is a {'/'.join(sorted(types))}, not a {'/'.join(item['types'])}"
        if item["relations"] and Predicate.MENTIONS not in item["relations"]:
            has = {str(role) for node in hits for role in here[node]}
            is_related = bool(has & set(item["relations"]))
            count.update(certain=1, related=is_related)
            if not is_related:
                yield f"{item['names'][0]!r} has {'/'.join(sorted(has))}, not {'/'.join(item['relations'])}"
    banned = {fold_name(name) for name in entry["must_not"]}
    for node in sorted(here):
        label = concepts[node].label
        if fold_name(label) in banned:
            count["forbidden"] += 1
            yield f"forbidden {label!r}"
        elif not names[node] & acceptable:
            count["noise"] += 1
            yield f"too much: {label!r}"


def _find_links(
    links: Iterable[list[Any]],
    nodes: Mapping[str, str],
    roles: Mapping[str, Mapping[str, set[Predicate]]],
    names: Mapping[str, set[str]],
) -> Iterator[bool]:
    """Yield for each wanted link whether its papers share an accepted concept; a remark makes one optional."""
    for one, other, via, *remark in links:
        ends = [nodes.get(str(end)) for end in (one, other)]
        if remark or not all(ends):
            continue
        accepted = {fold_name(name) for name in via}
        left, right = (set(roles[end]) for end in ends if end)
        yield any(names[node] & accepted for node in left & right)


def _to_scores(count: Counter[str], links: list[bool], faults: list[str]) -> ExampleScores:
    """Return the scores of counts."""

    def share(part: str, whole: str) -> float:
        return round(count[part] / max(count[whole], 1), 3)

    wrong = count["noise"] + count["forbidden"]
    return ExampleScores(
        papers=count["papers"],
        recall=share("got", "wanted"),
        precision=round(1 - wrong / max(count["concepts"], 1), 3),
        type_accuracy=share("typed", "got"),
        relation_accuracy=share("related", "certain"),
        forbidden=count["forbidden"],
        links=f"{sum(links)}/{len(links)}",
        concepts_per_paper=round(count["concepts"] / max(count["papers"], 1), 1),
        faults=tuple(faults),
    )


def _to_key(text: str) -> str:
    """Return the first letters and digits of a text."""
    return re.sub(r"[\W_]", "", text.casefold())[:_ENOUGH]
