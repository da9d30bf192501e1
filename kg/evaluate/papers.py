"""Concepts of papers against tasks, data sets and metrics that people list for each paper."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.build import Site, build
from kg.errors import InputError
from kg.evaluate.gold import read_lines
from kg.model import ConceptType, Paper
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph

__all__ = ["PaperScores", "evaluate_papers"]


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the listed names a paper's concepts have."""

    named: float  # of those whose folded name stands in the text, the share that is found
    named_gold: int
    all: float  # of all, also those that the text does not name
    all_gold: int


@dataclass(frozen=True, slots=True)
class PaperScores:
    """Recall at the level of papers; precision can't be told, since the lists are not complete."""

    total: Recall
    by_type: Mapping[ConceptType, Recall]


def evaluate_papers(
    path: Path, *, model: str | None = None, progress: Callable[[int], None] | None = None
) -> PaperScores:
    """Score the concepts of papers against lists of names.

    Parameters
    ----------
    path : Path
        JSON Lines with ``text``, title and abstract with a line break between, and
        ``doc_labels``, an object of lists of names by type.
    model
        As for `kg.build`.
    progress : callable, optional
        Is told how many papers are read.

    Raises
    ------
    InputError
        If a line is not such a record.
    """
    records = list(_read(path))
    papers = [Paper(id=str(number), title=title, abstract=rest) for number, (title, rest, _) in enumerate(records)]
    site = Site(progress=(lambda done, _: progress(done)) if progress else None)
    names = _find_names(build(papers, model=model, site=site))
    counts: Counter[tuple[str, ConceptType]] = Counter()
    for number, (title, rest, listed) in enumerate(records):
        text = f" {fold_name(title)} {fold_name(rest)} "
        for kind, label in listed:
            folded = fold_name(label)
            hit = folded in names.get(f"paper:{number}", ())
            counts.update([("all", kind), *([("all hits", kind)] if hit else [])])
            if f" {folded} " in text:
                counts.update([("named", kind), *([("named hits", kind)] if hit else [])])
    kinds = [kind for kind in ConceptType if counts["all", kind]]
    return PaperScores(_to_recall(counts, kinds), {kind: _to_recall(counts, [kind]) for kind in kinds})


def _to_recall(counts: Mapping[tuple[str, ConceptType], int], kinds: list[ConceptType]) -> Recall:
    """Return the recall of some types."""
    totals = {what: sum(counts[what, kind] for kind in kinds) for what in ("named", "named hits", "all", "all hits")}
    named, every = (round(totals[f"{what} hits"] / max(totals[what], 1), 4) for what in ("named", "all"))
    return Recall(named, totals["named"], every, totals["all"])


def _find_names(graph: KnowledgeGraph) -> dict[str, set[str]]:
    """Return the folded names of the concepts of each paper."""
    names: dict[str, set[str]] = {}
    for one in graph.relations:
        if one.subject in graph.papers and one.object in graph.concepts:
            concept = graph.concepts[one.object]
            names.setdefault(one.subject, set()).update(map(fold_name, (concept.label, *concept.alt_labels)))
    return names


def _read(path: Path) -> Iterator[tuple[str, str, list[tuple[ConceptType, str]]]]:
    """Yield title, abstract, and the distinct names by type of each record."""
    for where, line in read_lines(path):
        try:
            record: dict[str, Any] = json.loads(line)
            title, _, rest = str(record["text"]).partition("\n")
            listed = {
                (ConceptType(kind.capitalize()), str(label))
                for kind, labels in record["doc_labels"].items()
                for label in labels
            }
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{where}: no record with text and doc_labels by type ({error!r})") from error
        yield title, rest, sorted(listed)
